import { textColorOn } from '@goty/shared/event-color';
import { texts } from '@goty/shared/texts';
import { eventColor } from '../share/share.ts';

/** How long the pointer has to be still before it is hidden, in milliseconds. */
const STILL_MS = 3_000;

/**
 * Prepares the document for the stage or the overlay. Nobody touches the screen in a hall, so the screen stays on, and a pointer
 * that is still is hidden.
 *
 * @returns the function that ends this
 */
export function prepareHall(isOverlay: boolean): () => void {
  // While the stage was loading, global.css hid the other screen by the target `#sala`.
  document.getElementById('sala')?.remove();
  document.title = texts.inicio.titles.before;
  const { dataset, style } = document.documentElement;
  dataset.stage = isOverlay ? 'overlay' : '';
  const color = eventColor();
  const colors = color
    ? { '--accent': color, '--accent-text': textColorOn(color), '--edge': '0.3rem' }
    : {};
  for (const [name, value] of Object.entries(colors)) style.setProperty(name, value);
  const { wakeLock }: Partial<Navigator> = navigator;
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const point = () => {
    clearTimeout(timer);
    style.cursor = '';
    timer = setTimeout(() => style.setProperty('cursor', 'none'), STILL_MS);
  };
  const wake = () => {
    // The browser may refuse a wake lock, for example when the battery is low. The stage goes on without it.
    if (document.visibilityState === 'visible') wakeLock?.request().catch(() => {});
  };
  point();
  wake();
  document.addEventListener('pointermove', point, ended);
  document.addEventListener('visibilitychange', wake, ended);
  const leave = () => document.fullscreenElement ?? window.history.back();
  document.addEventListener('fullscreenchange', leave, ended);
  return () => {
    ended.abort();
    delete dataset.stage;
    clearTimeout(timer);
    for (const name of ['cursor', ...Object.keys(colors)]) style.removeProperty(name);
  };
}
