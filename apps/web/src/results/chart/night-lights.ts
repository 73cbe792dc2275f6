// The colour scheme 'nightLights' of swimlane/ngx-charts, in its order (SPEC W4).
const NIGHT_LIGHTS = [
  '#4e31a5',
  '#9c25a7',
  '#3065ab',
  '#57468b',
  '#904497',
  '#46648b',
  '#32118d',
  '#a00fb3',
  '#1052a2',
  '#6e51bd',
  '#b63cc3',
  '#6c97cb',
  '#8671c1',
  '#b455be',
  '#7496c3',
] as const;

/** Returns the colour of the game at `index` in the order of the ids. Colours repeat after 15. */
export function gameColor(index: number): string {
  return NIGHT_LIGHTS[index % NIGHT_LIGHTS.length] ?? NIGHT_LIGHTS[0];
}
