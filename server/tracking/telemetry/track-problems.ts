import { damagedMonthFiles } from './months/months.ts';
import { damagedTrackFiles } from './tracks/damaged-tracks.ts';

export interface TrackProblem {
  code: string;
  text: string;
}

/** Problems of the tracks, for the health of the station. Empty: all is well. */
export function trackProblems(now: {
  readonly directory: string;
  /** The damage found in `tracks.db` since the start. */
  readonly damage: string | undefined;
  /** The writer takes in nothing more. */
  readonly isClosed: boolean;
  /** Why positions are not moved into the files of their months. */
  readonly noRoom: string | undefined;
  /** Why old months cannot be read or moved. */
  readonly historian: string | undefined;
}): TrackProblem[] {
  const { directory, damage, isClosed, noRoom, historian } = now;
  const problems: TrackProblem[] = [];
  if (isClosed)
    problems.push({ code: 'tracks.closed', text: 'No positions are accepted until the station is restarted.' });
  if (damage !== undefined)
    problems.push({
      code: 'tracks.damaged',
      text: `tracks.db is damaged (${damage}). Restart the station: it then starts a new one.`,
    });
  if (noRoom !== undefined) problems.push({ code: 'tracks.noRoom', text: noRoom });
  if (historian !== undefined) problems.push({ code: 'tracks.historian', text: historian });
  for (const name of [...damagedTrackFiles(directory), ...damagedMonthFiles(directory)])
    problems.push({
      code: 'tracks.set-aside',
      text: `Positions from before the damage are only in the file ${name}.`,
    });
  return problems;
}
