import { z } from 'zod';
import type { RegionReport, StandbyState, SyncState } from '../../replication/sync/index.ts';
import { instant } from '../request/fields.ts';
import { LinkStates, StationAnswer, Waiting } from './link-answer.ts';

export const StandbyAnswer = z
  .object({
    station: StationAnswer.meta({ description: 'The station that this one follows' }),
    isConnected: z.boolean(),
    filled: z.number().meta({ description: 'How much of its records is here while this station is filled, 0 to 1' }),
    behind: z
      .int()
      .nullable()
      .meta({ description: 'Seconds since both stations last had the same records; null: they never had' }),
    confirmedAt: instant.nullable().meta({ description: 'When both stations last had the same records' }),
    lastContact: instant.nullable(),
  })
  .meta({ id: 'Standby' });
const RegionAnswer = z
  .object({
    name: z.string(),
    state: z.enum(['synced', 'behind', 'away']).meta({
      description:
        '`synced`: the region has every record of this station, this one has all of the region, and all stations that are there have equal digests. `away`: no server of the region answers',
    }),
    waitingIn: z.int().meta({ description: 'Records in the region that are not here' }),
    waitingOut: z.int().meta({ description: 'Records here that are not in the region' }),
    refused: z.int().meta({ description: 'Records of other stations that are not taken in' }),
    problem: z.string().nullable().meta({ description: 'What went wrong last, as a sentence' }),
    stations: z
      .array(
        z.object({
          station: StationAnswer,
          isHere: z.boolean().meta({ description: 'It told of itself within the last 10 s' }),
          isEqual: z.boolean().meta({ description: 'It told the digest that this station has now' }),
          lastContact: instant,
        }),
      )
      .meta({ description: 'The other stations, as they told of themselves since the start' }),
  })
  .meta({ id: 'Region' });

export const SyncStateAnswer = z
  .object({
    state: z.enum(['synced', 'behind', 'alone']),
    waiting: z.int().meta({ description: 'Records and files that wait, in both directions of all links' }),
    kinds: Waiting,
    since: instant.meta({ description: 'Since when the state is what it is' }),
    standby: StandbyAnswer.nullable().meta({ description: 'null: this station leads' }),
    rivals: z
      .array(
        z.object({
          station: StationAnswer,
          since: instant,
          isPromotedHere: z.boolean().meta({ description: 'This station was promoted in place of that one' }),
        }),
      )
      .meta({ description: 'Stations that lead too, since a promotion that nobody has settled' }),
    behind: z
      .array(z.object({ station: StationAnswer, state: LinkStates, waiting: z.int(), since: instant }))
      .meta({ description: 'The stations that do not have the same records, and why' }),
    region: RegionAnswer.nullable().meta({ description: 'null: the station is in no region' }),
    digest: z.string().meta({
      description:
        'Equal at two stations exactly when their replicated records are; empty while it is counted at the first start',
    }),
  })
  .meta({ id: 'SyncState' });

/** Whether everything is replicated, in the form of the interface. */
export function presentSyncState({
  standby: state,
  rivals,
  behind,
  kinds,
  region,
  ...rest
}: SyncState): z.input<typeof SyncStateAnswer> {
  return {
    ...rest,
    region: region && presentRegion(region, rest.digest),
    kinds: [...kinds],
    behind: behind.map((one) => ({ ...one, station: { ...one.station } })),
    standby: state && presentStandby(state),
    rivals: rivals.map((rival) => ({ ...rival, station: { ...rival.station } })),
  };
}

export function presentStandby(state: StandbyState): z.input<typeof StandbyAnswer> {
  return { ...state, station: { ...state.station } };
}

function presentRegion(
  { name, state, waitingIn, waitingOut, refused, problem, members }: RegionReport,
  digest: string,
): z.input<typeof RegionAnswer> {
  return {
    ...{ name, state, waitingIn, waitingOut, refused },
    problem: problem ?? null,
    stations: members.map(({ station, report, isHere, heardAt }) => ({
      station: { ...station },
      isHere,
      isEqual: report.digest === digest,
      lastContact: heardAt,
    })),
  };
}
