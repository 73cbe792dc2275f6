import { gotyTexts } from '@goty/shared/goty-texts';
import { apiTexts, texts } from '@goty/shared/texts';
import { voteTexts } from '@goty/shared/vote-texts';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderGoty } from '../../testing/render-page.tsx';
import { breakDown } from '../../testing/stub-fetch.ts';
import { takeCode } from '../base/take-code.ts';
import { createLastVote } from '../live/last-vote.ts';

const CODE = '0A1B-2C3D-4E5F-6G7H';
const DIGITS = CODE.replaceAll('-', '');
const BY_CODE = { onePerVisitor: true, needsCode: true } as const;
const { label, hint, send, other, back, incomplete } = gotyTexts.code;

/** The server knows one code, until it is ended. Resolves with goty, and the codes that were asked for. */
async function openGoty() {
  const asked: string[] = [];
  let isEnded = false;
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit) => {
    const { code } = JSON.parse(String(body));
    asked.push(code);
    if (code === DIGITS && !isEnded)
      return Response.json({ ok: true, mensaje: apiTexts.codeValid });
    const mensaje = code === DIGITS ? apiTexts.codeEnded : apiTexts.codeWrong;
    return Response.json({ ok: false, mensaje }, { status: 403 });
  });
  const page = await renderGoty({
    vote: async () => ({ ok: !isEnded, mensaje: 'Dicho', votedAt: 5 }),
  });
  await page.setStatus({ ...BY_CODE, voteId: 'v' });
  return {
    ...page,
    asked,
    end() {
      isEnded = true;
    },
  };
}

test('W153 without a code goty has a field for it, and the cards say that one is needed', async () => {
  const { user, card, asked, setStatus } = await openGoty();
  const field = await screen.findByRole('textbox', { name: label });
  screen.getByText(texts.goty.onePerCode);
  await within(card).findByText(hint);
  screen.getByText(gotyTexts.code.needed);
  await user.type(field, '0a1b-2c3d{Enter}');
  screen.getByText(incomplete);
  expect(asked).toEqual([]);
  await user.clear(field);
  await user.type(field, '7777 7777 7777 7777');
  await user.click(screen.getByRole('button', { name: send }));
  await screen.findByText(apiTexts.codeWrong);
  await user.clear(field);
  await user.type(field, 'oaib 2c3d 4e5f 6g7h{Enter}');
  await screen.findByText(apiTexts.codeValid);
  expect(asked).toEqual(['7'.repeat(16), DIGITS]);
  expect(screen.queryByRole('textbox')).toBeNull();
  within(card).getByText(texts.goty.hints.open);
  await user.click(within(card).getByRole('button'));
  await screen.findByRole('complementary', { name: texts.goty.yourVote });
  expect(screen.queryByText(apiTexts.codeValid)).toBeNull();
  // After the close, nobody is asked for one.
  await setStatus({ ...BY_CODE, voteId: 'v', phase: 'closed' });
  expect(screen.queryByRole('button', { name: other })).toBeNull();
});

test('W153 W119 before the opening a code can be given, and the countdown stays', async () => {
  const { setStatus } = await openGoty();
  const soon = { phase: 'before', opensAt: performance.now() + 3_600_000 } as const;
  await setStatus({ ...BY_CODE, voteId: 'v', ...soon });
  await screen.findByRole('timer');
  screen.getByRole('textbox', { name: label });
});

test('W153 W33 a bar that says that there is no connection leaves the one for the code where it is', async () => {
  const { emit } = await openGoty();
  const field = await screen.findByRole('textbox', { name: label });
  const section = field.closest('section');
  await emit({ standings: [], connection: 'offline' });
  await screen.findByText(voteTexts.failures.unreachable);
  expect(section?.dataset.bar).toBe('offline');
  await emit();
  expect(screen.queryByText(voteTexts.failures.unreachable)).toBeNull();
  expect(section?.dataset.bar).toBe('');
});

test('W153 the code of a link is taken off the address, and with another one than before no card has the vote', async () => {
  const lastVote = createLastVote();
  lastVote.setCode('7777-7777-7777-7777');
  localStorage.setItem('goty-last-vote', `hades-2 5 v  ${'7'.repeat(16)}`);
  window.history.replaceState(null, '', `/goty#codigo=${CODE}&utm_source=qr`);
  takeCode(lastVote.setCode);
  expect(window.location.href).not.toContain('codigo');
  const { card, asked } = await openGoty();
  await screen.findByText(apiTexts.codeValid);
  expect(asked).toEqual([DIGITS]);
  within(card).getByText(texts.goty.hints.open);
});

test('W153 the same code again leaves the vote, and another visitor can give theirs', async () => {
  const lastVote = createLastVote();
  lastVote.setCode(CODE);
  localStorage.setItem('goty-last-vote', `hades-2 5 v  ${DIGITS}`);
  lastVote.setCode(CODE.toLowerCase());
  const { user, card, asked } = await openGoty();
  await screen.findByRole('complementary', { name: texts.goty.yourVote });
  within(card).getByText(texts.goty.afterVote.own.hint);
  expect(asked).toEqual([DIGITS]);
  await user.click(screen.getByRole('button', { name: other }));
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: label });
  expect(field.value).toBe('');
  await user.type(field, '7777-7777-7777-7777{Enter}');
  await screen.findByText(apiTexts.codeWrong);
  // Theirs is still there.
  within(card).getByText(texts.goty.afterVote.own.hint);
  await user.click(screen.getByRole('button', { name: back }));
  expect(lastVote.code()).toBe(DIGITS);
  expect(screen.queryByRole('textbox')).toBeNull();
});

test('W153 after a vote that was refused, the browser asks whether its code has ended', async () => {
  createLastVote().setCode(CODE);
  const { user, card, asked, end } = await openGoty();
  await screen.findByText(apiTexts.codeValid);
  end();
  await user.click(within(card).getByRole('button'));
  await screen.findByText(apiTexts.codeEnded);
  expect(asked).toEqual([DIGITS, DIGITS]);
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe(CODE);
});

test('W153 once its code was revoked, which voids its vote, goty does not say that one has voted', async () => {
  localStorage.setItem('goty-last-vote', `hades-2 5 v  ${DIGITS}`);
  createLastVote().setCode(CODE);
  const { user, end } = await openGoty();
  await screen.findByRole('complementary', { name: texts.goty.yourVote });
  end();
  await user.click(screen.getByRole('button', { name: 'Cambiar Blue Prince' }));
  await screen.findByText(apiTexts.codeEnded);
  expect(screen.queryByText(/Has votado por/)).toBeNull();
  expect(screen.queryByRole('complementary', { name: texts.goty.yourVote })).toBeNull();
});

test('W153 where nothing is stored, the code stays in the address and goes with each vote', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('full');
  });
  window.history.replaceState(null, '', `/goty#codigo=${CODE}`);
  const lastVote = createLastVote();
  takeCode(lastVote.setCode);
  expect(window.location.hash).toBe(`#codigo=${CODE}`);
  expect(lastVote.toSend()).toEqual({ code: DIGITS });
});

test('W153 a code that could not be asked for is kept, and nobody is told that one is missing', async () => {
  createLastVote().setCode(CODE);
  breakDown();
  const { user, card, setStatus } = await renderGoty();
  await setStatus({ ...BY_CODE, voteId: 'v' });
  await user.click(await screen.findByRole('button', { name: other }));
  within(card).getByText(texts.goty.hints.open);
  await user.type(screen.getByRole('textbox', { name: label }), 'oaib2c3d4e5f6g7z{Enter}');
  await screen.findByText(voteTexts.failures.unreachable);
  expect(localStorage.getItem('goty-code')).toBe('0A1B2C3D4E5F6G7Z');
});

test.each(['x', '0A1B%202C3D', 'A'.repeat(1_100)])(
  'W153 a link whose code cannot be one leaves the code that is there: %j',
  (text) => {
    const lastVote = createLastVote();
    lastVote.setCode(CODE);
    window.history.replaceState(null, '', `/goty#codigo=${text}`);
    takeCode(lastVote.setCode);
    expect(lastVote.toSend()).toEqual({ code: DIGITS });
    expect(window.location.hash).toBe(`#codigo=${text}`);
  },
);
