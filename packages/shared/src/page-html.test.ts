import { expect, test } from 'vitest';
import { fillHomeSlots, fillSlots } from './page-html.ts';

const HOME = { live: 'event-stream', origin: 'http://a', nominees: [] } as const;
const HTML = '<html data-live="{{live}}">{{origin}}{{rehearsal}}{{preface}}';

test('every occurrence of a slot is filled, and open slots stay', () => {
  expect(fillSlots('<a>{{x}}</a>{{x}}{{later}}', { x: '$&' })).toBe('<a>$&</a>$&{{later}}');
});

test('a slot without a value is an error, and a value without a slot', () => {
  expect(() => fillHomeSlots(`${HTML}{{y}}`, HOME)).toThrow('no value for the slot {{y}}');
  expect(() => fillSlots('{{x}}', { x: '1', y: '2' })).toThrow('the HTML has no slot {{y}}');
});

test('P21 a rehearsal says so on the page and before the title of its preview', () => {
  const html = '{{live}}{{origin}}<body class="{{rehearsal}}">{{preface}}GOTY';
  const home = { ...HOME, isRehearsal: true };
  expect(fillHomeSlots(html, home)).toContain('<body class="ENSAYO">ENSAYO · GOTY');
  expect(fillHomeSlots(html, HOME)).toContain('<body class="">GOTY');
});

test.each([
  [[], '<html data-live="event-stream">http://a'],
  [['/a', '/b'], '<link rel="preload" as="image" href="/a" fetchpriority="high">'],
  [['https://c/?x="&y'], 'href="https://c/?x=&quot;&amp;y"'],
  [['javascript:b', '/b'], 'http://a'],
])('W80 of the covers %j, goty preloads the first one if it is safe', (urls, expected) => {
  const html = fillHomeSlots(`${HTML}{{cover}}`, {
    ...HOME,
    nominees: urls.map((url) => ({ url })),
  });
  expect(html).toContain(expected);
  expect(html.match(/<link/g) ?? []).toHaveLength(expected.endsWith('http://a') ? 0 : 1);
});
