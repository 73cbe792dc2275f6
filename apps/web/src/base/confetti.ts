export const CONFETTI_GOLD = ['#ffd75e', '#f0a92b'];
const PIECES = 36;

interface Burst {
  /** How far most of the pieces fly, in pixels. */
  readonly reach: number;
  readonly colors: readonly string[];
  readonly ms: number;
}

/** A burst of confetti from behind `origin`, above what is in `parent`. It takes no space and no presses. */
export function throwConfetti(
  parent: HTMLElement,
  origin: HTMLElement,
  { reach, colors, ms }: Burst,
) {
  const { left, top, width, height } = origin.getBoundingClientRect();
  const box = document.createElement('div');
  box.className = 'burst';
  box.ariaHidden = 'true';
  parent.append(box);
  box.style.left = `${left + width / 2}px`;
  box.style.top = `${top + height / 2}px`;
  const flights = Array.from({ length: PIECES }, (_, index) => {
    const piece = document.createElement('i');
    piece.style.background = colors[index % colors.length] ?? '';
    box.append(piece);
    const angle = (index / PIECES) * 2 * Math.PI;
    const distance = reach * (0.7 + Math.random());
    const dx = Math.cos(angle) * distance;
    const dy = Math.sin(angle) * distance * 0.8;
    const spin = `${Math.random() * 900 - 450}deg`;
    return piece.animate(
      [
        { transform: 'scale(0.4)', opacity: 1, easing: 'cubic-bezier(0.1, 0.8, 0.3, 1)' },
        {
          transform: `translate(${dx}px, ${dy}px) rotate(${spin})`,
          opacity: 1,
          offset: 0.5,
          easing: 'ease-in',
        },
        { transform: `translate(${dx * 1.1}px, ${dy + 130}px) rotate(${spin})`, opacity: 0 },
      ],
      { duration: ms, fill: 'forwards' },
    ).finished;
  });
  // An animation rejects if its parent is removed before its end.
  Promise.allSettled(flights).then(() => box.remove());
}
