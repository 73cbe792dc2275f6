import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { createFakes } from '../../testing/render-page.tsx';
import { App } from '../app/app.tsx';
import { prerender } from '../prerender.tsx';

test('W80 a list that comes while React takes over the skeleton is shown, without a mismatch', async () => {
  document.body.innerHTML = prerender('/goty');
  const { props } = createFakes();
  const shownNominees = props.nominees.state.get();
  await props.nominees.ensureLoaded();
  const errors: unknown[] = [];
  render(
    <MemoryRouter initialEntries={['/goty']}>
      <App {...props} shownNominees={shownNominees} />
    </MemoryRouter>,
    {
      container: document.body,
      hydrate: true,
      onRecoverableError: (error) => errors.push(error),
    },
  );
  await screen.findByRole('article', { name: 'Hades II' });
  expect(errors).toEqual([]);
});
