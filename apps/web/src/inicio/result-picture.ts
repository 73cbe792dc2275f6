import { initialsOf, isCoverUrl } from '@goty/shared/nominee';
import { LANGUAGE, SITE_NAME } from '@goty/shared/protocol';
import { resultTexts, shareButtonTexts } from '@goty/shared/result-texts';
import { formatVotes } from '../base/format.ts';
import { graphemesOf } from '../base/graphemes.ts';
import { type GameView, leadersOf } from '../results/game-view.ts';
import type { Headline } from '../results/headline.ts';
import { eventColor, eventName, screenUrl } from '../share/share.ts';
import type { SavedPicture } from '../share/share-button.tsx';

const SIZE = { width: 1_200, height: 630 };
const MARGIN = 56;
const INNER = SIZE.width - 2 * MARGIN;
const COVERS = { y: 100, width: 480, height: 296 };
/** The colours of what is dark in both themes. The style sheet has loaded, because a press loads this module. */
const tokens = getComputedStyle(document.documentElement);
const PAGE = tokens.getPropertyValue('--night');
const WHITE = tokens.getPropertyValue('--night-text');
const MUTED = tokens.getPropertyValue('--night-muted');
const WARN = tokens.getPropertyValue('--night-warn');
const GOLD = tokens.getPropertyValue('--gold');
/** The most winners that have a cover, and the most games that are listed. */
const MAX_SHOWN = 3;
/** How long a press waits for the covers. */
const PATIENCE_MS = 3_000;

type Pen = CanvasRenderingContext2D;
type Room = { x?: number; width?: number; height?: number; color?: string; isRight?: true };
/** Whether the first letter of a text is of a script that is written from right to left. */
const isRightToLeft = (text: string) => /^\P{L}*[\u0590-\u08ff\ufb1d-\ufeff]/u.test(text);

/** Returns a PNG (SPEC W151); `undefined` where the browser lets no page read what it has drawn, as a guard against tracking. */
export async function drawResult(
  { title, name }: Pick<Headline, 'title' | 'name'>,
  games: readonly GameView[],
  closesAt = Date.now(),
): Promise<Blob | undefined> {
  const canvas = Object.assign(document.createElement('canvas'), SIZE);
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('The browser has no canvas.');
  const winners = leadersOf(games);
  const pictured = winners.length > MAX_SHOWN ? [] : winners;
  const fill = (fillStyle: string) =>
    Object.assign(pen, { fillStyle }).fillRect(0, 0, SIZE.width, SIZE.height);
  fill(PAGE);
  // A browser that lets no page read its drawings returns noise, or white, in place of the dark colour.
  if (pen.getImageData(0, 0, 8, 1).data.some((value, at) => at % 4 !== 3 && value > 64)) return;
  // After a tie, the picture has the colour of no game.
  if (winners.length === 1) fill(`${winners[0]?.color}40`);
  const color = eventColor();
  if (color) Object.assign(pen, { fillStyle: color }).fillRect(0, 0, SIZE.width, 12);
  const room = COVERS.height / pictured.length;
  const draw = (game: GameView, at: number) => drawCover(pen, game, COVERS.y + at * room, room - 8);
  await Promise.all(pictured.map(draw));
  const width = pictured.length > 0 ? INNER - COVERS.width - MARGIN : INNER;
  writeText(pen, eventName() ?? SITE_NAME, 44, 30, { color: MUTED, width: INNER - 200 });
  writeText(pen, document.body.dataset.rehearsal ?? '', 44, 30, { color: WARN, isRight: true });
  writeText(pen, resultTexts.winner.toUpperCase(), 100, 40, { color: GOLD });
  writeText(pen, name ?? title, 160, 76, { width, height: 224 });
  if (pictured.length === 0) {
    const tied = resultTexts.games(winners.length);
    writeText(pen, resultTexts.each(formatVotes(winners[0]?.value ?? 0), tied), 410, 34, {});
  }
  // Of the games with the same votes, all are listed or none.
  const upTo = (last: number) => games.filter(({ rank = Infinity }) => rank <= last).length;
  const listed = games.filter(({ rank }) => rank && upTo(rank) <= MAX_SHOWN);
  listed.sort((a, b) => a.at - b.at);
  for (const [index, { name, rank, place, value, share }] of listed.entries()) {
    const y = 410 + index * 48;
    const color = rank === 1 ? GOLD : WHITE;
    const figures = `${formatVotes(value)} · ${share}`;
    writeText(pen, place, y, 30, { color });
    writeText(pen, name, y, 30, { color, x: MARGIN + 60, width: 680 });
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

/** Draws the game's initials on its colour if no cover that the browser may read loads in time. `y` and `room` are in pixels. */
async function drawCover(pen: Pen, { name, color, cover = '' }: GameView, y: number, room: number) {
  const isLate = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS));
  const loaded = isCoverUrl(cover) ? loadCover(cover) : undefined;
  const image = await Promise.race([loaded, isLate]);
  const natural = image ?? { width: 16, height: 9 };
  const scale = Math.min(COVERS.width / natural.width, room / natural.height);
  const width = natural.width * scale;
  const height = natural.height * scale;
  const x = SIZE.width - MARGIN - width;
  if (image) return pen.drawImage(image, x, y, width, height);
  Object.assign(pen, { fillStyle: color, textAlign: 'center', font: fontOf(height / 3) });
  pen.fillRect(x, y, width, height);
  pen.fillStyle = WHITE;
  pen.fillText(initialsOf(name), x + width / 2, y + height * 0.62);
}

/** Loads a cover as an image that a page may read. Resolves with nothing if there is none. */
async function loadCover(cover: string): Promise<HTMLImageElement | undefined> {
  // A cached cover may lack its origin's permission to read it, so a query of its own makes the browser load it again. `fetch`
  // could bypass the cache, but the page's CSP lets it reach no other origin.
  const uncached = new URL(cover, document.baseURI);
  uncached.searchParams.append('origin', window.location.origin);
  for (const src of [cover, uncached.href]) {
    const image = Object.assign(new Image(), { crossOrigin: 'anonymous', src });
    const isDecoded = await image.decode().then(
      () => image.width > 0,
      () => false,
    );
    if (isDecoded) return image;
  }
  return undefined;
}

/**
 * @param size in pixels. If the text does not fit, it is written smaller
 * @param largest the size with which the first attempt began
 */
function writeText(pen: Pen, text: string, y: number, size: number, room: Room, largest = size) {
  const { x = MARGIN, width = INNER, height = 46, color = WHITE, isRight = false } = room;
  pen.font = fontOf(size);
  const isTooWide = (part: string) => pen.measureText(part.trim()).width > width;
  const words: string[] = text.match(/\S+\s*/g) ?? [];
  // A word is broken only if it would otherwise have less than half its size, such as a Chinese name, which has no spaces.
  const isWhole = (word: string) => size >= largest / 2 || !isTooWide(word);
  const parts = words.flatMap((word) => (isWhole(word) ? word : graphemesOf(word)));
  const { length } = breakLines(pen, parts, width);
  let narrow = width;
  while (narrow > 0 && breakLines(pen, parts, narrow - 8).length === length) narrow -= 8;
  const lines = breakLines(pen, parts, narrow);
  if (size > 8 && (lines.some(isTooWide) || length * size * 1.15 > height)) {
    return writeText(pen, text, y, size - 1, room, largest);
  }
  const direction = isRightToLeft(text) ? 'rtl' : 'ltr';
  Object.assign(pen, { fillStyle: color, textAlign: isRight ? 'right' : 'left', direction });
  const edge = isRight ? SIZE.width - MARGIN : x;
  for (const [at, line] of lines.entries()) pen.fillText(line, edge, y + size * (0.95 + at * 1.15));
}

function breakLines(pen: Pen, parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = `${lines.at(-1)}${part}`;
    const hasRoom = lines.length > 0 && pen.measureText(longer.trim()).width <= width;
    lines.splice(hasRoom ? -1 : lines.length, 1, hasRoom ? longer : part);
  }
  return lines.map((line) => line.trim());
}

const fontOf = (size: number) => `700 ${size}px system-ui, sans-serif`;

/**
 * Shares or downloads the picture, and resolves with what to tell the visitor. Must be called while a press is handled, because
 * browsers open the share sheet only then.
 *
 * @param drawn `undefined` where the browser lets no page read what it has drawn
 */
export async function savePicture(drawn: Blob | undefined): Promise<SavedPicture> {
  if (!drawn) return { message: shareButtonTexts.pictureGuarded };
  const file = new File([drawn], 'goty.png', { type: 'image/png' });
  if (await takesSheet(file)) return { message: '' };
  // The URL is not revoked, because Safari begins to read it later.
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href, download: file.name }).click();
  // No browser tells a page whether a download has saved anything, so the visitor is shown the picture, too.
  const reader = new FileReader();
  reader.readAsDataURL(file);
  await new Promise((resolve) => reader.addEventListener('loadend', resolve));
  return { message: shareButtonTexts.pictureReady, picture: String(reader.result) };
}

/** Resolves with whether the share sheet has taken the picture, or the visitor has closed the sheet. */
async function takesSheet(file: File): Promise<boolean> {
  // Without a touch screen, a sheet would replace the file. Some apps take a text alone, so the picture goes without any.
  const { share, canShare }: Partial<Navigator> = navigator;
  const data = { files: [file] };
  const isTouch = window.matchMedia('(pointer: coarse)').matches;
  if (!share || !isTouch || !canShare?.call(navigator, data)) return false;
  const isClosed = (error: Error) => error.name === 'AbortError';
  return share.call(navigator, data).then(() => true, isClosed);
}
