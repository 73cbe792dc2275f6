import { CODE_DIGITS } from '@goty/shared/voting-code';
import { expect } from 'vitest';
import { startCloudServer } from '../../testing/cloud-server.ts';
import { newProjectId, testWithFirestore as test } from '../../testing/firestore.ts';
import { NOMINEE } from '../../testing/sqlite.ts';
import { makeCodes } from '../acts/voting-codes.ts';
import { UnavailableError, type VoteStore } from '../votes/vote-store.ts';

/** Every third reply of a commit is lost, after the votes are stored. */
function losesReplies(store: VoteStore): VoteStore {
  let commits = 0;
  return {
    ...store,
    async commit(ballots) {
      const outcomes = await store.commit(ballots);
      commits += 1;
      if (commits % 3 === 0) throw new UnavailableError('the reply was lost');
      return outcomes;
    },
  };
}

test('V17 of 500 codes 480 vote at once through two instances that lose replies, with copies that arrive late: 480 ballots', async () => {
  const project = newProjectId();
  const options = { policy: 'one-per-code', project, wrap: losesReplies } as const;
  const first = await startCloudServer(options);
  const codes = await makeCodes(first.store, 500);
  const second = await startCloudServer(options);
  const voters = codes.slice(0, 480);
  const vote = async (code: string, index: number) => {
    const { send } = index % 2 === 0 ? first : second;
    const { status } = await send('POST', `/goty/${NOMINEE.id}`, {}, JSON.stringify({ code }));
    return status;
  };
  let left = voters;
  for (let turn = 0; left.length > 0; turn += 1) {
    // Who was told nothing asks the other instance.
    const statuses = await Promise.all(left.map((code, index) => vote(code, index + turn)));
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    left = left.filter((_, index) => statuses[index] !== 200);
  }
  const copies = await Promise.all(voters.map(vote));
  expect(copies.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  const wrong = Array.from(CODE_DIGITS, (digit) => `${codes[499]?.slice(0, 15)}${digit}`);
  const refused = await Promise.all(
    wrong.filter((code) => code !== codes[499]).map((code, index) => vote(code, index)),
  );
  expect(new Set(refused)).toEqual(new Set([403]));
  expect(await first.tally()).toEqual({ counted: 480, ballots: 480 });
});
