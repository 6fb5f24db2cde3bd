/** A layout or view that this person keeps, as far as it may come from a shared one. */
export interface KeptPreset {
  readonly id: string;
  readonly name: string;
  /** The shared one that it follows; missing: none. */
  readonly sharedId?: number;
  /** Epoch ms of its last applied change. */
  readonly sharedAt?: number;
}

/** A shared one, as the replica has it. */
interface SharedSource {
  readonly id: number;
  readonly name: string;
  readonly content: string;
  readonly isDeleted: boolean;
  readonly changedAt: number;
}

/**
 * Applies later changes of the shared layouts and views that are followed. A withdrawn one changes nothing:
 * its followers keep the last content. Returns the same list if nothing changes.
 */
export function followPresets<T extends KeptPreset>(
  kept: readonly T[],
  sharedBy: (id: number) => SharedSource | undefined,
  read: (source: SharedSource, id: string) => T | undefined,
): readonly T[] {
  let changed = false;
  const followed = kept.map((one) => {
    const source = one.sharedId === undefined ? undefined : sharedBy(one.sharedId);
    if (!source || source.isDeleted || source.changedAt <= (one.sharedAt ?? 0)) return one;
    const fresh = read(source, one.id);
    if (!fresh) return one; // of another version of this console
    changed = true;
    return { ...fresh, sharedId: source.id, sharedAt: source.changedAt };
  });
  return changed ? followed : kept;
}

/** One's own from now on: later changes of the shared one no longer come. The id is free for taking that again. */
export function asOwn<T extends KeptPreset>({ sharedId, sharedAt: _at, ...own }: T): T {
  return (sharedId === undefined ? own : { ...own, id: crypto.randomUUID() }) as unknown as T;
}

/** The marks of a stored one that follows; those of another type are dropped. */
export function readMarks(stored: unknown): Pick<KeptPreset, 'sharedId' | 'sharedAt'> {
  const { sharedId, sharedAt } = (stored ?? {}) as Partial<Record<keyof KeptPreset, unknown>>;
  return typeof sharedId === 'number' && typeof sharedAt === 'number' ? { sharedId, sharedAt } : {};
}
