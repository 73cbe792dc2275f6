import { voteTexts } from '@goty/shared/vote-texts';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { ShareButton } from './share-button.tsx';

test('W46 the button says that the address was copied', async () => {
  const user = userEvent.setup();
  const writeText = vi.spyOn(navigator.clipboard, 'writeText');
  render(<ShareButton text="Vota:" />);
  expect(screen.getByRole('status').textContent).toBe('');
  await user.click(screen.getByRole('button', { name: 'Compartir' }));
  expect(writeText).toHaveBeenCalledWith('Vota: http://localhost:3000/goty');
  expect(screen.getByRole('status').textContent).toBe(voteTexts.copied);
});

test('W46 where nothing can be copied, the address is there to read', async () => {
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
  render(<ShareButton text="Vota:" />);
  await user.click(screen.getByRole('button', { name: 'Compartir' }));
  expect(screen.getByRole('status').textContent).toContain('http://localhost:3000/goty');
});
