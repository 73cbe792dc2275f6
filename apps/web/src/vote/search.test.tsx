import { buildNominee } from '@goty/shared/testing/nominee';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';

const MANY = Array.from({ length: 25 }, (_, at) =>
  buildNominee({ id: `g${at}`, name: at < 2 ? `Pokémon Ñandú ${at}` : `Juego ${at}` }),
);

async function renderMany(count: number) {
  const page = renderPage({ path: '/goty', load: async () => MANY.slice(0, count) });
  expect(await screen.findAllByRole('article')).toHaveLength(count);
  return page;
}

test('W122 more than 24 games can be searched, whatever accents and case', async () => {
  const { user, votes } = await renderMany(25);
  const field = await screen.findByRole('searchbox', { name: 'Buscar un juego' });
  for (const [text, told, count] of [
    ['NANDU', '2 juegos encontrados', 2],
    ['pokemon ñandú 1', '1 juego encontrado', 1],
    ['Zelda', 'No hay ningún juego con «Zelda».', 0],
    ['  ', undefined, 25],
  ] as const) {
    await user.clear(field);
    await user.type(field, text);
    expect(screen.queryAllByRole('article')).toHaveLength(count);
    if (told) expect(screen.getByText(told).role).toBe('status');
  }
  await user.type(field, 'juego 7');
  await user.click(screen.getByRole('button', { name: 'Votar Juego 7' }));
  expect(votes()).toEqual(['g7']);
});

test('W122 24 games are not searched', async () => {
  await renderMany(24);
  expect(screen.queryByRole('searchbox')).toBeNull();
});
