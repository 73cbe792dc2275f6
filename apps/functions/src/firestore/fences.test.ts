import { FieldValue, WriteBatch } from 'firebase-admin/firestore';
import { expect, onTestFinished, vi } from 'vitest';
import { newProjectId, openFirestore, testWithFirestore as test } from '../../testing/firestore.ts';
import { documentsOf } from './documents.ts';
import { createFences } from './fences.ts';

function setUp() {
  const documents = documentsOf(openFirestore(newProjectId()));
  const fences = createFences(documents);
  return { documents, fences, left: async () => (await documents.fences.get()).size };
}

test('F14 two commits that find the same fence gone get one new one, which goes when the instance ends', async () => {
  const { fences, left } = setUp();
  const outdated = await fences.latest();
  await outdated.fence.delete();
  const [one, other] = await Promise.all([fences.renew(outdated), fences.renew(outdated)]);
  expect(one).toBe(other);
  expect(one.fence.id).not.toBe(outdated.fence.id);
  expect(await left()).toBe(1);
  await fences.close();
  expect(await left()).toBe(0);
});

test('F14 a fence whose instance could not read what it stands for goes with the next one', async () => {
  const { documents, fences, left } = setUp();
  vi.spyOn(documents.settings, 'get').mockRejectedValueOnce(new Error('no answer'));
  await expect(fences.latest()).rejects.toThrow('no answer');
  await fences.latest();
  expect(await left()).toBe(1);
  await fences.close();
  expect(await left()).toBe(0);
});

test('V1 F14 a write of a fence that arrives once more, late, takes nothing from what it hides', async () => {
  const { fences } = setUp();
  const { commit } = WriteBatch.prototype;
  let sendAgain = async () => {};
  const spy = vi.spyOn(WriteBatch.prototype, 'commit');
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementationOnce(function (this: WriteBatch) {
    sendAgain = async () => {
      Reflect.set(this, '_committed', false);
      await commit.call(this);
    };
    return commit.call(this);
  });
  const { fence } = await fences.latest();
  await fence.update({ 'hidden.a': FieldValue.increment(2) });
  await sendAgain();
  expect((await fence.get()).get('hidden.a')).toBe(2);
});
