import { voteTexts } from '@goty/shared/vote-texts';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { ShareButton } from './share-button.tsx';

test.each([
  ['was copied', async () => {}, voteTexts.copied],
  [
    'cannot be copied, and shows it',
    () => Promise.reject(new Error('denied')),
    /goty\.example\/goty$/,
  ],
])('W46 the button says that the address %s', async (_what, copy, told) => {
  const user = userEvent.setup();
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(copy);
  render(<ShareButton path="/goty" text="Vota:" />);
  const status = screen.getByRole('status');
  expect(status.textContent).toBe('');
  await user.click(screen.getByRole('button', { name: 'Compartir' }));
  expect(writeText).toHaveBeenCalledWith('Vota: https://goty.example/goty');
  within(status).getByText(told);
});
