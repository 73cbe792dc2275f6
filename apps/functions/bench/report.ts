import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parse, View } from 'vega';
import { compile } from 'vega-lite';
import { PROJECT_ROOT } from '../src/runtime/project-root.ts';
import { type Figure, rowOf } from './figure.ts';
import type { Growth } from './growth.ts';
import type { SelfTime } from './profile.ts';

const DOCS = join(PROJECT_ROOT, 'docs');
const FILE = join(DOCS, 'performance.md');
const PICTURES = 'performance';

export interface Report {
  readonly figures: readonly Figure[];
  readonly growths: readonly Growth[];
  readonly profiles: readonly { readonly title: string; readonly times: readonly SelfTime[] }[];
}

/** Writes the measured parts of docs/performance.md, each between its marks, and the pictures. */
export async function writeReport({ figures, growths, profiles }: Report) {
  mkdirSync(join(DOCS, PICTURES), { recursive: true });
  for (const growth of growths) {
    writeFileSync(join(DOCS, PICTURES, `${growth.name}.svg`), await draw(growth));
  }
  let text = readFileSync(FILE, 'utf8');
  if (figures.length > 0) text = replacePart(text, 'figures', figuresPart(figures));
  if (growths.length > 0) {
    const images = growths.map(
      ({ name, title }) => `![Votes a second by ${title}](${PICTURES}/${name}.svg)`,
    );
    text = replacePart(text, 'growth', images.join('\n\n'));
  }
  if (profiles.length > 0) {
    text = replacePart(text, 'profiles', profiles.map(profilePart).join('\n\n'));
  }
  writeFileSync(FILE, text);
}

function figuresPart(figures: readonly Figure[]): string {
  const [processor] = cpus();
  const rows = figures.map(rowOf);
  const made = `Measured on ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} cores (${processor?.model.trim()}).`;
  return `${made}\n\n${table(Object.keys(rows[0] ?? {}), rows.map(Object.values))}`;
}

function profilePart({ title, times }: Report['profiles'][number]): string {
  const rows = times.map(({ name, share }) => [`\`${name}\``, `${(share * 100).toFixed(1)} %`]);
  return table([title, 'self time'], rows);
}

function table(names: readonly string[], rows: readonly (readonly string[])[]): string {
  return [names, names.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function replacePart(text: string, name: string, part: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [before, after] = [text.indexOf(start), text.indexOf(end)];
  if (before < 0 || after < 0) throw new Error(`${FILE} has no place for ${name}`);
  return `${text.slice(0, before + start.length)}\n\n${part}\n\n${text.slice(after)}`;
}

/** A line chart as SVG. White behind it: it is also read in dark mode. */
function draw({ title, points }: Growth): Promise<string> {
  const hasZero = points.some(({ at }) => at === 0);
  const { spec } = compile({
    width: 480,
    height: 200,
    background: 'white',
    data: { values: points.map(({ at, ratio }) => ({ at, ratio })) },
    mark: { type: 'line', point: true },
    encoding: {
      x: { field: 'at', type: 'quantitative', title, scale: { type: hasZero ? 'symlog' : 'log' } },
      y: {
        field: 'ratio',
        type: 'quantitative',
        title: "votes a second / Express 'hello'",
        scale: { domainMin: 0 },
      },
    },
  });
  return new View(parse(spec), { renderer: 'none' }).toSVG();
}
