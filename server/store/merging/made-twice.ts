import { hash } from 'node:crypto';
import { ID_SPACE, keyOf, kindKeyOf, LAST_STATION } from '../../../shared/ids.ts';
import { isEdit, stationOf } from '../../../shared/merge/stamps.ts';
import type { Stamps } from '../../../shared/records/index.ts';
import type { MergedDocument, PlainDocument } from '../storage/storage.ts';

/** Above the ids that stations count and up to the largest of 32 bits. */
export const FIRST_RENUMBERED = (LAST_STATION + 1) * ID_SPACE;
const RENUMBERED = 2_147_483_647 - FIRST_RENUMBERED;

const WITH_COUNTED_IDS: ReadonlySet<string> = new Set(['tasks', 'comments', 'attachments', 'history', 'vehicles']);
const WITH_COUNTED_KINDS: ReadonlySet<string> = new Set(['directories', 'accounts', 'fleet']);
/** Kinds with the ids of other records, or with one that is fixed. */
const OTHER_KINDS: ReadonlySet<string> = new Set([
  'status',
  'posting',
  'zoneOwner',
  'reviewPeriod',
  'closurePast',
  'alarmRules',
  'eventSettings',
  'vehicleEventSettings',
  'shiftSettings',
  'dispatchSettings',
  'crewSign',
  'crewPhone',
  'preferences',
]);

/** Whether ids of these records come from a counter of the station that makes them. */
export function hasCountedIds(collection: string, kind?: string): boolean {
  return WITH_COUNTED_KINDS.has(collection)
    ? kind !== undefined && !OTHER_KINDS.has(kind)
    : WITH_COUNTED_IDS.has(collection);
}

/**
 * Two records with one id: a station made the second one after it was set back to a state without the first.
 * The earlier one keeps the id. The other gets one that is a digest, so that every station finds the same.
 * Undefined: it is one record. `collection` is the key of `COLLECTIONS`.
 */
export function separated(
  collection: string,
  stored: PlainDocument & { hlc: Stamps },
  incoming: PlainDocument & { hlc: Stamps },
): (MergedDocument & { readonly renumbered: MergedDocument }) | undefined {
  if (!wasMadeTwice(collection, stored, incoming)) return undefined;
  const isStoredFirst = stored.hlc.base < incoming.hlc.base;
  const [first, later] = isStoredFirst ? [stored, incoming] : [incoming, stored];
  const kind = WITH_COUNTED_KINDS.has(collection) ? (later['kind'] as string) : undefined;
  const id = renumberedId(`${collection}|${String(later['key'])}|${later.hlc.base}`);
  const stamp = later.hlc.base;
  const document = { ...later, id, key: kind === undefined ? keyOf(id) : kindKeyOf(kind, id) };
  const said = { field: 'id', kept: { value: id, stamp }, lost: { value: later['id'], stamp } };
  const isSaid = !later._deleted && collection !== 'history';
  return {
    document: first,
    changed: !isStoredFirst,
    lost: [],
    renumbered: { document, changed: true, lost: isSaid ? [said] : [] },
  };
}

/** Both stamps of creation name the station whose id it is, and neither record was created again under its key. */
function wasMadeTwice(
  collection: string,
  a: PlainDocument & { hlc: Stamps },
  b: PlainDocument & { hlc: Stamps },
): boolean {
  const id = a['id'] as number;
  if (a.hlc.base === b.hlc.base || !isEdit(a.hlc.base) || !isEdit(b.hlc.base) || id >= FIRST_RENUMBERED) return false;
  const station = Math.floor(id / ID_SPACE);
  return (
    hasCountedIds(collection, a['kind'] as string | undefined) &&
    [a, b].every(({ hlc }) => stationOf(hlc.base) === station && (hlc.fields['~'] ?? hlc.base) === hlc.base)
  );
}

function renumberedId(text: string): number {
  return FIRST_RENUMBERED + (hash('sha256', text, 'buffer').readUIntBE(0, 6) % RENUMBERED);
}
