import { Refusal } from '../../../shared/refusal.ts';

/** Fields with file names. A file system may hold names that are not text; the files room makes them safe. */
const FILE_NAMES: ReadonlySet<string> = new Set(['photos_name', 'video_name', 'files_name', 'sounds_name']);
/** Values checked before yielding to the event loop: a few milliseconds. */
const PARTS_PER_TURN = 20_000;

/** An object or array on the path of the walk. */
interface WalkedLevel {
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** Member names of an object; undefined for an array. */
  readonly names: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

/**
 * Refuses texts and member names with NUL or a lone surrogate. XML, and so a workbook, cannot hold them;
 * UTF-8 cannot encode a lone surrogate; SQLite's functions end a text at NUL. Applies to every text except
 * file names; the refusal names the field. Walks the body without recursion and yields to the event loop.
 */
export async function refuseMalformedText(body: unknown): Promise<void> {
  const levels: WalkedLevel[] = [];
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

function levelOf(value: object, path: string): WalkedLevel {
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
    throw new Refusal('field.notText', { field: path === '' ? 'The request' : path.slice(0, 200) });
}
