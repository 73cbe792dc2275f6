import { expect, onTestFinished, test, vi } from 'vitest';
import { graphemesOf } from './graphemes.ts';

test('W147 W151 a name is cut between what readers see as letters, as far as the browser knows them', () => {
  expect(graphemesOf('e\u0301👩‍🚀क्षा')).toEqual(['e\u0301', '👩‍🚀', 'क्षा']);
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('Intl', {});
  expect(graphemesOf('é🎮')).toEqual(['é', '🎮']);
});
