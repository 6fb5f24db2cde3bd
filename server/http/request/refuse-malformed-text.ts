import { Refusal } from '../../../shared/refusal.ts';

/**
 * What clients call their files: often what a file system holds, which need not be text. Whoever keeps them
 * makes them safe names.
 */
const FILE_NAMES: ReadonlySet<string> = new Set(['photos_name', 'video_name', 'files_name', 'sounds_name']);
/** Parts that are looked at before others get a turn: some milliseconds. */
const PARTS_PER_TURN = 20_000;

/** An object or an array that is being gone through. */
interface Level {
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** Of an object; an array has its indices. */
  readonly names: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

/**
 * Refuses texts, and names of members, that hold NUL or half of a surrogate pair: neither can be written as
 * XML, so in no workbook, nor kept as UTF-8, and SQLite's functions end a text at NUL. One rule for every
 * text of every body but names of files; the refusal names the field. However deep or long the body is, it is
 * gone through without recursion and in turns.
 */
export async function refuseMalformedText(body: unknown): Promise<void> {
  const levels: Level[] = [];
  const look = (value: unknown, path: string): void => {
    if (typeof value === 'string') requireText(value, path);
    else if (typeof value === 'object' && value !== null) levels.push(levelOf(value, path));
  };
  look(body, '');
  for (let looked = 1; levels.length > 0; looked++) {
    if (looked % PARTS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    const level = levels.at(-1)!;
    if (level.next === level.length) {
      levels.pop();
      continue;
    }
    const name = level.names?.[level.next] ?? String(level.next);
    level.next++;
    if (level.names) requireText(name, level.path);
    if (!FILE_NAMES.has(name)) look(level.value[name], level.path === '' ? name : `${level.path}.${name}`);
  }
}

function levelOf(value: object, path: string): Level {
  const names = Array.isArray(value) ? undefined : Object.keys(value);
  return {
    path: path.slice(0, 200),
    value: value as Record<string, unknown>,
    names,
    length: names?.length ?? (value as unknown[]).length,
    next: 0,
  };
}

function requireText(text: string, path: string): void {
  if (text.includes('\0') || !text.isWellFormed())
    throw new Refusal(
      'invalid',
      `${path === '' ? 'The request' : path.slice(0, 200)} holds characters that are no text (NUL, or half of a surrogate pair).`,
    );
}
