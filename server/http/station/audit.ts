import { Readable } from 'node:stream';
import { z } from 'zod';
import { AUDIT_ACTIONS, AUDIT_KINDS, AUDIT_WAYS } from '../../../shared/audit.ts';
import type { Audit, AuditFilter, HashedEntry } from '../../access/audit/index.ts';
import type { Caller } from '../../access/accounts/index.ts';
import { attach } from '../fleet/workbooks.ts';
import { queryId, queryInstant, queryInt, queryLimit, queryText } from '../request/fields.ts';
import { route } from '../app/route.ts';
import type { DeclaredRoute } from '../app/route.ts';

const Entry = z
  .object({
    id: z.int(),
    time: z.int(),
    kind: z.enum(AUDIT_KINDS),
    action: z.enum(AUDIT_ACTIONS),
    way: z.enum(AUDIT_WAYS),
    userId: z.int().nullable(),
    login: z.string(),
    userOrganizationId: z.int().nullable(),
    keyId: z.int().nullable(),
    address: z.string(),
    subjectId: z.int().nullable(),
    subject: z.string(),
    subjectOrganizationId: z.int().nullable(),
    details: z.record(z.string(), z.unknown()),
    hash: z.string(),
  })
  .meta({
    id: 'AuditEntry',
    description:
      '`hash` is the SHA-256 of the hash before it, a line feed, and the entry as JSON without its hash, in this order of fields and without spaces.',
  });
const LAST = Number.MAX_SAFE_INTEGER;
const Filter = z.object({
  from: queryInstant.optional(),
  till: queryInstant.optional(),
  user: queryId.optional().meta({ description: 'Id of the user who acted' }),
  kind: z.enum(AUDIT_KINDS).optional(),
  subject: queryText.optional().meta({ description: 'Part of the name of what it was done to' }),
  text: queryText.optional().meta({ description: 'Any part of the entry' }),
});
const Head = z.object({ id: z.int(), hash: z.string() });
const PAGE = 200;
const MOST = 1000;
const inStation = { family: 'station', group: 'Audit trail', access: 'admin' } as const;

/** The audit trail. Superusers see all of it, other administrators what concerns their organization. */
export function auditRoutes(audit: Audit): DeclaredRoute[] {
  return [
    route({
      ...inStation,
      method: 'GET',
      path: '/audit',
      summary: 'Who did what, newest first',
      description:
        'A superuser sees everything; other administrators what people of their organisation did and what was done to it. `before` is an entry’s id: older ones follow.',
      query: Filter.extend({ before: queryInt(1, LAST).optional(), limit: queryLimit(1_000_000) }),
      answer: z.array(Entry),
      run: async ({ caller, query: { limit = PAGE, before, ...filter } }) =>
        (await audit.read(filterOf(caller, filter), Math.min(limit, MOST), before)).map(present),
    }),
    route({
      ...inStation,
      method: 'GET',
      path: '/audit/export',
      summary: 'The audit trail as a file, oldest first',
      description: 'JSON lines, or CSV. The whole trail of a superuser in JSON lines can be verified by its hashes.',
      query: Filter.extend({ format: z.enum(['jsonl', 'csv']).default('jsonl') }),
      answer: { type: 'application/octet-stream' },
      run: ({ caller, query: { format, ...filter }, response }) => {
        attach(response, `audit.${format}`);
        response.set(
          'Content-Type',
          format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
        );
        return Readable.from(linesOf(audit.export(filterOf(caller, filter)), format));
      },
    }),
    route({
      ...inStation,
      method: 'GET',
      path: '/audit/verify',
      summary: 'Check the chain of hashes from its first entry',
      description:
        '`broken` names the first entry at which the chain does not hold; null: it holds. Compare `head` with one that was noted, exported or forwarded earlier: anybody who can write the database can also compute a new chain.',
      answer: z.object({
        entries: z.int(),
        from: Head,
        head: Head,
        broken: z.object({ id: z.int(), fault: z.enum(['missing', 'changed', 'end-missing', 'anchor']) }).nullable(),
      }),
      run: async () => {
        const { entries, from, head, broken } = await audit.verify();
        return { entries, from: { ...from }, head: { ...head }, broken: broken && { ...broken } };
      },
    }),
  ];
}

function filterOf({ user, role }: Caller, { till, user: userId, text, ...same }: z.output<typeof Filter>): AuditFilter {
  return {
    ...same,
    until: till,
    userId,
    text: text === '' ? undefined : text,
    organizationId: role.superuser ? undefined : user.organizationId,
  };
}

function present(entry: HashedEntry): z.input<typeof Entry> {
  return { ...entry, details: { ...entry.details } };
}

const COLUMNS = [
  'id',
  'time',
  'kind',
  'action',
  'way',
  'userId',
  'login',
  'keyId',
  'address',
  'subjectId',
  'subject',
  'details',
  'hash',
] as const satisfies readonly (keyof HashedEntry)[];

async function* linesOf(entries: AsyncIterable<HashedEntry>, format: 'jsonl' | 'csv'): AsyncGenerator<string> {
  if (format === 'csv') yield `\uFEFF${COLUMNS.join(',')}\r\n`;
  let lines = '';
  for await (const entry of entries) {
    lines +=
      format === 'csv' ? `${COLUMNS.map((name) => cell(name, entry)).join(',')}\r\n` : `${JSON.stringify(entry)}\n`;
    if (lines.length < 50_000) continue;
    yield lines;
    lines = '';
  }
  if (lines !== '') yield lines;
}

function cell(name: (typeof COLUMNS)[number], entry: HashedEntry): string {
  const value = entry[name];
  if (value === null) return '';
  const text =
    name === 'time'
      ? new Date(entry.time).toISOString()
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  // A spreadsheet takes such a beginning for a formula.
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
