import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { InvalidSetting } from '../config/index.ts';
import { IMPORT_KINDS } from '../exchange/imports/index.ts';
import { controlClient, type Ask } from './link.ts';
import { dataDirectoryOf, commandWords } from './words.ts';

const USAGE = `Usage: waypost import-records FILE --kind ${IMPORT_KINDS.join('|')} [--column HEAD=FIELD]… [--value FIELD=TEXT]… [--zone ZONE] [--write], or waypost import-records undo ID.`;

interface PreviewAnswer {
  readonly id: string;
  readonly columns: readonly { readonly head: string; readonly field: string | null }[];
  readonly fields: readonly { readonly name: string }[];
  readonly counts: Readonly<Record<'new' | 'changed' | 'same' | 'refused', number>>;
}

interface RowAnswer {
  readonly row: number;
  readonly faults: readonly { readonly cell: string | null; readonly text: string }[];
}

interface EntryAnswer {
  readonly id: number;
  readonly state: string;
  readonly created: number;
  readonly changed: number;
  readonly refused: number;
  readonly left: number;
}

/** Refused rows that are printed. */
const PRINTED = 500;
/** ms between two looks at an import under way. */
const LOOK = 300;

/** `waypost import-records`: the page Imports from a shell, through the running station. */
export async function run(words: string[]): Promise<void> {
  const { values, positionals } = commandWords(words, USAGE, {
    kind: { type: 'string' },
    column: { type: 'string', multiple: true },
    value: { type: 'string', multiple: true },
    zone: { type: 'string' },
    write: { type: 'boolean' },
  });
  const ask = controlClient(dataDirectoryOf(values.data));
  const [first, second] = positionals;
  if (first === 'undo' && second !== undefined && /^\d{1,9}$/.test(second)) return undo(ask, Number(second));
  if (first === undefined || positionals.length !== 1 || !IMPORT_KINDS.some((kind) => kind === values.kind))
    throw new InvalidSetting(USAGE);
  const file = await opened(first);
  const form = new FormData();
  form.append('file', file, basename(first));
  const { data } = await ask<{ data: string[] }>('POST', '/fileload', form);
  let preview = await ask<PreviewAnswer>('POST', '/imports/previews', {
    uuid: data[0]!,
    kind: values.kind,
    ...(values.zone !== undefined && { tz: values.zone }),
  });
  const mapped = pairsOf(values.column ?? []);
  if (mapped.size > 0 || values.value) {
    const columns = preview.columns.map(({ head, field }) => (mapped.has(head) ? mapped.get(head)! || null : field));
    const body = { columns, values: Object.fromEntries(pairsOf(values.value ?? [])) };
    preview = await ask<PreviewAnswer>('PUT', `/imports/previews/${preview.id}`, body);
  }
  await print(ask, preview);
  if (!values.write) return void console.log('Nothing was written. Run it again with --write.');
  const entry = await ended(ask, await ask<EntryAnswer>('POST', `/imports/previews/${preview.id}/confirm`, {}));
  console.log(
    `Import ${entry.id} is ${entry.state}: ${entry.created} new, ${entry.changed} changed, ${entry.refused} refused.`,
  );
}

async function opened(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path);
  } catch {
    throw new InvalidSetting(`The file ${path} cannot be read.`);
  }
}

async function undo(ask: Ask, id: number): Promise<void> {
  const entry = await ended(ask, await ask<EntryAnswer>('POST', `/imports/${id}/undo`, {}));
  console.log(`Import ${id} is ${entry.state}. Records left, because they were changed since: ${entry.left}.`);
}

async function ended(ask: Ask, begun: EntryAnswer): Promise<EntryAnswer> {
  let entry = begun;
  while (entry.state === 'writing' || entry.state === 'undoing') {
    await pause(LOOK);
    entry = await ask<EntryAnswer>('GET', `/imports/${begun.id}`);
  }
  return entry;
}

async function print(ask: Ask, { id, columns, fields, counts }: PreviewAnswer): Promise<void> {
  for (const { head, field } of columns) console.log(`  ${head}: ${field ?? '(left out)'}`);
  console.log(`Fields: ${fields.map(({ name }) => name).join(', ')}`);
  console.log(
    `Rows: ${counts.new} new, ${counts.changed} changed, ${counts.same} the same, ${counts.refused} refused.`,
  );
  const refused = await ask<RowAnswer[]>('GET', `/imports/previews/${id}/rows?fate=refused&limit=${PRINTED}`);
  for (const { row, faults } of refused)
    for (const { cell, text } of faults) console.log(`  ${cell ?? `row ${row}`}: ${text}`);
}

/** `HEAD=FIELD`; the field is empty for a column that is left out. */
function pairsOf(texts: readonly string[]): Map<string, string> {
  return new Map(
    texts.map((text) => {
      const at = text.lastIndexOf('=');
      if (at < 1) throw new InvalidSetting(`${text} has no =. ${USAGE}`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}
