import type { HistoryLine } from '../../lib/api/types.ts';

/** Changes that one person made in one step. */
export interface HistoryStep {
  readonly line: HistoryLine;
  readonly changes: readonly HistoryLine[];
}

/** The history step by step, newest first. */
export function steps(history: readonly HistoryLine[]): HistoryStep[] {
  const found: { line: HistoryLine; changes: HistoryLine[] }[] = [];
  for (const line of history.toReversed()) {
    const last = found.at(-1);
    if (last && last.line.date === line.date && last.line.user_id === line.user_id && last.line.note === line.note)
      last.changes.push(line);
    else found.push({ line, changes: [line] });
  }
  return found;
}
