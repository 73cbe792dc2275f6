import type { Standing } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import {
  type CSSProperties,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { formatVotes } from '../base/format.ts';
import { graphemesOf } from '../base/graphemes.ts';
import {
  type Headline,
  headlineAt,
  isolate,
  namesOf,
  spokenHeadline,
  titleWithoutName,
} from '../results/headline.ts';
import { isBeforeWinner, type Scene, type Show } from '../results/show.ts';
import styles from './stage.module.css';

/** Sizes are in rem. Each entry is tried after the last, until all words fit. */
const FITS = [
  ...[2.5, 2.1, 1.7, 1.45, 1.2].map((size) => ({ size, letters: Infinity })),
  ...[60, 45, 32, 24, 16, 10].map((letters) => ({ size: 1.2, letters })),
];

const AWARDS: Partial<Record<Scene, string>> = {
  third: resultTexts.third,
  second: resultTexts.second,
  winner: resultTexts.winner,
};

/** Says which games have a place below the first, all with the same votes. */
function headlineOfPlace(placed: readonly Standing[]): Headline {
  const [game] = placed;
  if (!game) return { title: '', detail: '', kind: 'empty' };
  const votes = formatVotes(game.votos);
  if (placed.length > 1) {
    const detail = resultTexts.each(votes, namesOf(placed));
    return { title: resultTexts.tied, detail, kind: 'told' };
  }
  return { title: isolate(game.name), name: game.name, detail: votes, kind: 'told' };
}

export function stageHeadline({ scene, standings, status, placed }: HeadlineInput) {
  if (isBeforeWinner(scene)) {
    const headline = headlineOfPlace(placed);
    const spoken = placed.length > 0 ? `${AWARDS[scene]}: ${spokenHeadline(headline)}` : '';
    return { ...headline, spoken };
  }
  // Everybody in a hall knows when the vote has closed, and whether its close was moved, or the vote opened again.
  const untimed = { ...status, closesAt: undefined, movedFrom: undefined, reopenedAt: undefined };
  const headline = headlineAt(standings, untimed);
  // While votes come, only the leader is spoken: the detail changes with each vote, and would interrupt a screen reader.
  const spoken = status.phase === 'closed' ? spokenHeadline(headline) : headline.title;
  return { ...headline, spoken };
}

type HeadlineInput = Pick<Show, 'scene' | 'standings' | 'status' | 'placed'>;

interface HeadlineProps extends HeadlineInput {
  /** The colour that sweeps across the headline while a new leader is news. */
  readonly sweep: string | undefined;
}

/** Names are cut only if whole ones do not fit even in the smallest size (SPEC W147). */
export function FittedHeadline({ sweep, ...show }: HeadlineProps) {
  const box = useRef<HTMLDivElement>(null);
  const { title, detail } = stageHeadline(show);
  const fails = useFailedFits(box, title + detail, FITS.length - 1);
  const { size = 0, letters = 0 } = FITS[fails] ?? {};
  const cut = (name: string) => {
    const all = name.length > letters ? graphemesOf(name) : [];
    return all.length > letters ? `${all.slice(0, letters).join('').trim()}…` : name;
  };
  const cutNames = (games: readonly Standing[]) =>
    games.map((game) => ({ ...game, name: cut(game.name) }));
  const { placed, standings } = show;
  const fitted = stageHeadline({
    ...show,
    standings: cutNames(standings),
    placed: cutNames(placed),
  });
  const isWinner = show.scene === 'winner' && fitted.name !== undefined;
  return (
    <div
      ref={box}
      className={styles.headline}
      data-sweep={sweep}
      style={{ '--sweep': sweep } as CSSProperties}
    >
      {(isWinner || placed.length > 0) && <p className={styles.award}>{AWARDS[show.scene]}</p>}
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

/** Returns how often the content did not fit. With each count the component renders again, and has to make it smaller. */
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
