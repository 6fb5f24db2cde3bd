import { z } from 'zod';
import * as shapes from '../../../../shared/records/index.ts';
import { COLLECTIONS } from '../../../../shared/records/index.ts';
import type { CollectionName } from '../../../store/types.ts';

/**
 * The collections that replicate, in groups: a station that takes over everything has a group before it begins
 * the next, so that records come after those that they name. Last states of vehicles travel in a lane of their
 * own (SPEC 70).
 */
const FIRST: readonly (readonly CollectionName[])[] = [['directories', 'accounts', 'vehicles', 'fleet']];
const LAST: readonly (readonly CollectionName[])[] = [['events', 'alarms']];
const APART: readonly CollectionName[] = ['vehicleStates'];

const placed = new Set([...FIRST.flat(), ...LAST.flat(), ...APART]);
const others = (Object.keys(COLLECTIONS) as CollectionName[]).filter((name) => !placed.has(name));

export const GROUPS: readonly (readonly CollectionName[])[] = [...FIRST, others, ...LAST];
export const REPLICATED: readonly CollectionName[] = GROUPS.flat();

export function isReplicated(name: unknown): name is CollectionName {
  return REPLICATED.includes(name as CollectionName);
}

/** The schemas of each kind in collections that hold several kinds. */
const KINDS: Partial<Record<CollectionName, Map<string, z.ZodObject>>> = Object.fromEntries(
  (['directories', 'accounts', 'fleet'] as const).map((name) => [name, new Map<string, z.ZodObject>()]),
);

for (const schema of Object.values(shapes)) {
  if (!(schema instanceof z.ZodObject)) continue;
  const kind = (schema.shape as z.ZodRawShape)['kind'];
  if (!(kind instanceof z.ZodLiteral)) continue;
  for (const kinds of Object.values(KINDS)) kinds.set(String(kind.value), schema.strict());
}

const plain = new Map(REPLICATED.map((name) => [name, (COLLECTIONS[name].record as z.ZodObject).strict()]));

/** Whether its keys begin with the kind. */
export function hasKinds(collection: CollectionName): boolean {
  return collection in KINDS;
}

/** The kinds that records of the collection may have. */
export function kindsOf(collection: CollectionName): readonly string[] {
  return [...(KINDS[collection]?.keys() ?? [])];
}

/** The schema of a record; undefined: this program does not know its kind. */
export function recordSchemaOf(
  collection: CollectionName,
  record: Readonly<Record<string, unknown>>,
): z.ZodObject | undefined {
  const kinds = KINDS[collection];
  return kinds ? kinds.get(String(record.kind)) : plain.get(collection);
}
