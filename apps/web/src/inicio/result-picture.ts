import { initialsOf, isCoverUrl } from '@goty/shared/nominee';
import { LANGUAGE, SITE_NAME } from '@goty/shared/protocol';
import { resultTexts } from '@goty/shared/result-texts';
import { formatVotes } from '../base/format.ts';
import { type GameView, leadersOf } from '../results/game-view.ts';
import type { Headline } from '../results/headline.ts';
import { eventName, screenUrl } from '../share/share.ts';

const SIZE = { width: 1_200, height: 630 };
const MARGIN = 56;
const INNER = SIZE.width - 2 * MARGIN;
const COVERS = { y: 100, width: 480, height: 296 };
/** The colours of what is dark in both themes. They are there: this module loads on a press. */
const tokens = getComputedStyle(document.documentElement);
const PAGE = tokens.getPropertyValue('--night');
const WHITE = tokens.getPropertyValue('--night-text');
const MUTED = tokens.getPropertyValue('--night-muted');
const GOLD = tokens.getPropertyValue('--gold');
/** How many winners have a cover, and how many games are listed. */
const MAX_SHOWN = 3;
/** How long a press waits for covers. */
const PATIENCE_MS = 3_000;

type Pen = CanvasRenderingContext2D;
type Room = Readonly<{ width?: number; height?: number; color?: string; isRight?: boolean }>;

/**
 * Draws a result that is shown, to be carried away (SPEC W151).
 *
 * @param closesAt in milliseconds since the Unix epoch
 * @returns a PNG
 */
export async function drawResult(
  { title, name }: Pick<Headline, 'title' | 'name'>,
  games: readonly GameView[],
  closesAt = Date.now(),
): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), SIZE);
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('The browser has no canvas.');
  const winners = leadersOf(games);
  const pictured = winners.length > MAX_SHOWN ? [] : winners;
  // A tie has no game's colour.
  for (const fillStyle of [PAGE, winners.length === 1 ? `${winners[0]?.color}40` : PAGE]) {
    Object.assign(pen, { fillStyle }).fillRect(0, 0, SIZE.width, SIZE.height);
  }
  const room = COVERS.height / pictured.length;
  const draw = (game: GameView, at: number) => drawCover(pen, game, COVERS.y + at * room, room - 8);
  await Promise.all(pictured.map(draw));
  const width = pictured.length > 0 ? INNER - COVERS.width - MARGIN : INNER;
  writeText(pen, eventName() ?? SITE_NAME, 44, 30, { color: MUTED });
  writeText(pen, resultTexts.winner.toUpperCase(), 100, 40, { color: GOLD });
  writeText(pen, name ?? title, 160, 76, { width, height: 224 });
  if (pictured.length === 0) {
    const tied = resultTexts.games(winners.length);
    writeText(pen, resultTexts.each(formatVotes(winners[0]?.value ?? 0), tied), 410, 34);
  }
  // Of games with the same votes all are listed, or none.
  const upTo = (last: number) => games.filter(({ rank = Infinity }) => rank <= last).length;
  const listed = games.filter(({ rank }) => rank && upTo(rank) <= MAX_SHOWN);
  listed.sort((a, b) => a.at - b.at);
  for (const [index, { name, rank, place, value, share }] of listed.entries()) {
    const y = 410 + index * 48;
    const color = rank === 1 ? GOLD : WHITE;
    const figures = `${formatVotes(value)} · ${share}`;
    writeText(pen, `${place}  ${name}`, y, 30, { color, width: 740 });
    writeText(pen, figures, y, 30, { color, width: 330, isRight: true });
  }
  const total = resultTexts.total(formatVotes(games.reduce((sum, game) => sum + game.value, 0)));
  const day = new Date(closesAt).toLocaleDateString(LANGUAGE, { dateStyle: 'long' });
  const address = screenUrl('/inicio')?.replace(/^.*\/\//, '') ?? '';
  const foot = { color: MUTED, width: 620 };
  writeText(pen, `${total} · ${day}`, 568, 26, foot);
  writeText(pen, address, 568, 26, { ...foot, isRight: true });
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The canvas is empty.')))),
  );
}

/** Draws a whole cover, or the game's initials on its colour if none comes soon that the browser may read. */
async function drawCover(pen: Pen, { name, color, cover = '' }: GameView, y: number, room: number) {
  const src = isCoverUrl(cover) ? cover : '';
  // A browser hands out no picture with a cover whose origin does not allow that.
  const image = Object.assign(new Image(), { crossOrigin: 'anonymous', src });
  const decoded = image.decode().then(
    () => image.width > 0,
    () => false,
  );
  const isLate = new Promise<false>((resolve) => setTimeout(resolve, PATIENCE_MS, false));
  const natural = (await Promise.race([decoded, isLate])) ? image : { width: 16, height: 9 };
  const scale = Math.min(COVERS.width / natural.width, room / natural.height);
  const width = natural.width * scale;
  const height = natural.height * scale;
  const x = SIZE.width - MARGIN - width;
  if (natural === image) return pen.drawImage(image, x, y, width, height);
  Object.assign(pen, { fillStyle: color, textAlign: 'center', font: fontOf(height / 3) });
  pen.fillRect(x, y, width, height);
  pen.fillStyle = WHITE;
  pen.fillText(initialsOf(name), x + width / 2, y + height * 0.62);
}

/** Writes a text whole, from `y` down, as large as it has room for, in lines of about the same length. */
function writeText(pen: Pen, text: string, y: number, size: number, room: Room = {}) {
  const { width = INNER, height = 46, color = WHITE, isRight = false } = room;
  pen.font = fontOf(size);
  const { length } = breakLines(pen, text, width);
  let narrow = width;
  while (narrow > 0 && breakLines(pen, text, narrow - 8).length === length) narrow -= 8;
  const lines = breakLines(pen, text, narrow);
  const isTooWide = lines.some((line) => pen.measureText(line).width > width);
  if (size > 8 && (isTooWide || length * size * 1.15 > height)) {
    return writeText(pen, text, y, size - 1, room);
  }
  Object.assign(pen, { fillStyle: color, textAlign: isRight ? 'right' : 'left' });
  const x = isRight ? SIZE.width - MARGIN : MARGIN;
  for (const [at, line] of lines.entries()) pen.fillText(line, x, y + size * (0.95 + at * 1.15));
}

function breakLines(pen: Pen, text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    const hasRoom = lines.length > 0 && pen.measureText(longer).width <= width;
    lines.splice(hasRoom ? -1 : lines.length, 1, hasRoom ? longer : word);
  }
  return lines;
}

const fontOf = (size: number) => `700 ${size}px system-ui, sans-serif`;
