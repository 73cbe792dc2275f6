import { expect, test } from 'vitest';
import { fillHomeSlots, fillSlots } from './page-html.ts';
import { SITE_NAME } from './protocol.ts';
import { metadata, PREVIEW_TITLE } from './texts.ts';

const HOME = { live: 'event-stream', origin: 'http://a', nominees: [] } as const;
const HTML =
  '<html data-live="{{live}}">{{origin}}{{eventColor}}{{rehearsal}}{{site}}{{preview}}{{previewText}}';

test('every occurrence of a slot is filled, and open slots stay', () => {
  expect(fillSlots('<a>{{x}}</a>{{x}}{{later}}', { x: '$&' })).toBe('<a>$&</a>$&{{later}}');
});

test('a slot without a value is an error, and a value without a slot', () => {
  expect(() => fillHomeSlots(`${HTML}{{y}}`, HOME)).toThrow('no value for the slot {{y}}');
  expect(() => fillSlots('{{x}}', { x: '1', y: '2' })).toThrow('the HTML has no slot {{y}}');
});

test('P21 a rehearsal says so on the page and before the title of its preview', () => {
  const html = `${HTML}<body class="{{rehearsal}}"><b title="{{preview}}">`;
  const home = { ...HOME, isRehearsal: true };
  const told = (mark: string) => `<body class="${mark}"><b title="${mark && `${mark} · `}`;
  expect(fillHomeSlots(html, home)).toContain(`${told('ENSAYO')}${PREVIEW_TITLE}">`);
  expect(fillHomeSlots(html, HOME)).toContain(`${told('')}${PREVIEW_TITLE}">`);
});

test('W149 the name of the event stands in the HTML as text, for the page and before what the preview of a link says', () => {
  const html = `${HTML}<b class="{{site}}" title="{{preview}}" lang="{{previewText}}">`;
  const attributesOf = (home: Parameters<typeof fillHomeSlots>[1]) => {
    const parsed = /<b class="([^"]*)" title="([^"]*)" lang="([^"]*)">$/.exec(
      fillHomeSlots(html, home),
    );
    return parsed?.slice(1);
  };
  const { description } = metadata;
  expect(attributesOf(HOME)).toEqual([SITE_NAME, PREVIEW_TITLE, description]);
  const name = 'Gala "$&" <b> \'{{x}}\'';
  const escaped = "Gala &quot;$&amp;&quot; &lt;b> '{{x}}'";
  expect(attributesOf({ ...HOME, eventName: name, isRehearsal: true })).toEqual([
    escaped,
    `ENSAYO · ${escaped} · ${PREVIEW_TITLE}`,
    `${escaped}. ${description}`,
  ]);
  // A name that ends in a full stop has no second one.
  expect(attributesOf({ ...HOME, eventName: 'Gala, S.A.' })?.[2]).toBe(`Gala, S.A. ${description}`);
  expect(() => attributesOf({ ...HOME, eventColor: '" onload="' })).toThrow('must be a colour');
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
