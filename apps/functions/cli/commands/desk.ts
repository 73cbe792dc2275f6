import type { Command } from 'commander';
import { readConfig } from '../../src/operator/config.ts';
import { PROJECT_ROOT } from '../../src/runtime/project-root.ts';
import { changeDeskKeys, makeDeskLink } from '../../src/votes/desk-keys.ts';
import { NO_KEYS } from '../../src/votes/vote-store.ts';
import { addVoteCommand, type Flags, type Target } from '../target.ts';
import { printLine } from '../terminal.ts';

export function addDesk(program: Command) {
  addVoteCommand(program, 'desk', desk)
    .description('print a link with which one browser may run the vote')
    .option('--off', 'end every link, and every browser that was let in');
}

async function desk({ store, project }: Target, { off }: Flags<'off'>) {
  if (off) {
    await store.change(changeDeskKeys(() => NO_KEYS));
    return printLine('Within 10 s, no browser and no link is let in anywhere.');
  }
  const { PORT, PUBLIC_URL } = process.env;
  const { port, publicUrl } = readConfig({ PORT, PUBLIC_URL }, PROJECT_ROOT);
  const local = publicUrl?.startsWith('https:') ? publicUrl : `http://localhost:${port}`;
  const origin = project === undefined ? local : `https://${project}.web.app`;
  const link = await makeDeskLink(store, origin);
  printLine(link);
  printLine('It works once, within 15 minutes. Whoever opens it can run the vote.');
  if (link.startsWith('http:'))
    printLine(
      `Open it on this machine, if the server has port ${port}. A phone needs https and PUBLIC_URL.`,
    );
}
