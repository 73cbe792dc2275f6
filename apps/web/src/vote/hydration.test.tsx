import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { createFakes } from '../../testing/render-page.tsx';
import { Page } from '../app/page.tsx';
import { prerender } from '../prerender.tsx';
import { loadList } from './nominee-list.ts';

test('W80 a list that comes while React takes over the skeleton is shown, without a mismatch', async () => {
  document.body.innerHTML = prerender('/goty');
  const { props } = createFakes();
  const shownNominees = props.nominees.state.get();
  await loadList(props.nominees);
  const errors: unknown[] = [];
  render(
    <Page
      {...props}
      shownNominees={shownNominees}
      inRouter={(app) => <MemoryRouter initialEntries={['/goty']}>{app}</MemoryRouter>}
    />,
    {
      container: document.body,
      hydrate: true,
      onRecoverableError: (error) => errors.push(error),
    },
  );
  await screen.findByRole('article', { name: 'Hades II' });
  expect(errors).toEqual([]);
});
