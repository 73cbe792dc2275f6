import { resultTexts } from '@goty/shared/result-texts';
import { type CSSProperties, type RefObject, useEffect, useRef, useState } from 'react';
import { formatCount, formatVotes } from '../base/format.ts';
import { GameCover } from '../results/covers.tsx';
import { type GameView, leadersOf } from '../results/game-view.ts';
import styles from './stage.module.css';

/** Heights in rem: of the lowest and the highest row, and of the line below the rows. */
const MIN_ROW = 2.25;
const MAX_ROW = 5.4;
const MORE_LINE = 1.3;
/** The height of a line of a name, relative to the size of its type. */
const NAME_LINE = 1.2;
/** Games that have just left the ranking glide, unseen, to these rows below the last one that is shown. */
const LEAVING_ROWS = 2;

interface Props {
  readonly games: readonly GameView[];
  readonly from: number;
  readonly maxRows: number;
  readonly isSecret: boolean;
  readonly news: string | undefined;
}

/**
 * @param from where the first game of the ranking stands in the order of votes, from 0 on; the games before it stand elsewhere
 * @param maxRows the most rows. If so many fit, nothing is said of the other games
 * @param isSecret whether the vote is frozen: no game has a place then, and the rows are in the order of the ids
 * @param news the id of the game that has just taken the lead
 */
export function StageRanking({ games, from, maxRows, isSecret, news }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const { count, height } = rowsThatFit(games.length - from, useHeight(box), maxRows);
  const first = games.filter(({ at }) => at >= from && at < from + count);
  const hiddenGames = games.filter(({ at }) => at >= from + count);
  const most = leadersOf(games)[0]?.value ?? 0;
  const atOf = (game: GameView) =>
    isSecret && first.includes(game) ? first.indexOf(game) : game.at - from;
  const rowGames = games.filter((game) => game.at >= from && atOf(game) < count + LEAVING_ROWS);
  const votes = hiddenGames.reduce((sum, { value }) => sum + value, 0);
  // A name has all lines that fit above the bar. Before the first vote there is no bar, so a name has its room, too.
  const lines = Math.max(1, Math.floor((height - (most > 0 ? 1 : 0)) / NAME_LINE));
  const style = {
    '--rows': count,
    '--height': `${height}rem`,
    '--lines': lines,
    '--digits': `${formatCount(most).length}ch`,
    '--decimals': `${Math.max(...games.map(({ share }) => share.length))}ch`,
  } as CSSProperties;
  return (
    <div ref={box} className={styles.ranking} style={style} data-low={lines === 1 || undefined}>
      {/* The rows are rendered in the order of the ids, because an element that is moved in the document would not glide. */}
      <ul translate="no">
        {rowGames.map((game) => (
          <li
            key={game.id}
            className={styles.row}
            data-leader={(game.rank === 1 && !isSecret) || undefined}
            data-news={game.id === news || undefined}
            data-out={atOf(game) >= count || undefined}
            style={styleOf(game, atOf(game), most)}
          >
            {most > 0 && !isSecret && <span className={styles.place}>{game.place || '–'}</span>}
            <GameCover {...game} className={styles.cover} hasCopy />
            <div className={styles.words}>
              <bdi>{game.name}</bdi>
              {most > 0 && (
                <p>
                  <span className={styles.bar} />
                  <b>{formatCount(game.value)}</b>
                  <span>{game.share}</span>
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
      {hiddenGames.length > 0 && count > 0 && count < maxRows && (
        <p className={styles.muted}>
          {resultTexts.more(formatCount(hiddenGames.length), most > 0 ? formatVotes(votes) : '')}
        </p>
      )}
    </div>
  );
}

/** Returns the height of an element, in rem; 0 before it is known. */
function useHeight(box: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const rem = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const observer = new ResizeObserver(() => setHeight(current.clientHeight / rem()));
    observer.observe(current);
    return () => observer.disconnect();
  }, [box]);
  return height;
}

/** Returns the style of a row. A bar that is not empty is wide enough to be seen. */
function styleOf({ color, endColor, value }: GameView, at: number, most: number) {
  const part = value === 0 ? 0 : Math.max(value / most, 0.005);
  return { '--at': at, '--part': part, '--color': color, '--end': endColor } as CSSProperties;
}

/** Heights are in rem; `height` is 0 before it is known. */
export function rowsThatFit(games: number, height: number, maxRows = Infinity) {
  const wanted = Math.min(games, maxRows);
  const isAll = wanted * MIN_ROW <= height;
  const room = isAll ? height : height - MORE_LINE;
  const count = isAll ? wanted : Math.max(0, Math.floor(room / MIN_ROW));
  return { count, height: count === 0 ? 0 : Math.min(room / count, MAX_ROW) };
}
