import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { gameColor } from '../src/results/colors.ts';

/** The style sheet of the cards. */
const CARDS = resolve(import.meta.dirname, '../src/vote/nominee-card.module.css');
const COLORS = 15;

/** A rule for each colour of the chart: CSS cannot pick from a list. */
const RULES = Array.from(
  { length: COLORS },
  (_, at) => `li:nth-child(${COLORS}n + ${at + 1}) .frame { --game: ${gameColor(at)}; }\n`,
).join('');

/** Gives the frame of a cover the game's colour in the chart. A build that loads no cards fails: their sheet has moved. */
export const colorCovers: Plugin = {
  name: 'color-covers',
  enforce: 'pre',
  transform: (css, id) => (id.startsWith(CARDS) ? { code: css + RULES, map: null } : undefined),
  generateBundle() {
    if (!this.getModuleInfo(CARDS)) throw new Error(`no module of this build is ${CARDS}`);
  },
};
