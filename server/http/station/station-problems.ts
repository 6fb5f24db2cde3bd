import { backupProblems } from './backups.ts';
import { diskProblems } from './station.ts';

interface Problem {
  readonly code: string;
  readonly text: string;
}

interface WithProblems {
  problems(): readonly Problem[];
}

interface ProblemSources {
  readonly store: { readonly file: string };
  readonly telemetry: WithProblems;
  readonly territoryProblems: () => readonly Problem[];
  readonly regionProblems: () => readonly Problem[];
  readonly backups: Parameters<typeof backupProblems>[0];
  readonly mailbox: WithProblems;
  readonly warnings: WithProblems;
}

/** The faults that keep rooms of the station from their work, with a code and in words. */
export function stationProblems(rooms: ProblemSources): readonly Problem[] {
  return [
    ...diskProblems(rooms.store.file),
    ...rooms.telemetry.problems(),
    ...rooms.territoryProblems(),
    ...rooms.regionProblems(),
    ...backupProblems(rooms.backups),
    ...rooms.mailbox.problems(),
    ...rooms.warnings.problems(),
  ];
}
