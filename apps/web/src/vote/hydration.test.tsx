import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createFakes, hydrate } from '../../testing/render-page.tsx';
import { prerender } from '../prerender.tsx';

test('W80 a list that comes while React takes over the skeleton is shown, without a mismatch', async () => {
  document.body.innerHTML = prerender('/goty');
  const { props } = createFakes();
  const shownNominees = props.nominees.state.get();
  await props.nominees.ensureLoaded();
  const errors = hydrate('/goty', { ...props, shownNominees });
  await screen.findByRole('article', { name: 'Hades II' });
  expect(errors).toEqual([]);
});
