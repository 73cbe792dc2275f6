import type { Standing } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { graphemesOf } from '../base/graphemes.ts';
import type { VoteStatus } from '../live/live-state.ts';
import { headlineAt, titleWithoutName } from '../results/headline.ts';
import type { Show } from '../results/show.ts';
import styles from './stage.module.css';

/**
 * The sizes of the title, in rem, and how many letters of each name it shows. They are tried one after the other until all words
 * fit.
 */
const FITS = [
  ...[2.5, 2.1, 1.7, 1.45, 1.2].map((size) => ({ size, letters: Infinity })),
  ...[60, 45, 32, 24, 16, 10].map((letters) => ({ size: 1.2, letters })),
];

// The headline for a hall, without the times of the close and of a new opening, which everybody there knows.
export const stageHeadline = (standings: readonly Standing[], status: VoteStatus) =>
  headlineAt(standings, {
    ...status,
    closesAt: undefined,
    movedFrom: undefined,
    reopenedAt: undefined,
  });

/**
 * The headline, as large as there is room for. Names are cut only if whole ones do not fit even in the smallest size (SPEC W147).
 */
export function FittedHeadline({ scene, standings, status }: Show) {
  const box = useRef<HTMLDivElement>(null);
  const { title, detail } = stageHeadline(standings, status);
  const fails = useFailedFits(box, title + detail, FITS.length - 1);
  const { size = 0, letters = 0 } = FITS[fails] ?? {};
  const cut = (name: string) => {
    const all = name.length > letters ? graphemesOf(name) : [];
    return all.length > letters ? `${all.slice(0, letters).join('').trim()}…` : name;
  };
  const named = standings.map((game) => ({ ...game, name: cut(game.name) }));
  const fitted = stageHeadline(named, status);
  const isWinner = scene === 'winner' && fitted.name !== undefined;
  return (
    <div ref={box} className={styles.headline}>
      {isWinner && <p className={styles.award}>{resultTexts.winner}</p>}
      <h1 style={{ fontSize: `${size}rem` }}>
        {fitted.name && <bdi translate="no">{fitted.name}</bdi>}
        {!isWinner && (
          <>
            {fitted.name && ' '}
            <span>{titleWithoutName(fitted)}</span>
          </>
        )}
      </h1>
      <p>{fitted.detail}</p>
    </div>
  );
}

/**
 * Counts how often the content of `box` has not fitted since `content` or the size of the window changed, up to `max`. With each
 * count the component renders again, and has to make its content smaller.
 */
export function useFailedFits(
  box: RefObject<HTMLElement | null>,
  content: string,
  max: number,
): number {
  const [last, setLast] = useState({ content, fails: 0 });
  const fails = last.content === content ? last.fails : 0;
  useLayoutEffect(() => {
    const parts = box.current
      ? [box.current, ...box.current.querySelectorAll(':scope > :not(svg, [aria-hidden])')]
      : [];
    // In some fonts, letters stick out of their line by less than a fifth of their size, which cuts nothing.
    const isCut = parts.some((part) => {
      const overhang = Number.parseFloat(getComputedStyle(part).fontSize) / 5;
      return part.scrollHeight > part.clientHeight + overhang;
    });
    if (isCut && fails < max) setLast({ content, fails: fails + 1 });
  });
  useEffect(() => {
    const start = () => setLast({ content: '', fails: 0 });
    window.addEventListener('resize', start);
    return () => window.removeEventListener('resize', start);
  }, []);
  return fails;
}
