import { Refusal } from '../../shared/refusal.ts';

/** What clients call their files: often what a file system holds, which need not be text. Whoever keeps them makes them safe names. */
const NAMES_OF_FILES: ReadonlySet<string> = new Set(['photos_name', 'video_name', 'files_name', 'sounds_name']);

/**
 * Refuses texts, and names of members, that hold NUL or half of a surrogate pair: neither can be written as XML, so in no workbook, nor kept as UTF-8,
 * and SQLite's functions end a text at NUL. One rule for every text of every body but names of files; the refusal names the field.
 */
export function refuseBrokenTexts(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) throw new Refusal('invalid', `${path === '' ? 'The request' : path.slice(0, 200)} holds characters that are no text (NUL, or half of a surrogate pair).`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, part] of Object.entries(value)) {
      refuseBrokenTexts(name, path);
      if (!NAMES_OF_FILES.has(name)) refuseBrokenTexts(part, path === '' ? name : `${path}.${name}`);
    }
  }
}
