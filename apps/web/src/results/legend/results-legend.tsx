import type { Standing } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { formatVotes, shareFormat } from '../../base/format.ts';
import { CoverImage } from '../../base/lazy/cover-image.tsx';
import { rank } from '../../live/ranking.ts';
import { gameColor } from '../chart/bar-colors.ts';
import styles from './results-legend.module.css';

/** More games are hard to find in the order of the chart. */
const SORTED_FROM = 24;
/** 24 games fill whole rows of one to four columns. To skip each game by itself takes the browser long. */
const GROUP = 24;

interface Props {
  readonly standings: readonly Standing[];
  /** The addresses of the covers by the ids of their games. */
  readonly covers: ReadonlyMap<string, string>;
  /** The id of the game that the visitor voted for. */
  readonly yourVote: string | undefined;
  /** The id of the game at whose bar the visitor points. */
  readonly pointed: string | undefined;
  /** Called with the id of the game whose entry has the pointer or the focus. */
  readonly onSelect: (id: string | undefined) => void;
}

/** The legend: every game with its colour, rank, votes and share (SPEC W5, W64). */
export const ResultsLegend = memo(function ResultsLegend(props: Props) {
  const { standings, covers, yourVote, pointed, onSelect } = props;
  const { total, most, rankOf } = useMemo(() => rank(standings), [standings]);
  const formatShare = useMemo(() => shareFormat(standings), [standings]);
  const [isSorted, setIsSorted] = useState(false);
  const games = standings.map((game, index) => ({ ...game, color: gameColor(index) }));
  if (isSorted) games.sort((a, b) => b.votos - a.votos);
  const size = isSorted ? games.length : GROUP;
  return (
    <div>
      {games.length > SORTED_FROM && (
        <button
          type="button"
          className={`button quiet ${styles.sort}`}
          aria-pressed={isSorted}
          onClick={() => setIsSorted(!isSorted)}
        >
          {resultTexts.sortByVotes}
        </button>
      )}
      {Array.from({ length: Math.ceil(games.length / size) }, (_, group) => (
        <ul
          key={group}
          className={styles.legend}
          aria-label={group === 0 ? resultTexts.legendLabel : undefined}
        >
          {games.slice(group * size, (group + 1) * size).map(({ id, name, votos, color }) => (
            <Entry
              key={id}
              id={id}
              name={name}
              color={color}
              cover={covers.get(id)}
              place={rankOf(votos)}
              votes={total > 0 ? formatVotes(votos) : undefined}
              share={formatShare(votos)}
              isLeader={total > 0 && votos === most}
              isYours={id === yourVote}
              isPointed={id === pointed}
              onSelect={onSelect}
            />
          ))}
        </ul>
      ))}
    </div>
  );
});

interface EntryProps {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly cover: string | undefined;
  readonly place: number | undefined;
  /** `undefined` before the first vote for any game. */
  readonly votes: string | undefined;
  readonly share: string;
  readonly isLeader: boolean;
  readonly isYours: boolean;
  readonly isPointed: boolean;
  readonly onSelect: (id: string | undefined) => void;
}

/** Of many entries only those that have changed are rendered again. */
const Entry = memo(function Entry(props: EntryProps) {
  const { id, name, color, cover, place, votes, share, isLeader, isYours, isPointed } = props;
  const select = () => props.onSelect(id);
  const leave = () => props.onSelect(undefined);
  const entry = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const { pathname, hash } = window.location;
    if (!isYours || !entry.current || pathname + hash !== texts.goty.yourResult) return;
    // Once: neither Back nor a reload leads there again.
    window.history.replaceState(window.history.state, '', pathname);
    entry.current.scrollIntoView({ block: 'nearest' });
    entry.current.dataset.lit = '';
    select();
  }, [isYours]);
  return (
    <li ref={entry} className={styles.entry} onAnimationEnd={leave}>
      <button
        type="button"
        className={styles.game}
        data-leader={isLeader || undefined}
        data-pointed={isPointed || undefined}
        onPointerEnter={select}
        onPointerLeave={leave}
        onFocus={select}
        onBlur={leave}
        onClick={select}
      >
        <svg className={styles.swatch} viewBox="0 0 8 32" preserveAspectRatio="none" aria-hidden>
          <rect width="8" height="32" fill={color} />
        </svg>
        <span className={styles.cover}>
          <CoverImage src={cover} width="64" height="36" loading="lazy" decoding="async" />
        </span>
        <span className={`row ${styles.text}`}>
          <span className={styles.name}>
            <bdi>{name}</bdi>
            {/* Names end in numbers, which a screen reader would run into the place. */}
            {votes !== undefined && <span className="visually-hidden">,</span>}
          </span>{' '}
          {votes !== undefined && (
            <span className={styles.numbers}>
              <span>{place === undefined ? votes : `${resultTexts.place(place)} · ${votes}`}</span>{' '}
              <span className={styles.share}>
                <span className={styles.dot}>· </span>
                {share}
              </span>
            </span>
          )}{' '}
          {isYours && <span className="badge">{resultTexts.yourVote}</span>}
        </span>
      </button>
    </li>
  );
});
