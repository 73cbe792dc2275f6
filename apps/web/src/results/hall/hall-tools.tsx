import { resultTexts } from '@goty/shared/result-texts';
import { useEffect } from 'react';
import styles from './hall-tools.module.css';

const STILL_MS = 3_000;

/** What only a hall needs (SPEC W62): nobody points at the screen there, and the browser is in the way. */
export function HallTools() {
  useEffect(hideStillPointer, []);
  if (!document.fullscreenEnabled) return null;
  return (
    <button type="button" className={`button quiet ${styles.button}`} onClick={fillScreen}>
      {resultTexts.fullScreen}
    </button>
  );
}

function fillScreen() {
  // The browser has its reasons, and the visitor sees that nothing has changed.
  document.documentElement.requestFullscreen().catch(() => {});
}

/** Hides the pointer once it has been still for 3 s, until it moves. */
function hideStillPointer(): () => void {
  const { dataset } = document.documentElement;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = () => {
    clearTimeout(timer);
    delete dataset.pointer;
    timer = setTimeout(() => {
      dataset.pointer = 'still';
    }, STILL_MS);
  };
  window.addEventListener('pointermove', show);
  show();
  return () => {
    window.removeEventListener('pointermove', show);
    clearTimeout(timer);
    delete dataset.pointer;
  };
}
