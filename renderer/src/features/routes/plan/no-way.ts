import type { Client } from '../../../lib/api/client.ts';
import type { DriveQuestion } from '../options/drive.ts';
import { readTable, tableAddress, type TravelTable } from '../times/travel-table.ts';

/**
 * Two stops that follow each other, by the place of the first in the question, between which there is no way.
 */
export interface BrokenLeg {
  readonly from: number;
  /** There is one in the other direction: what bars the way is a one-way street. */
  readonly wayBack: boolean;
}

/**
 * Which legs of a drive have no way even on their own. None: each has one, but one cannot go on from a stop
 * in the direction in which it is reached.
 */
export function brokenLegs({ times }: Pick<TravelTable, 'times'>): readonly BrokenLeg[] {
  return times
    .slice(1)
    .flatMap((row, from): BrokenLeg[] =>
      times[from]![from + 1] === undefined ? [{ from, wayBack: row[from] !== undefined }] : [],
    );
}

export async function askBrokenLegs(client: Client, { places, profile }: DriveQuestion): Promise<readonly BrokenLeg[]> {
  return brokenLegs(readTable(places, places, await client.ask(tableAddress(places, places, profile))));
}
