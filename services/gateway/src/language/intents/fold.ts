/** Longer messages are read up to here: the start of a message says what it asks for. */
export const MAX_UNITS = 4096;

const APOSTROPHE = 0x27;

/** Lower case without accents, for the code units below 0x250. */
const LATIN = Uint16Array.from({ length: 0x250 }, (_, code) => {
  const lower = String.fromCharCode(code).toLowerCase();
  return lower.normalize("NFD").charCodeAt(0);
});

/**
 * Writes a message into `units` as lower-case code units without accents, so that "Propose" and "próposé" are one word. Full-width
 * letters become plain ones, all apostrophes one, and invisible characters go.
 *
 * @returns how many units were written, at most MAX_UNITS
 */
export function fold(text: string, units: Uint16Array): number {
  const plain = isPlain(text) ? text : text.slice(0, MAX_UNITS).normalize("NFKC").toLowerCase();
  const end = Math.min(plain.length, MAX_UNITS);
  let count = 0;
  for (let i = 0; i < end; i++) {
    const code = plain.charCodeAt(i);
    if (code < LATIN.length) units[count++] = LATIN[code] ?? code;
    else if (code === 0x2018 || code === 0x2019) units[count++] = APOSTROPHE;
    else if (!isInvisible(code)) units[count++] = code;
  }
  return count;
}

function isPlain(text: string): boolean {
  const end = Math.min(text.length, MAX_UNITS);
  for (let i = 0; i < end; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

/** Zero-width and direction marks, the soft hyphen's relatives, and combining accents. */
function isInvisible(code: number): boolean {
  return (
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x2064) ||
    code === 0xfeff ||
    (code >= 0x300 && code <= 0x36f)
  );
}
