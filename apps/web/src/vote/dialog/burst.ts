/** The colours of nightLights (results/chart/bar-colors.ts) that are bright on both themes. */
const COLORS = ['#9c25a7', '#3065ab', '#a00fb3', '#6e51bd', '#b63cc3', '#6c97cb', '#b455be'];
const PIECES = 36;
const DURATION_MS = 1_400;

/** A short burst of confetti from behind the trophy. It takes no space and no presses. */
export function burst(popup: HTMLElement) {
  const box = document.createElement('div');
  box.className = 'goty-burst';
  box.ariaHidden = 'true';
  popup.parentElement?.append(box);
  const { left, top, width } = popup.getBoundingClientRect();
  const origin = popup.querySelector('.goty-trophy')?.getBoundingClientRect();
  box.style.left = `${left + width / 2}px`;
  box.style.top = `${origin ? origin.top + origin.height / 2 : top}px`;
  const flights = Array.from({ length: PIECES }, (_, index) => {
    const piece = document.createElement('i');
    piece.style.background = COLORS[index % COLORS.length] ?? '';
    box.append(piece);
    const angle = (index / PIECES) * 2 * Math.PI;
    const reach = 110 + Math.random() * 160;
    const x = Math.cos(angle) * reach;
    const y = Math.sin(angle) * reach * 0.8;
    const spin = `${Math.random() * 900 - 450}deg`;
    return piece.animate(
      [
        { transform: 'scale(0.4)', opacity: 1, easing: 'cubic-bezier(0.1, 0.8, 0.3, 1)' },
        {
          transform: `translate(${x}px, ${y}px) rotate(${spin})`,
          opacity: 1,
          offset: 0.5,
          easing: 'ease-in',
        },
        { transform: `translate(${x * 1.1}px, ${y + 130}px) rotate(${spin})`, opacity: 0 },
      ],
      { duration: DURATION_MS, fill: 'forwards' },
    ).finished;
  });
  // An animation rejects if the dialog is closed before its end.
  Promise.allSettled(flights).then(() => box.remove());
}
