import type { HistoryLine } from '../api/types.ts';

/** One change of one field, as it is told: a custom field by its id. */
export interface ToldChange {
  readonly line: HistoryLine;
  /** The interface's name, or `custom:` and the id of a custom field. */
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The history, newest first, with one entry for each custom field that a change of all of them touched. */
export function toldChanges(history: readonly HistoryLine[]): ToldChange[] {
  return history.flatMap((line): ToldChange[] => (line.field === 'custom_fields' ? customChanges(line) : [{ line, field: line.field, from: line.from, to: line.to }])).reverse();
}

/** Changes that one person made in one step. */
export interface Step {
  readonly line: HistoryLine;
  readonly changes: readonly ToldChange[];
}

/** The history step by step, newest first. */
export function steps(history: readonly HistoryLine[]): Step[] {
  const found: { line: HistoryLine; changes: ToldChange[] }[] = [];
  for (const change of toldChanges(history)) {
    const last = found.at(-1);
    const { line } = change;
    if (last && last.line.date === line.date && last.line.user_id === line.user_id && last.line.note === line.note) last.changes.push(change);
    else found.push({ line, changes: [change] });
  }
  return found;
}

function customChanges(line: HistoryLine): ToldChange[] {
  const [from, to] = [valuesOf(line.from), valuesOf(line.to)];
  const ids = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  const changed = ids.filter((id) => JSON.stringify(from[id]) !== JSON.stringify(to[id]));
  return changed.map((id) => ({ line, field: `custom:${id}`, from: from[id] ?? null, to: to[id] ?? null }));
}

function valuesOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
