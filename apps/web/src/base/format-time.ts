const FORMAT = {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
} as const;

/** Formats a time in the visitor's zone: 'jueves, 31 de diciembre, 20:00'. */
export function formatTime(time: number): string {
  return new Date(time).toLocaleString('es', FORMAT);
}
