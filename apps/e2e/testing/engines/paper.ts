import { inflateSync } from 'node:zlib';

/** The colours that a PDF fills areas and text with, as `red,green,blue` from 0 to 255. */
export function colorsOf(pdf: Buffer): Set<string> {
  const text = pdf.toString('latin1');
  const colors = new Set<string>();
  for (const { index } of text.matchAll(/(?<=\bstream\r?\n)/g)) {
    const content = inflate(pdf.subarray(index, text.indexOf('endstream', index)));
    for (const [, ...parts] of content.matchAll(/([\d.]+) ([\d.]+) ([\d.]+) rg\b/g)) {
      colors.add(parts.map((part) => Math.round(Number(part) * 255)).join());
    }
  }
  return colors;
}

/** What a stream holds if it is compressed as drawings are, and not as photographs. */
function inflate(stream: Buffer): string {
  try {
    return inflateSync(stream).toString('latin1');
  } catch {
    return '';
  }
}
