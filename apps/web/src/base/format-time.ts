const DAY = { weekday: 'long', day: 'numeric', month: 'long' } as const;
const DAYS = new Intl.RelativeTimeFormat('es', { numeric: 'auto' });
const DAY_MS = 86_400_000;

/**
 * Formats a time in the visitor's zone, as it stands behind a verb: 'hoy a las 17:15', 'el jueves 31 de
 * diciembre a las 20:00', with its year if that is another.
 */
export function formatTime(time: number): string {
  const [date, today] = [new Date(time), new Date()];
  const hour = date.toLocaleTimeString('es', { hour: '2-digit', minute: '2-digit' });
  const days = Math.round((startOfDay(date) - startOfDay(today)) / DAY_MS);
  const isThisYear = date.getFullYear() === today.getFullYear();
  const day = date
    .toLocaleDateString('es', isThisYear ? DAY : { ...DAY, year: 'numeric' })
    .replace(',', '');
  const when = Math.abs(days) <= 1 ? DAYS.format(days, 'day') : `el ${day}`;
  return `${when} ${date.getHours() === 1 ? 'a la' : 'a las'} ${hour}`;
}

/** The same behind a preposition: 'las 17:15', 'ayer a las 17:15'. */
export function formatMoment(time: number): string {
  return formatTime(time).replace(/^hoy a /, '');
}

/** Not the start of a day in UTC: days are the visitor's. Some have 23 or 25 hours. */
function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
