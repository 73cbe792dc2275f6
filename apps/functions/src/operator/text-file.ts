// What people save as text: in which encoding it is, and what programs before us have made of it.

/** Of letters and signs beyond ASCII, those that names in Western languages often have. */
const USUAL = 'áéíóúüñçàèìòùâêîôûäëïöãõåøßÁÉÍÓÚÜÑÇÀÈÌÒÙÂÊÎÔÛÄËÏÖÅ¡¿ªº«»“”‘’–—…™®©€°';
/** Looks as if another encoding was meant: `PokŽmon`, `°Hola`, `Foo ñ Bar`. */
const ODD = new RegExp(
  [
    `(?!\\p{ASCII})[^${USUAL}]`,
    String.raw`\p{L}(?!\p{ASCII})\p{Lu}\p{Ll}`,
    String.raw`(?!\p{ASCII})\p{Lu}\p{Lu}\p{Ll}`,
    String.raw`[ªº»”…™®©°]\p{L}`,
    String.raw`(?<!\p{L})[ñíóìîòô](?!\p{L})`,
  ].join('|'),
  'gu',
);

/**
 * The text in these bytes. What is not Unicode is Windows-1252 or, as Excel saves CSV on a Mac, Mac Roman:
 * which of them is sure if one makes sense and the other does not.
 *
 * @throws Error if they are no text
 */
export function decode(bytes: Buffer): { readonly text: string; readonly isSure: boolean } {
  const read = (label: string) => new TextDecoder(label).decode(bytes);
  const mark = bytes.toString('hex', 0, 2);
  if (mark === 'fffe') return { text: read('utf-16le'), isSure: true };
  if (mark === 'feff') return { text: read('utf-16be'), isSure: true };
  if (bytes.includes(0)) throw new Error('it is no text: in the spreadsheet, save it as CSV');
  const utf8 = decodeUtf8(bytes);
  if (utf8 !== undefined) return { text: utf8, isSure: true };
  const [windows, mac] = [read('windows-1252'), read('macintosh')];
  const [ofWindows, ofMac] = [countOdd(windows), countOdd(mac)];
  return { text: ofWindows <= ofMac ? windows : mac, isSure: (ofWindows === 0) !== (ofMac === 0) };
}

const countOdd = (text: string) => text.match(ODD)?.length ?? 0;

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte);
/** By which UTF-8 may have been read by mistake: the character of each byte. */
const CHARSETS = ['windows-1252', 'macintosh'].map((label) => new TextDecoder(label).decode(BYTES));

/** Undoes that UTF-8 was read by one of these, if all that is not ASCII can come of that. */
function undoEncoding(text: string): string | undefined {
  for (const charset of CHARSETS) {
    let isWhole = true;
    const undone = text.replaceAll(/\P{ASCII}+/gu, (run) => {
      // Some read bytes as Latin-1, whose characters have the same numbers.
      const byteOf = (char: string) => {
        const byte = charset.indexOf(char);
        return byte < 0 && char <= '\u009f' ? char.charCodeAt(0) : byte;
      };
      const bytes = [...run].map(byteOf);
      const meant = bytes.includes(-1) ? undefined : decodeUtf8(Uint8Array.from(bytes));
      isWhole &&= meant !== undefined;
      return meant ?? run;
    });
    if (isWhole && undone !== text) return undone;
  }
  return undefined;
}

/** With what an entity such as `&eacute;` names, a letter has an accent. */
const ACCENTS: Readonly<Record<string, string>> = {
  acute: '\u0301',
  cedil: '\u0327',
  circ: '\u0302',
  grave: '\u0300',
  tilde: '\u0303',
  uml: '\u0308',
};
const SIGNS: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  nbsp: ' ',
  quot: '"',
};
const ENTITY =
  /&(?:#(\d{2,7})|#x([\da-f]{2,6})|([a-z])(acute|cedil|circ|grave|tilde|uml)|(\w+));/gi;

/** The text that was meant, where that is certain: `PokÃ©mon` and `Pok&eacute;mon` are `Pokémon`. */
export function mend(text: string): string {
  const undone = undoEncoding(text);
  // Two characters may be what they are, as in `CAFÉ™`, unless they begin as those of European letters do.
  const isCertain = text.match(/\P{ASCII}+/gu)?.every((run) => /^[ÂÃ√¬]|.../u.test(run));
  const encoded = undone !== undefined && isCertain ? undone : text;
  const plain = encoded.replaceAll(ENTITY, (entity, decimal, hex, letter, accent, sign) => {
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '110000', 16);
    if (code <= 0x10ffff) return String.fromCodePoint(code);
    if (letter) return (letter + ACCENTS[accent.toLowerCase()]).normalize('NFC');
    return SIGNS[sign?.toLowerCase()] ?? entity;
  });
  return plain.trim();
}

/** Whether it looks as if a program before us had spoilt it: `Pok?mon`, `Pok├®mon`, `&hearts;`. */
export function isDoubtful(text: string): boolean {
  return (
    /[\ufffd\u2500-\u257f]|\p{L}\?\p{L}|&#?\w{2,};/u.test(text) || undoEncoding(text) !== undefined
  );
}
