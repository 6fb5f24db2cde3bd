import type { Client } from '../../../lib/api/client.ts';
import type { DriveQuestion } from '../options/drive.ts';
import { readTravelTable, tableAddress, type TravelTable } from '../times/travel-table.ts';

/**
 * Two stops that follow each other, by the place of the first in the question, between which there is no way.
 */
export interface BrokenLeg {
  readonly from: number;
  /** There is a route in the other direction: a one-way street blocks this one. */
  readonly wayBack: boolean;
}

/**
 * The legs of a drive that have no route even alone. Empty: each leg has one, but the vehicle cannot continue
 * from a stop without turning back.
 */
export function brokenLegs({ times }: Pick<TravelTable, 'times'>): readonly BrokenLeg[] {
  return times
    .slice(1)
    .flatMap((row, from): BrokenLeg[] =>
      times[from]![from + 1] === undefined ? [{ from, wayBack: row[from] !== undefined }] : [],
    );
}

export async function findBrokenLegs(
  client: Client,
  { places, profile }: DriveQuestion,
): Promise<readonly BrokenLeg[]> {
  return brokenLegs(readTravelTable(places, places, await client.ask(tableAddress(places, places, profile))));
}
