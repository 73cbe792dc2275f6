import { type Standing, totalVotes } from '@goty/shared/game';
import type { Nominee } from '@goty/shared/nominee';
import { resultTexts } from '@goty/shared/result-texts';
import { stageTexts } from '@goty/shared/stage-texts';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { CoverImage } from '../base/cover-image.tsx';
import { formatCount, formatVotes, shareFormat } from '../base/format.ts';
import { initialsOf } from '../live/nominees.ts';
import { rankStandings } from '../live/ranking.ts';
import { BAR_END_COLORS, gameColor } from '../results/colors.ts';
import styles from './stage.module.css';

/** In rem: what a row is high at least and at most, and the line below. */
const MIN_ROW = 2.25;
const MAX_ROW = 4.5;
const MORE = 1.3;
/** Those that have just left wait below the edge. */
const LEAVING_ROWS = 2;

/** A game as the stage shows it. Games with the same votes share a rank, but stand one after the other, from 0 on. */
export type StageRow = ReturnType<typeof rowsOf>[number];

/** Returns the rows of all games, in the order of the ids. */
export function rowsOf(standings: readonly Standing[], nominees: readonly Nominee[] = []) {
  const { rankOf } = rankStandings(standings);
  const formatShare = shareFormat(standings);
  const byVotes = [...standings].sort((a, b) => b.votos - a.votos);
  return standings.map((game, index) => {
    const rank = rankOf(game.votos);
    const place = rank === undefined ? '–' : resultTexts.place(rank);
    const [color, end] = [gameColor(index), gameColor(index, BAR_END_COLORS)];
    const [share, cover] = [
      formatShare(game.votos),
      nominees.find(({ id }) => id === game.id)?.url,
    ];
    return { ...game, at: byVotes.indexOf(game), rank, place, color, end, share, cover };
  });
}

interface Props {
  readonly rows: readonly StageRow[];
  readonly from: number;
  readonly isSecret: boolean;
  readonly news: string | undefined;
}

/**
 * The games that lead, by votes, as many as there is room for. When one passes another, both glide to their new places.
 *
 * @param from the first of them; those before stand elsewhere
 * @param isSecret while the vote is frozen, nobody has a place, and the order is that of the ids
 * @param news who has just taken the lead
 */
export function StageRanking({ rows, from, isSecret, news }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const rem = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const observer = new ResizeObserver(() => setRoom(current.clientHeight / rem()));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  const { count, height } = rowsThatFit(rows.length - from, room);
  const first = rows.filter(({ at }) => at >= from && at < from + count);
  const rest = rows.filter(({ at }) => at >= from + count);
  const most = Math.max(...rows.map(({ votos }) => votos));
  const atOf = (row: StageRow) =>
    isSecret && first.includes(row) ? first.indexOf(row) : row.at - from;
  const shown = rows.filter((row) => row.at >= from && atOf(row) < count + LEAVING_ROWS);
  const size = { '--rows': count, '--height': `${height}rem` } as CSSProperties;
  const more = most > 0 ? formatVotes(totalVotes(rest)) : '';
  const digits = { minWidth: `${formatCount(most).length}ch` };
  const decimals = { minWidth: `${Math.max(...rows.map(({ share }) => share.length))}ch` };
  return (
    <div ref={box} className={styles.ranking} style={size}>
      {/* In the order of the ids: an element that is moved in the document would not glide. */}
      <ul translate="no">
        {shown.map((row) => (
          <li
            key={row.id}
            className={styles.row}
            data-leader={(row.rank === 1 && !isSecret) || undefined}
            data-news={row.id === news || undefined}
            style={styleOf(row, atOf(row), most)}
          >
            {most > 0 && !isSecret && <span className={styles.muted}>{row.place}</span>}
            <StageCover {...row} />
            <div className={styles.words}>
              <bdi>{row.name}</bdi>
              {most > 0 && (
                <p>
                  <span className={styles.bar} />
                  <b style={digits}>{formatCount(row.votos)}</b>
                  <span style={decimals}>{row.share}</span>
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
      {rest.length > 0 && room > 0 && (
        <p className={styles.muted}>{stageTexts.more(formatCount(rest.length), more)}</p>
      )}
    </div>
  );
}

/** The whole cover, before itself, blurred, where it leaves room; initials until it is there. Decorative. */
export function StageCover({ color, name, cover }: Pick<StageRow, 'color' | 'name' | 'cover'>) {
  return (
    <div className={styles.cover} style={{ color }} data-initials={initialsOf(name)}>
      <CoverImage src={cover} />
      <CoverImage src={cover} />
    </div>
  );
}

/** A bar that is not empty is seen. */
function styleOf({ color, end, votos }: StageRow, at: number, most: number) {
  const part = votos === 0 ? 0 : Math.max(votos / most, 0.005);
  return { '--at': at, '--part': part, '--color': color, '--end': end } as CSSProperties;
}

/** Returns how many rows are shown, whole, and how high each is, in rem; none before the room is known. */
export function rowsThatFit(games: number, height: number) {
  const isAll = games * MIN_ROW <= height;
  const room = isAll ? height : height - MORE;
  const count = isAll ? games : Math.max(0, Math.floor(room / MIN_ROW));
  return { count, height: count === 0 ? 0 : Math.min(room / count, MAX_ROW) };
}
