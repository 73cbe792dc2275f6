import type { Plugin } from 'vite';
import { gameColor } from '../src/results/colors.ts';

const COLORS = 15;

/** A rule for each colour of the chart: CSS cannot pick from a list. */
export const COVER_RULES: string = Array.from(
  { length: COLORS },
  (_, at) => `li:nth-child(${COLORS}n + ${at + 1}) .frame { --game: ${gameColor(at)}; }\n`,
).join('');

/** Gives the frame of a cover the game's colour in the chart. */
export const colorCovers: Plugin = {
  name: 'color-covers',
  enforce: 'pre',
  transform(css, id) {
    if (!id.includes('/nominee-card.module.css')) return;
    return { code: css + COVER_RULES, map: null };
  },
};
