import { escapeHtml } from '@goty/shared/page-html';
import { sheetTexts } from '@goty/shared/sheet-texts';
import { formatVotingCode } from '@goty/shared/voting-code';
import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import { linkOfCode } from '../src/acts/voting-codes.ts';

/** The border that scanners need around a QR code, in modules, which are its dots (ISO/IEC 18004). */
const BORDER_MODULES = 4;

const STYLE = `
  @page { size: A4; margin: 10mm; }
  body { display: grid; grid-template-columns: repeat(3, 1fr); margin: 0; background: #fff; color: #000; font: 8.5pt/1.3 system-ui, sans-serif; }
  article { break-inside: avoid; border: 1px dashed #777; padding: 4mm; text-align: center; }
  svg { width: 36mm; }
  h2, p { margin: 0 0 1mm; font-size: inherit; overflow-wrap: anywhere; text-wrap: balance; }
  .code { font: 700 12pt ui-monospace, monospace; white-space: nowrap; }
`;

/** Returns a page to print on A4 and cut into tickets, three in a row. */
export function codeSheet(origin: string, codes: readonly string[], event?: string): string {
  const tickets = codes.map((code) => ticketOf(origin, code, event));
  return `<!doctype html>
<html lang="es">
<meta charset="utf-8">
<title>${sheetTexts.title}</title>
<style>${STYLE}</style>
${tickets.join('\n')}
</html>
`;
}

function ticketOf(origin: string, code: string, event: string | undefined): string {
  const qr = generate(linkOfCode(origin, code));
  const width = qr.size + 2 * BORDER_MODULES;
  const box = [-BORDER_MODULES, -BORDER_MODULES, width, width].join(' ');
  const label = sheetTexts.qrCode(formatVotingCode(code));
  return `<article>
<h2>${sheetTexts.vote}</h2>${event ? `\n<p>${escapeHtml(event)}</p>` : ''}
<svg viewBox="${box}" shape-rendering="crispEdges" role="img" aria-label="${label}"><path d="${toSvgPath(qr)}"/></svg>
<p>${escapeHtml(sheetTexts.how(`${new URL(origin).host}/goty`))}</p>
<p class="code">${formatVotingCode(code)}</p>
<p>${sheetTexts.secret}</p>
</article>`;
}
