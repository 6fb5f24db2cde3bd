import { expect, onTestFinished, test } from 'vitest';
import { Chance, SEED } from '../../support/chance.ts';
import { times } from '../../support/long.ts';
import { Torture } from './torture.ts';

test(
  `[sync 77] stations that are cut off, killed, set back and wiped while everybody writes are equal in the end, and nothing is lost (WAYPOST_SEED=${SEED})`,
  { timeout: times(600_000, 7_200_000) },
  async () => {
    const torture = new Torture({
      chance: new Chance(),
      shape: 'ring',
      stations: 3,
      writers: 4,
      tasks: 20,
      duration: times(12_000, 3_600_000),
      say: (line) => console.log(line),
    });
    onTestFinished(() => torture.close());
    await torture.run();
    expect(torture.counts.edits).toBeGreaterThan(20);
  },
);
