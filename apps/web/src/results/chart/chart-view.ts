import type { ChartDatum, Standing } from '@goty/shared/game';
import { toChartDatum } from '@goty/shared/parse';
import { resultTexts } from '@goty/shared/result-texts';
import { formatCount, shareFormat } from '../../base/format.ts';
import { type Ranking, rank } from '../../live/ranking.ts';
import { barEndColor, gameColor } from './bar-colors.ts';
import { type BarLabel, labelWidth } from './bar-labels.ts';
import type { ChartTheme } from './use-chart-theme.ts';

const USUAL_GAIN = '+99';
/** A bar with a smaller share of the leader's votes has room for its own badge. */
const LONG_BAR = 0.75;

export interface ChartInput {
  readonly standings: readonly Standing[];
  readonly theme: ChartTheme;
  /** The rows to draw, by default all. Axes, ranks and shares are those of all standings. */
  readonly rows?: { readonly first: number; readonly count: number };
  /** The standings that gains are shown since. */
  readonly earlier?: readonly Standing[];
  /** The id of the game that the visitor voted for. */
  readonly yourVote?: string | undefined;
  /** Whether the bars of the others step back behind those that have won. */
  readonly isWon?: boolean;
}

/** What the chart shows. Its data, axes and labels are functions of this. */
export interface ChartView extends Pick<Ranking, 'total' | 'most'> {
  readonly theme: ChartTheme;
  readonly rows: readonly Row[];
  readonly formatShare: (votes: number) => string;
  /** Whether there are more games than rows. */
  readonly isScrolling: boolean;
  readonly names: readonly string[];
  /** The width that is kept for labels beside bars, in pixels. */
  readonly labelRoom: (ctx: CanvasRenderingContext2D) => number;
}

export interface Row extends BarLabel, ChartDatum {
  readonly color: string;
  /** The colour in which its bar ends. */
  readonly endColor: string;
  readonly isDimmed: boolean;
  /** '2.º' */
  readonly place: string;
}

export function chartView(input: ChartInput): ChartView {
  const { standings, theme, rows = { first: 0, count: standings.length } } = input;
  const { yourVote, isWon = false } = input;
  const { total, most, rankOf } = rank(standings);
  const formatShare = shareFormat(standings);
  const before = new Map(input.earlier?.map(({ id, votos }) => [id, votos]));
  const shown = standings.slice(rows.first, rows.first + rows.count);
  const yours = standings.find(({ id }) => id === yourVote);

  return {
    theme,
    total,
    most,
    formatShare,
    isScrolling: shown.length < standings.length,
    names: standings.map(({ name }) => name),
    // The leader's label fits, also with the badge and the gain, which come and go.
    labelRoom: (ctx) =>
      labelWidth(
        ctx,
        {
          votes: formatCount(most),
          share: formatShare(most),
          gain: USUAL_GAIN,
          isLeader: true,
          isYours: yours !== undefined && yours.votos >= LONG_BAR * most,
        },
        theme,
      ),
    rows: shown.map((game, index) => {
      const { id, votos } = game;
      const gain = votos - (before.get(id) ?? votos);
      return {
        ...toChartDatum(game),
        color: gameColor(rows.first + index),
        endColor: barEndColor(rows.first + index, theme.isDark),
        isDimmed: isWon && votos < most,
        place: place(rankOf(votos)),
        votes: formatCount(votos),
        share: theme.isNarrow ? undefined : formatShare(votos),
        gain: gain > 0 ? `+${formatCount(gain)}` : undefined,
        isLeader: votos > 0 && votos === most,
        isYours: id === yourVote,
      };
    }),
  };

  /** Places stand in a column, with a dash for none. On a phone they come before the names. */
  function place(rank: number | undefined): string {
    if (total === 0 || (theme.isNarrow && rank === undefined)) return '';
    const text = rank === undefined ? '–' : resultTexts.place(rank);
    // A space as wide as a digit.
    return text.padStart(String(standings.length).length + 2, '\u2007');
  }
}
