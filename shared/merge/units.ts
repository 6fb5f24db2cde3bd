import { partsOf, valueOfParts, type PartKind } from './parts.ts';

/**
 * The field and the part of a unit that merges separately: `customValues.12` is part 12 of `customValues`.
 */
export function splitUnit(unit: string): { readonly field: string; readonly part: string | undefined } {
  const dot = unit.indexOf('.');
  return dot < 0 ? { field: unit, part: undefined } : { field: unit.slice(0, dot), part: unit.slice(dot + 1) };
}

/** The value of a whole field with one part set; null removes the part. */
export function withPart(whole: unknown, kind: PartKind, part: string, value: unknown): unknown {
  const parts = partsOf(whole, kind);
  if (value === null) parts.delete(part);
  else parts.set(part, value);
  return valueOfParts(parts, kind);
}
