/**
 * Reports when the page is about to be printed and when that is over. Some browsers (Firefox) print
 * the canvas as it is and change no media query beforehand. So during printing this turns the
 * styles for print on for the screen as well.
 */
export function watchPrinting(change: (isPrinting: boolean) => void): () => void {
  const begin = () => {
    for (const media of printStyles()) media.appendMedium('screen');
    change(true);
  };
  const end = () => {
    for (const media of printStyles()) media.deleteMedium('screen');
    change(false);
  };
  window.addEventListener('beforeprint', begin);
  window.addEventListener('afterprint', end);
  return () => {
    window.removeEventListener('beforeprint', begin);
    window.removeEventListener('afterprint', end);
  };
}

/** The media of all rules that set colours for print. */
function printStyles(): MediaList[] {
  return [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSMediaRule)
    .filter(({ media }) => media.mediaText.includes('print'))
    .filter(({ cssText }) => cssText.includes('--surface:'))
    .map(({ media }) => media);
}
