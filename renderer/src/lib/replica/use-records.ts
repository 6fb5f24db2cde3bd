import { computed, type ComputedRef } from 'vue';
import type { LiveRecords } from './live-records.ts';
import type { ReplicaRecords } from './schemas.ts';
import { useLive } from '../stores/live.ts';

type OfKind<T extends { kind: string }, K extends T['kind']> = Extract<T, { kind: K }>;

/**
 * The records of one kind of a collection that holds several, kept current by the replica: the present and
 * the deleted ones.
 */
interface KindRecords<T> {
  readonly current: ComputedRef<readonly T[]>;
  readonly deleted: ComputedRef<readonly T[]>;
}

export function useDirectoryRecords<K extends ReplicaRecords['directories']['kind']>(
  kind: K,
): KindRecords<OfKind<ReplicaRecords['directories'], K>> {
  return ofKind(useLive().records.directories, kind);
}

export function useAccountRecords<K extends ReplicaRecords['accounts']['kind']>(
  kind: K,
): KindRecords<OfKind<ReplicaRecords['accounts'], K>> {
  return ofKind(useLive().records.accounts, kind);
}

export function useFleetRecords<K extends ReplicaRecords['fleet']['kind']>(
  kind: K,
): KindRecords<OfKind<ReplicaRecords['fleet'], K>> {
  return ofKind(useLive().records.fleet, kind);
}

function ofKind<T extends { key: string; id: number; kind: string; isDeleted: boolean }, K extends T['kind']>(
  records: LiveRecords<T>,
  kind: K,
): KindRecords<OfKind<T, K>> {
  const all = computed(() => {
    void records.version.value; // the records themselves are plain
    return ([...records.values()].filter((record) => record.kind === kind) as OfKind<T, K>[]).sort(
      (one, other) => one.id - other.id,
    );
  });
  return {
    current: computed(() => all.value.filter((record) => !record.isDeleted)),
    deleted: computed(() => all.value.filter((record) => record.isDeleted)),
  };
}
