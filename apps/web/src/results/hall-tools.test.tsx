import { resultTexts } from '@goty/shared/result-texts';
import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { HallTools } from './results.tsx';

test('W62 the pointer hides after 3 s of stillness, until it moves or the visitor leaves', () => {
  vi.useFakeTimers();
  const { unmount } = render(<HallTools />);
  const { dataset } = document.documentElement;
  const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
  pass(2_999);
  window.dispatchEvent(new Event('pointermove'));
  pass(2_999);
  expect(dataset.pointer).toBeUndefined();
  pass(1);
  expect(dataset.pointer).toBe('still');
  window.dispatchEvent(new Event('pointermove'));
  expect(dataset.pointer).toBeUndefined();
  pass(3_000);
  unmount();
  expect(dataset.pointer).toBeUndefined();
  pass(3_000);
  expect(dataset.pointer).toBeUndefined();
});

test('W62 a button fills the screen, where the browser allows it', () => {
  const request = vi.fn(async () => {});
  const root = document.documentElement;
  const { rerender } = render(<HallTools />);
  expect(screen.queryByRole('button')).toBeNull();
  Object.assign(document, { fullscreenEnabled: true });
  Object.assign(root, { requestFullscreen: request });
  rerender(<HallTools key="again" />);
  screen.getByText(resultTexts.fullScreen).click();
  expect(request).toHaveBeenCalledOnce();
  Reflect.deleteProperty(document, 'fullscreenEnabled');
  Reflect.deleteProperty(root, 'requestFullscreen');
});
