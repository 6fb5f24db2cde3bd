import type { Request } from 'express';
import { z } from 'zod';
import { Refusal } from '../../../../shared/refusal.ts';
import { LAST_ID, queryInt } from '../../request/fields.ts';
import type { Column, EntitySet } from './entity-set.ts';
import { parseFilter, type Filter } from './parse-filter.ts';

export const ODataQuery = z.object({
  $filter: z
    .string()
    .max(8_000)
    .optional()
    .meta({ examples: ["status eq 'new' and priority le 2"] }),
  $select: z
    .string()
    .max(2_000)
    .optional()
    .meta({ examples: ['id,title,date'] }),
  $orderby: z
    .string()
    .max(500)
    .optional()
    .meta({ examples: ['date desc'] }),
  $top: queryInt(0, LAST_ID).optional(),
  $skip: queryInt(0, LAST_ID).optional(),
  $count: z.enum(['true', 'false']).optional(),
  $format: z.string().max(100).optional(),
  $skiptoken: z.string().max(100).optional().meta({ description: 'As `@odata.nextLink` has it' }),
});

export const MOST_SORTED_BY = 5;

export interface SetQuery<Entry> {
  readonly filter: Filter<Entry> | undefined;
  readonly columns: readonly Column<Entry>[];
  readonly isSelected: boolean;
  readonly orderBy: readonly { readonly column: Column<Entry>; readonly sign: 1 | -1 }[];
  readonly top: number | undefined;
  readonly skip: number;
  readonly withCount: boolean;
  readonly behind: string | undefined;
}

/** Throws a refusal for options that the set does not have, or that are not supported. */
export function setQueryOf<Entry>(
  set: EntitySet<Entry>,
  asked: z.output<typeof ODataQuery>,
  request: Request,
): SetQuery<Entry> {
  requireKnownOptions(request);
  const { $filter, $select, $orderby, $top, $skip = 0, $count, $format, $skiptoken } = asked;
  if ($format !== undefined && !/^(json|application\/json(;.*)?)$/.test($format))
    throw new Refusal('odata.option', { name: `$format=${$format}` });
  const isSelected = $select !== undefined && $select.trim() !== '*';
  return {
    filter: $filter === undefined ? undefined : parseFilter($filter, set.columns),
    columns: isSelected ? selected(set, $select) : set.columns,
    isSelected,
    orderBy: $orderby === undefined ? [] : ordered(set, $orderby),
    top: $top,
    skip: $skip,
    withCount: $count === 'true',
    behind: $skiptoken,
  };
}

/** Names without `$` are a program's own, and nothing of OData. */
export function requireKnownOptions(request: Request, known: readonly string[] = Object.keys(ODataQuery.shape)): void {
  const name = Object.keys(request.query).find((each) => each.startsWith('$') && !known.includes(each));
  if (name !== undefined) throw new Refusal('odata.option', { name: name.slice(0, 100) });
}

function selected<Entry>(set: EntitySet<Entry>, text: string): Column<Entry>[] {
  const names = new Set(text.split(',').map((name) => name.trim()));
  for (const name of names) columnOf(set, name, '$select');
  return set.columns.filter(({ name }) => names.has(name));
}

function ordered<Entry>(set: EntitySet<Entry>, text: string): SetQuery<Entry>['orderBy'] {
  const parts = text.split(',');
  if (parts.length > MOST_SORTED_BY) throw new Refusal('odata.deep', { option: '$orderby', most: MOST_SORTED_BY });
  let at = 1;
  return parts.map((part) => {
    const [, name = '', direction] = /^\s*(\S+)(?:\s+(asc|desc))?\s*$/.exec(part) ?? [];
    if (name === '')
      throw new Refusal('odata.syntax', { option: '$orderby', wanted: 'a property, then asc or desc', at });
    at += part.length + 1;
    return { column: columnOf(set, name, '$orderby'), sign: direction === 'desc' ? -1 : 1 };
  });
}

function columnOf<Entry>({ columns }: EntitySet<Entry>, name: string, option: string): Column<Entry> {
  const found = columns.find((column) => column.name === name);
  if (!found) throw new Refusal('odata.property', { option, name: name.slice(0, 100) });
  return found;
}
