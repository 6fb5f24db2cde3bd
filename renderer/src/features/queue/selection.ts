/** The rows that something is to be done to, and the one from which a range is drawn. */
export interface Selection {
  readonly ids: ReadonlySet<number>;
  readonly anchor: number | undefined;
}

export const EMPTY_SELECTION: Selection = { ids: new Set(), anchor: undefined };

/** A row more, or less. */
export function toggled({ ids }: Selection, id: number): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/**
 * Selects from the anchor to `id` in the shown order; without an anchor from `start`. Other selected rows are
 * deselected, as in other lists.
 */
export function rangeTo(
  { anchor }: Selection,
  id: number,
  shown: readonly number[],
  start: number | undefined,
): Selection {
  const origin =
    anchor !== undefined && shown.includes(anchor) ? anchor : start !== undefined && shown.includes(start) ? start : id;
  const [from, to] = [shown.indexOf(origin), shown.indexOf(id)].sort((a, b) => a - b) as [number, number];
  return { ids: new Set(shown.slice(Math.max(0, from), to + 1)), anchor: origin };
}

export function everything(shown: readonly number[]): Selection {
  return { ids: new Set(shown), anchor: shown[0] };
}

/** Rows that have left the list are deselected. */
export function keptOf(selection: Selection, present: (id: number) => boolean): Selection {
  if ([...selection.ids].every(present)) return selection;
  return { ids: new Set([...selection.ids].filter(present)), anchor: selection.anchor };
}
