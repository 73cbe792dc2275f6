import type { COLOR_COUNT } from '@goty/shared/nominee';

/** The colour scheme 'nightLights' of swimlane/ngx-charts, in its order (SPEC W4). */
const NIGHT_LIGHTS = [
  0x4e31a5, 0x9c25a7, 0x3065ab, 0x57468b, 0x904497, 0x46648b, 0x32118d, 0xa00fb3, 0x1052a2,
  0x6e51bd, 0xb63cc3, 0x6c97cb, 0x8671c1, 0xb455be, 0x7496c3,
] as const satisfies { readonly length: typeof COLOR_COUNT };
/**
 * Each is the colour with the same index above, with as much white, in steps of 5 %, as it needs for a contrast of 3:1 on the
 * dark surface (SPEC W20). On the light surface, all have enough contrast.
 */
export const BAR_END_COLORS = [
  0x715ab7, 0xa63bb0, 0x3a6daf, 0x70629c, 0x964d9c, 0x4f6c91, 0x7058af, 0xaa27bb, 0x346cb0,
  0x755ac0, 0xb63cc3, 0x6c97cb, 0x8671c1, 0xb455be, 0x7496c3,
] as const satisfies { readonly length: typeof COLOR_COUNT };

/** Returns the colour of the game at `index` in the order of the ids, as in '#4e31a5'. Colours repeat after 15. */
export function gameColor(index: number, colors: readonly number[] = NIGHT_LIGHTS): string {
  const color = colors[index % colors.length] ?? 0;
  return `#${color.toString(16).padStart(6, '0')}`;
}
