const FORMAT = {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
} as const;

/** Formats a time in the visitor's zone, with its year if that is another: 'jueves, 31 de diciembre, 20:00'. */
export function formatTime(time: number): string {
  const date = new Date(time);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return date.toLocaleString('es', isThisYear ? FORMAT : { ...FORMAT, year: 'numeric' });
}
