import { resultTexts } from '@goty/shared/result-texts';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest';
import { watchBareTexts } from './bare-texts.ts';

// The one limit of every wait. Only a test that fails takes that long.
configure({ asyncUtilTimeout: 60_000 });

// As the server fills it in: the tests' own address is on localhost.
document.head.innerHTML = '<link rel="canonical" href="https://goty.example/inicio">';

// jsdom neither scrolls nor draws; the end-to-end tests cover both.
window.scrollTo = () => {};
HTMLImageElement.prototype.decode = async () => {};
Element.prototype.scrollIntoView = () => {};
vi.mock('../src/inicio/chart.tsx', () => ({
  ResultsChart: () => <canvas aria-label={resultTexts.chartLabel} />,
}));

// Nor does it know media queries. Nothing moves, unless a test asks for it.
Object.assign(window, {
  matchMedia: (query: string) => ({
    matches: query.includes('reduced-motion'),
    addEventListener() {},
  }),
});

// React reports mistakes to the console, so anything logged there fails the test.
let logs: MockInstance[] = [];
/** Whatever a test renders has to be safe from translators (SPEC W140). */
let takeBareTexts: () => string[];
beforeEach(() => {
  takeBareTexts = watchBareTexts();
  logs = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')];
});

// All files share one page.
afterEach(() => {
  const bareTexts = takeBareTexts();
  cleanup();
  // A spy on a fake timer would bring it back later.
  vi.restoreAllMocks();
  vi.useRealTimers();
  localStorage.clear();
  sessionStorage.clear();
  delete document.documentElement.dataset.live;
  document.body.replaceChildren();
  for (const log of logs) expect(log).not.toHaveBeenCalled();
  expect(bareTexts).toEqual([]);
});
