export const CONFETTI_GOLD = ['var(--gold)', '#f0a92b'];

interface Burst {
  /** How far the pieces fly, in pixels: each flies about 0.7 to 1.7 times as far. */
  readonly reach: number;
  readonly colors: readonly string[];
  readonly ms: number;
  readonly pieces?: number;
  /** The first and the last direction in which pieces fly, in radians, clockwise from the right. */
  readonly from?: number;
  readonly to?: number;
}

/** Throws confetti from the middle of `origin`, above all that is in `parent`. The confetti takes neither space nor presses. */
export function throwConfetti(parent: HTMLElement, origin: HTMLElement, burst: Burst) {
  const { left, top, width, height } = origin.getBoundingClientRect();
  throwFrom(parent, left + width / 2, top + height / 2, burst);
}

export function fillWithConfetti(colors: readonly string[]) {
  const { innerWidth, innerHeight } = window;
  const burst = { reach: innerHeight * 0.75, colors, ms: 4_000, pieces: 70 };
  const toRight = -0.47 * Math.PI;
  const toLeft = -0.8 * Math.PI;
  const arc = 0.27 * Math.PI;
  throwFrom(document.body, 0, innerHeight, { ...burst, from: toRight, to: toRight + arc });
  throwFrom(document.body, innerWidth, innerHeight, { ...burst, from: toLeft, to: toLeft + arc });
}

/** @param x in pixels from the left edge of the window, as `y` is from the upper edge */
function throwFrom(
  parent: HTMLElement,
  x: number,
  y: number,
  { reach, colors, ms, pieces = 36, from = 0, to = 2 * Math.PI }: Burst,
) {
  const box = document.createElement('div');
  box.className = 'burst';
  box.ariaHidden = 'true';
  parent.append(box);
  box.style.left = `${x}px`;
  box.style.top = `${y}px`;
  const fall = Math.max(130, reach / 2);
  const flights = Array.from({ length: pieces }, (_, index) => {
    const piece = document.createElement('i');
    piece.style.background = colors[index % colors.length] ?? '';
    box.append(piece);
    const angle = from + (index / pieces) * (to - from);
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
        { transform: `translate(${dx * 1.1}px, ${dy + fall}px) rotate(${spin})`, opacity: 0 },
      ],
      { duration: ms, fill: 'forwards' },
    ).finished;
  });
  // The promise of an animation rejects if the confetti is removed before its end. The box has to go all the same.
  Promise.allSettled(flights).then(() => box.remove());
}
