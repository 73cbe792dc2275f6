import { resolve } from 'node:path';
import { COLOR_COUNT } from '@goty/shared/nominee';
import type { Plugin } from 'vite';
import { gameColor } from '../src/base/colors.ts';

const CARDS = resolve(import.meta.dirname, '../src/vote/nominee-card.module.css');

/** A CSS rule for each colour of the chart, because the page's CSP allows no `style` in the HTML. */
const COLOR_RULES = Array.from(
  { length: COLOR_COUNT },
  (_, at) => `[data-color="${at}"] .frame { --game: ${gameColor(at)}; }\n`,
).join('');

/** A Vite plugin that adds COLOR_RULES to the cards' style sheet. If a build loads no such sheet, the build fails. */
export const colorCovers: Plugin = {
  name: 'color-covers',
  enforce: 'pre',
  transform: (css, id) =>
    id.startsWith(CARDS) ? { code: css + COLOR_RULES, map: null } : undefined,
  generateBundle() {
    if (!this.getModuleInfo(CARDS)) throw new Error(`no module of this build is ${CARDS}`);
  },
};
