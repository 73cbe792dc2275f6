const units = ['day', 'hour', 'minute', 'second'].map(
  (unit) =>
    new Intl.NumberFormat('es', {
      style: 'unit',
      unit,
      unitDisplay: 'long',
      minimumIntegerDigits: 2,
    }),
);

/** Formats a duration as days, hours, minutes and seconds, each with its unit: '03', 'horas'. */
export function formatUnits(ms: number): readonly { value: string; unit: string }[] {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const values = [seconds / 86_400, (seconds / 3_600) % 24, (seconds / 60) % 60, seconds % 60];
  return values.map((value, at) => {
    const parts = units[at]?.formatToParts(Math.floor(value)) ?? [];
    const part = (type: string) => parts.find((found) => found.type === type)?.value ?? '';
    return { value: part('integer'), unit: part('unit') };
  });
}
