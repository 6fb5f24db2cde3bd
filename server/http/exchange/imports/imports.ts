import { z } from 'zod';
import type { Actor } from '../../../../shared/access.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import {
  IMPORT_KINDS,
  type CellFault,
  type ImportEntry,
  type ImportField,
  type ImportPreview,
  type Imports,
  type PreviewRow,
} from '../../../exchange/imports/index.ts';
import { Refused } from '../../app/common-answers.ts';
import { route, type DeclaredRoute } from '../../app/route.ts';
import { instant, pathId, queryInt, queryLimit, textUpTo } from '../../request/fields.ts';

const FATES = ['new', 'changed', 'same', 'refused'] as const;
const Counts = z.object({ new: z.int(), changed: z.int(), same: z.int(), refused: z.int() });
const ImportFieldAnswer = z
  .object({
    name: z.string(),
    title: z.object({ en: z.string(), ru: z.string() }),
    heads: z.array(z.string()).meta({ description: 'Heads by which a column is known.' }),
    kind: z.enum(['text', 'number', 'whole', 'flag', 'instant', 'geometry', 'one', 'many']),
  })
  .meta({ id: 'ImportField' });
const PreviewAnswer = z
  .object({
    id: z.string(),
    kind: z.enum(IMPORT_KINDS),
    file: z.string(),
    format: z.enum(['xlsx', 'csv', 'geojson', 'kml', 'gpx']),
    rows: z.int(),
    columns: z.array(z.object({ head: z.string(), field: z.string().nullable(), example: z.string() })),
    values: z.record(z.string(), z.string()),
    fields: z.array(ImportFieldAnswer),
    counts: Counts,
  })
  .meta({ id: 'ImportPreview' });
const RowAnswer = z
  .object({
    row: z.int().meta({ description: 'Its number in the file.' }),
    cells: z.array(z.string()),
    fate: z.enum(FATES),
    changes: z.array(z.string()).meta({ description: 'The fields that change.' }),
    faults: z.array(
      z.object({
        cell: z.string().nullable().meta({ description: 'Such as `C17`; null: the row as a whole.' }),
        column: z.int().nullable(),
        text: z.string(),
        refusal: Refused,
      }),
    ),
  })
  .meta({ id: 'ImportRow' });
const EntryAnswer = z
  .object({
    id: z.int(),
    kind: z.enum(IMPORT_KINDS),
    file: z.string(),
    userId: z.int(),
    userName: z.string(),
    at: instant,
    state: z.enum(['writing', 'done', 'broken', 'undoing', 'undone', 'kept']),
    rows: z.int(),
    done: z.int(),
    created: z.int(),
    changed: z.int(),
    refused: z.int(),
    left: z.int().meta({ description: 'Records that an undo left, because they were changed since.' }),
  })
  .meta({ id: 'Import' });

const columns = z.array(textUpTo(200).nullable()).max(1_000);
const values = z.record(textUpTo(200), textUpTo(1_000));
const params = z.object({ id: textUpTo(100) });
const byNumber = z.object({ id: pathId });
const inStation = { family: 'station', access: 'admin', group: 'Imports' } as const;
const PAGE = 50;
const MOST = 500;
const LONGEST_EXAMPLE = 100;
const LONGEST_CELL = 500;

interface ImportRoutesOptions {
  findUpload(by: Actor, uuid: string): { readonly path: string; readonly name: string } | undefined;
  nameOfUser(id: number): string;
}

/** Records from files, with a preview, a confirmation and an undo. */
export function importRoutes(imports: Imports, { findUpload, nameOfUser }: ImportRoutesOptions): DeclaredRoute[] {
  const presentEntry = ({ organizationId: _, ...entry }: ImportEntry): z.input<typeof EntryAnswer> => ({
    ...entry,
    userName: nameOfUser(entry.userId),
  });
  return [
    route({
      ...inStation,
      method: 'POST',
      path: '/imports/previews',
      cost: 50,
      summary: 'Say what a file would do',
      description:
        'Reads an upload (`/fileload`): a workbook (.xlsx, its first visible sheet), CSV, GeoJSON, KML, KMZ or GPX, of at most 50 MB and 100,000 rows. Nothing is written. Columns are recognized by their heads, as they were mapped in the last import. An empty cell changes nothing. A row is about the record with its id or, without one, with the same key: IMEI, number of the unit, plate or name of a vehicle; key, external id or name of a driver. A caller has one preview, for 30 minutes.',
      body: z.object({ uuid: textUpTo(100), kind: z.enum(IMPORT_KINDS), tz: textUpTo(100).optional() }),
      answer: PreviewAnswer,
      run: async ({ caller, body: { uuid, kind, tz } }) => {
        const upload = findUpload(caller, uuid);
        if (!upload) throw new Refusal('files.noUpload', { file: uuid });
        return presentPreview(await imports.preview(caller, { ...upload, kind, zone: tz }));
      },
    }),
    route({
      ...inStation,
      method: 'GET',
      path: '/imports/previews/:id',
      summary: 'A preview',
      params,
      answer: PreviewAnswer,
      run: ({ caller, params }) => presentPreview(imports.open(caller, params.id)),
    }),
    route({
      ...inStation,
      method: 'PUT',
      path: '/imports/previews/:id',
      cost: 50,
      summary: 'Say what the columns are, and judge the rows again',
      description:
        '`columns` has the field of each column, null for one that is left out. `values` are for empty cells and missing columns, by fields, as a cell would have them.',
      params,
      body: z.object({ columns, values: values.optional() }),
      answer: PreviewAnswer,
      run: async ({ caller, params, body }) => {
        const preview = imports.open(caller, params.id);
        await preview.judge(body.columns, body.values ?? {});
        return presentPreview(preview);
      },
    }),
    route({
      ...inStation,
      method: 'GET',
      path: '/imports/previews/:id/rows',
      summary: 'What the rows of a preview do',
      params,
      query: z.object({
        fate: z.enum(FATES).optional(),
        offset: queryInt(0, 1_000_000).optional(),
        limit: queryLimit(1_000_000),
      }),
      answer: z.array(RowAnswer),
      run: async ({ caller, params, query: { fate, offset = 0, limit = PAGE } }) => {
        const preview = imports.open(caller, params.id);
        const rows = await preview.rows(fate, offset, Math.min(limit, MOST));
        return rows.map((row) => presentRow(row, preview));
      },
    }),
    route({
      ...inStation,
      method: 'DELETE',
      path: '/imports/previews/:id',
      summary: 'Close a preview',
      params,
      answer: 'nothing',
      run: ({ caller, params }) => imports.discard(caller, params.id),
    }),
    route({
      ...inStation,
      method: 'POST',
      path: '/imports/previews/:id/confirm',
      summary: 'Write what a preview says',
      description:
        'Answers when the import has begun; `GET /imports/:id` tells how far it is. Rows that are refused stay out.',
      params,
      answer: EntryAnswer,
      run: async ({ caller, params }) => presentEntry(await imports.confirm(caller, params.id)),
    }),
    route({
      ...inStation,
      method: 'GET',
      path: '/imports',
      summary: 'Imports, newest first',
      answer: z.array(EntryAnswer),
      run: ({ caller }) => imports.list(caller).map(presentEntry),
    }),
    route({
      ...inStation,
      method: 'GET',
      path: '/imports/:id',
      summary: 'One import',
      params: byNumber,
      answer: EntryAnswer,
      run: ({ caller, params }) => presentEntry(imports.get(caller, params.id)),
    }),
    route({
      ...inStation,
      method: 'POST',
      path: '/imports/:id/undo',
      summary: 'Take an import back',
      description:
        'New records are deleted, changed fields get their earlier values. A field that somebody changed since stays; `left` counts such records. The last 50 imports can be taken back.',
      params: byNumber,
      answer: EntryAnswer,
      run: async ({ caller, params }) => presentEntry(await imports.undo(caller, params.id)),
    }),
  ];
}

async function presentPreview(preview: ImportPreview): Promise<z.input<typeof PreviewAnswer>> {
  const { id, target, file, table, columns, defaults, counts } = preview;
  const [first] = await preview.rows(undefined, 0, 1);
  return {
    id,
    kind: target.kind,
    file,
    format: table.format,
    rows: table.rows,
    columns: table.heads.map((head, column) => ({
      head,
      field: columns[column] ?? null,
      example: textOf(first?.row[1][column]).slice(0, LONGEST_EXAMPLE),
    })),
    values: { ...defaults },
    fields: target.fields().map(presentField),
    counts: { ...counts },
  };
}

function presentField({ name, heads, type }: ImportField): z.input<typeof ImportFieldAnswer> {
  const [en, ru] = heads;
  return { name, title: { en, ru }, heads: [...heads], kind: type.kind };
}

function presentRow({ row: [row, cells], fate, changes, faults }: PreviewRow, { table }: ImportPreview) {
  return {
    row,
    cells: table.heads.map((_, column) => textOf(cells[column]).slice(0, LONGEST_CELL)),
    fate,
    changes: [...changes],
    faults: faults.map((fault) => presentFault(fault, row)),
  };
}

function presentFault({ column, reason }: CellFault, row: number) {
  return {
    cell: column === undefined ? null : `${lettersOf(column)}${row}`,
    column: column ?? null,
    text: Refusal.of(reason).message,
    refusal: { code: reason.code, params: reason.params },
  };
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell as string | number | boolean);
}

/** Column 27 is `AB`. */
function lettersOf(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : lettersOf(Math.floor(column / 26) - 1) + last;
}
