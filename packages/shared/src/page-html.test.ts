import { expect, test } from 'vitest';
import { fillHomeSlots, fillSlots } from './page-html.ts';

test('every slot of a name gets its value, and open ones stay', () => {
  expect(fillSlots('<a>{{x}}</a>{{x}}{{later}}', { x: '$&' }, ['later'])).toBe(
    '<a>$&</a>$&{{later}}',
  );
});

test('a slot that nothing fills is a fault', () => {
  expect(() => fillSlots('{{x}}{{y}}', { x: '1' })).toThrow('nothing fills the slot {{y}}');
});

test('a value without a slot is a fault', () => {
  expect(() => fillSlots('{{x}}', { x: '1', y: '2' })).toThrow('the HTML has no slot {{y}}');
  expect(() => fillSlots('{{x}}', { x: '1' }, ['y'])).toThrow('the HTML has no slot {{y}}');
});

test('a home fills what the build left open, with as many covers as there are', () => {
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
