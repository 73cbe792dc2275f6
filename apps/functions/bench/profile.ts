import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Context } from './figure.ts';
import { folder } from './processes/pinned.ts';
import { using, warmUp } from './processes/programs.ts';

/** How much of the server's busy time is spent in a function itself, without what it calls. */
export interface SelfTime {
  readonly name: string;
  readonly share: number;
}

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const ROUNDS = 4;

/** The largest self times of a server that counts votes from 64 connections (`node --cpu-prof`). */
export async function profileVotes(context: Context, top: number): Promise<SelfTime[]> {
  const profiles = mkdtempSync(join(folder, 'profile-'));
  {
    await using processes = using();
    const client = processes.client();
    const ours = await processes.home({ ...context, profile: profiles });
    await warmUp(client, ours);
    for (let round = 0; round < ROUNDS; round += 1) {
      await client.send(ours, { connections: 64, ms: context.ms });
    }
  }
  const [file = ''] = readdirSync(profiles);
  const profile: Profile = JSON.parse(readFileSync(join(profiles, file), 'utf8'));
  return selfTimes(profile).slice(0, top);
}

function selfTimes({ nodes, samples, timeDeltas }: Profile): SelfTime[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  let busy = 0;
  samples.forEach((id, index) => {
    const name = names.get(id) ?? '';
    const time = timeDeltas[index] ?? 0;
    if (name === '(idle)') return;
    busy += time;
    times.set(name, (times.get(name) ?? 0) + time);
  });
  return [...times]
    .map(([name, time]) => ({ name, share: time / busy }))
    .toSorted((a, b) => b.share - a.share);
}

function nameOf({ functionName, url }: Profile['nodes'][number]['callFrame']): string {
  const name = functionName || 'anonymous';
  return url === '' ? name : `${name} (${basename(url)})`;
}
