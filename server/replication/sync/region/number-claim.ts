import { LAST_STATION } from '../../../../shared/ids.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { wrongLastSequence, type RegionStream, type Subjects } from '../../nats/index.ts';
import type { Store } from '../../../store/types.ts';

interface NumberClaim {
  readonly store: Store;
  readonly stream: RegionStream;
  readonly subjects: Subjects;
  /** Whether the station has given out no ids yet, and may take another number. */
  mayRenumber(): boolean;
}

/**
 * Makes sure that no other station of the region has the number of this one: ids begin with it. A fresh
 * station takes the lowest free one if its own is taken. The stream stores the owner of each number.
 */
export async function claimNumber({ store, stream, subjects, mayRenumber }: NumberClaim): Promise<void> {
  for (;;) {
    const holder = await holderOf(stream, subjects.number(store.stationNumber));
    if (holder === store.stationId) return;
    if (holder === undefined) {
      if (await put(stream, subjects.number(store.stationNumber), store.stationId)) return;
      continue;
    }
    if (!mayRenumber()) throw new Refusal('sync.numberFixed', { number: store.stationNumber });
    await store.renumber(await freeNumber(stream, subjects));
  }
}

async function holderOf(stream: RegionStream, subject: string): Promise<string | undefined> {
  const entry = await stream.manager.streams.getMessage(stream.name, { last_by_subj: subject });
  return entry?.string();
}

async function put(stream: RegionStream, subject: string, stationId: string): Promise<boolean> {
  try {
    await stream.client.publish(subject, stationId, { expect: { lastSubjectSequence: 0 } });
    return true;
  } catch (error) {
    if (wrongLastSequence(error)) return false;
    throw error;
  }
}

async function freeNumber(stream: RegionStream, subjects: Subjects): Promise<number> {
  const { state } = await stream.manager.streams.info(stream.name, { subjects_filter: subjects.numbers });
  const taken = new Set(Object.keys(state.subjects ?? {}).map((subject) => Number(subjects.keyOf(subject))));
  for (let number = 0; number <= LAST_STATION; number++) if (!taken.has(number)) return number;
  throw new Refusal('sync.noFreeNumber');
}
