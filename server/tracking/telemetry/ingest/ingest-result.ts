import type { ValidRecord } from '../records/fix.ts';
import type { NewQuarantineEntry } from '../quarantine/quarantine.ts';
import type { Sender } from '../quarantine/quarantine-quota.ts';
import { OUTCOME, writeOutcome, type WrittenGroup } from '../writing/write-orders.ts';
import type { QueuedRecord, WriteCallback } from '../writing/writer-thread.ts';

/** The outcomes of the records of one call; `index` counts within it. */
export interface IngestResult {
  accepted: number;
  duplicates: number;
  quarantined: RefusedPoint[];
}

/** A record that is not in the track. */
export interface RefusedPoint {
  readonly index: number;
  reason: string;
  /** It is not in the quarantine either: its sender sent too many. */
  dropped?: true;
}

/** How many records are on disk, in the track or in the quarantine. */
export function countStored({ accepted, duplicates, quarantined }: IngestResult): number {
  return quarantined.reduce((sum, { dropped }) => sum + (dropped ? 0 : 1), accepted + duplicates);
}

/** Waits for one record, without a promise. */
export interface IngestCallback {
  /** @param onDisk in the track or in the quarantine; false: dropped, because its sender sent too many */
  stored(onDisk: boolean): void;
  failed(error: unknown): void;
}

/** The records of one call while they are written. */
export class PendingIntake {
  readonly sender: Sender | undefined;
  readonly intake: IngestResult = { accepted: 0, duplicates: 0, quarantined: [] };
  /** Input of the quarantine, and the result for the sender. */
  readonly faults: NewQuarantineEntry[] = [];
  readonly refused: RefusedPoint[] = [];
  quarantining: Promise<unknown> | undefined;
  /** Runs of records of one group. */
  readonly #runs: { readonly written: Promise<WrittenGroup>; readonly first: number; readonly indexes: number[] }[] =
    [];

  constructor(sender: Sender | undefined) {
    this.sender = sender;
  }

  sent(index: number, { written, index: place }: QueuedRecord): void {
    const run = this.#runs.at(-1);
    if (run && run.written === written && run.first + run.indexes.length === place) run.indexes.push(index);
    else this.#runs.push({ written, first: place, indexes: [index] });
  }

  /**
   * Counts the outcomes when all records are on disk. Resolves with the indexes of records that conflict with
   * a stored one.
   */
  async outcomes(): Promise<number[]> {
    const conflicts: number[] = [];
    // Usually a record arrives alone.
    const answers =
      this.#runs.length === 1 && !this.quarantining
        ? [await this.#runs[0]!.written]
        : await Promise.all([...this.#runs.map(({ written }) => written), this.quarantining]);
    this.#runs.forEach(({ first, indexes }, run) => {
      const { outcomes } = answers[run] as WrittenGroup;
      indexes.forEach((index, i) => {
        const outcome = writeOutcome(outcomes[first + i]!);
        if (outcome === OUTCOME.accepted) this.intake.accepted++;
        else if (outcome === OUTCOME.duplicate) this.intake.duplicates++;
        else conflicts.push(index);
      });
    });
    return conflicts;
  }
}

/** One record being written. */
export class PendingRecord implements WriteCallback {
  readonly #ingestSlowly: IngestSlowly;
  readonly #record: ValidRecord;
  readonly #source: string;
  readonly #waits: IngestCallback;
  readonly #sender: Sender | undefined;

  constructor(
    takeAlone: IngestSlowly,
    record: ValidRecord,
    source: string,
    waits: IngestCallback,
    sender: Sender | undefined,
  ) {
    this.#ingestSlowly = takeAlone;
    this.#record = record;
    this.#source = source;
    this.#waits = waits;
    this.#sender = sender;
  }

  written(outcome: number): void {
    if (outcome === OUTCOME.conflict) this.#ingestSlowly(this.#record, this.#source, this.#waits, this.#sender);
    else this.#waits.stored(true);
  }

  failed(error: unknown): void {
    this.#waits.failed(error);
  }
}

/** The slow path of a record. */
type IngestSlowly = (record: unknown, source: string, waits: IngestCallback, sender: Sender | undefined) => void;
