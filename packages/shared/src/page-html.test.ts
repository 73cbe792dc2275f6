import { expect, test } from 'vitest';
import { fillHomeSlots, fillSlots } from './page-html.ts';

test('every occurrence of a slot is filled, and open slots stay', () => {
  expect(fillSlots('<a>{{x}}</a>{{x}}{{later}}', { x: '$&' }, ['later'])).toBe(
    '<a>$&</a>$&{{later}}',
  );
});

test('a slot without a value is an error', () => {
  expect(() => fillSlots('{{x}}{{y}}', { x: '1' })).toThrow('no value for the slot {{y}}');
});

test('a value without a slot is an error', () => {
  expect(() => fillSlots('{{x}}', { x: '1', y: '2' })).toThrow('the HTML has no slot {{y}}');
  expect(() => fillSlots('{{x}}', { x: '1' }, ['y'])).toThrow('the HTML has no slot {{y}}');
});

test('a home fills the open slots, and cover slots without a cover become empty', () => {
  const home = {
    live: 'event-stream',
    firestore: '',
    origin: 'http://a',
    covers: ['<img>'],
  } as const;
  const html = '<html data-live="{{live}}" data-firestore="{{firestore}}">{{origin}}';
  expect(fillHomeSlots(html, home)).toBe(
    '<html data-live="event-stream" data-firestore="">http://a',
  );
  expect(fillHomeSlots(`${html}|{{cover-0}}|{{cover-1}}|`, home)).toMatch(/\|<img>\|\|$/);
});
