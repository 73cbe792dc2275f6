import { Resvg } from '@resvg/resvg-js';
import { render, screen } from '@testing-library/react';
import decodeQR from 'qr/decode.js';
import { expect, test } from 'vitest';
import { QrCode } from './qr-code.tsx';

test('W46 the QR code leads to its address', () => {
  render(<QrCode url="https://goty.example/goty" label="Código" />);
  const code = screen.getByRole('img', { name: 'Código' });
  code.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const { pixels, width, height } = new Resvg(code.outerHTML, {
    fitTo: { mode: 'width', value: 330 },
  }).render();
  expect(decodeQR({ width, height, data: new Uint8ClampedArray(pixels) })).toBe(
    'https://goty.example/goty',
  );
});
