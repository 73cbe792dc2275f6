import type { Command } from 'commander';
import { generate } from 'lean-qr';
import { changeDeskKeys, DeskFullError, makeDeskLink } from '../../src/acts/desk-keys.ts';
import { readConfig } from '../../src/operator/config.ts';
import { OperatorError } from '../../src/runtime/operator-error.ts';
import { PROJECT_ROOT } from '../../src/runtime/project-root.ts';
import { NO_KEYS } from '../../src/votes/vote-store.ts';
import { addVoteCommand, type Flags, type Target } from '../target.ts';
import { printLine } from '../terminal.ts';

/** The border that scanners need around a QR code, in modules, which are its dots (ISO/IEC 18004). */
const QUIET_MODULES = 4;
/** Each character shows two rows of a QR code: its index is 1 for a dark module above, plus 2 for a dark module below. */
const HALF_BLOCKS = ' ▀▄█';
/** Not every scanner reads inverted QR codes. Themes change the first 16 of the 256 colours, and rarely these two. */
const BLACK_ON_WHITE = '\x1b[38;5;16;48;5;231m';
const RESET = '\x1b[0m';

export function addDeskCommand(program: Command) {
  addVoteCommand(program, 'desk', desk)
    .description('print a link with which one browser may run the vote')
    .option('--off', 'end every link, and every browser that was let in');
}

async function desk({ store, project, port }: Target, { off }: Flags<'off'>) {
  if (off) {
    await store.change(changeDeskKeys(() => NO_KEYS));
    return printLine('Within 10 s, no browser and no link is let in anywhere.');
  }
  // Without a known port, that of the settings is a guess: the server may have been started with another one.
  const origin = deskOrigin(project, port > 0 ? { ...process.env, PORT: `${port}` } : process.env);
  const link = await makeDeskLink(store, origin).catch((error) => {
    throw error instanceof DeskFullError ? new OperatorError(error.message) : error;
  });
  printLine(link);
  // A pipe or a file gets no QR code, and nobody scans a link that works only on this machine.
  if (process.stdout.isTTY && link.startsWith('https:')) console.info(qrCodeText(link));
  printLine('It works once, within 15 minutes. Whoever opens it can run the vote.');
  if (link.startsWith('http:')) {
    const condition = port > 0 ? '' : `, if a server listens at ${new URL(origin).host}`;
    printLine(
      `Open it on this machine${condition}. A phone needs https and PUBLIC_URL: then there is a QR code, too.`,
    );
  }
}

function qrCodeText(url: string): string {
  const code = generate(url);
  const end = code.size + QUIET_MODULES;
  let text = '';
  for (let y = -QUIET_MODULES; y < end; y += 2) {
    text += BLACK_ON_WHITE;
    for (let x = -QUIET_MODULES; x < end; x += 1) {
      text += HALF_BLOCKS[Number(code.get(x, y)) + 2 * Number(code.get(x, y + 1))];
    }
    text += `${RESET}\n`;
  }
  return text;
}

/** @throws OperatorError for a project of the emulators, which have no https */
export function deskOrigin(project: string | undefined, environment: NodeJS.Dict<string>): string {
  const { FIRESTORE_EMULATOR_HOST, PORT, PUBLIC_URL } = environment;
  if (project !== undefined && FIRESTORE_EMULATOR_HOST) {
    throw new OperatorError(
      'The desk does not open in the emulators, which have no https. Try it with `npx -y pnpm@12 start`.',
    );
  }
  if (project !== undefined) return `https://${project}.web.app`;
  const { port, publicUrl } = readConfig({ PORT, PUBLIC_URL }, PROJECT_ROOT);
  return publicUrl?.startsWith('https:') ? publicUrl : `http://localhost:${port}`;
}
