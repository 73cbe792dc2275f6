import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { decodeHTMLStrict } from 'entities';
import { errorText, OperatorError } from '../runtime/operator-error.ts';

const NO_CSV = 'it is no text: in the spreadsheet, save it as CSV';

/** Letters that are unlikely in Western names, and that reading with a wrong encoding makes: `PokŽmon`, `°Hola`, `Foo ñ Bar`. */
const UNLIKELY_LETTERS =
  /(?!\p{ASCII})[^áéíóúüñçàèìòùâêîôûäëïöãõåøßÁÉÍÓÚÜÑÇÀÈÌÒÙÂÊÎÔÛÄËÏÖÅ¡¿ªº«»“”‘’–—…™®©€°]|\p{L}(?!\p{ASCII})\p{Lu}\p{Ll}|(?!\p{ASCII})\p{Lu}\p{Lu}\p{Ll}|[ªº»”…™®©°]\p{L}|(?<!\p{L})[ñíóìîòô](?!\p{L})/u;

/**
 * Bytes that are not Unicode are taken for Windows-1252 or, as Excel saves CSV on a Mac, for Mac Roman, and `isSure` says whether
 * only one of them makes sense. `remedy` says what to do with a file that is no text.
 *
 * @throws OperatorError if the file cannot be read, or is no text
 */
export function readText(path: string, remedy = NO_CSV) {
  try {
    const bytes = readFileSync(path);
    const mark = bytes.toString('hex', 0, 2);
    if (mark === 'fffe' || mark === 'feff') {
      const label = mark === 'fffe' ? 'utf-16le' : 'utf-16be';
      return { text: new TextDecoder(label).decode(bytes), isSure: true };
    }
    if (bytes.includes(0)) throw new Error(remedy);
    const utf8 = decodeUtf8(bytes);
    if (utf8 !== undefined) return { text: utf8, isSure: true };
    const windows = WINDOWS.decode(bytes);
    const mac = new TextDecoder('macintosh').decode(bytes);
    const isMac = UNLIKELY_LETTERS.test(windows) && !UNLIKELY_LETTERS.test(mac);
    return {
      text: isMac ? mac : windows,
      isSure: UNLIKELY_LETTERS.test(windows) !== UNLIKELY_LETTERS.test(mac),
    };
  } catch (error) {
    throw new OperatorError(`${path} cannot be read: ${errorText(error)}.`);
  }
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : undefined;
}

const WINDOWS = new TextDecoder('windows-1252');
const CHARACTERS = WINDOWS.decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));

/** Returns the text whose UTF-8 bytes, read as Windows-1252 or Latin-1, became this one, if there is such a text. */
function undoEncoding(text: string): string | undefined {
  // For a character of neither encoding, -1 becomes the byte 255, which UTF-8 never has.
  const byteOf = (char: string) => (char <= 'ÿ' ? char.charCodeAt(0) : CHARACTERS.indexOf(char));
  const undone = decodeUtf8(Uint8Array.from(text, byteOf));
  return undone === text ? undefined : undone;
}

/** Returns the text that was meant, where that is certain: `PokÃ©mon` and `Pok&eacute;mon` are `Pokémon`. */
export function mend(text: string): string {
  // Two characters beyond ASCII in a row may be meant, as in `CAFÉ™`; three are not, nor `Â` and `Ã`, which begin spoilt letters.
  const isCertain = /[ÂÃ]|\P{ASCII}{3}/u.test(text);
  return decodeHTMLStrict((isCertain && undoEncoding(text)) || text).trim();
}

/** Whether the text looks as if another program had spoilt it: `Pok?mon`, `Pok├®mon`, `&nonsense;`. */
export function isDoubtful(text: string): boolean {
  const isSpoilt = /[\ufffd√\u2500-\u257f]|\p{L}\?\p{L}|&#?\w{2,};/u.test(text);
  return isSpoilt || undoEncoding(text) !== undefined;
}
