import { Refusal } from '../../shared/refusal.ts';

/**
 * Refuses texts, and names of members, that hold NUL or half of a surrogate pair: neither can be written as XML, so in no workbook, nor kept as UTF-8,
 * and SQLite's functions end a text at NUL. One rule for every text of every body; the refusal names the field.
 */
export function refuseBrokenTexts(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) throw new Refusal('invalid', `${path === '' ? 'The request' : path.slice(0, 200)} holds characters that are no text (NUL, or half of a surrogate pair).`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, part] of Object.entries(value)) {
      refuseBrokenTexts(name, path);
      refuseBrokenTexts(part, path === '' ? name : `${path}.${name}`);
    }
  }
}
