import { joinStamps } from '../../../../shared/merge/merge.ts';
import type { Stamps } from '../../../../shared/records/index.ts';

/** The most records that are remembered of one collection. */
const MOST = 20_000;

/**
 * The last entries of the stream, by key: the record's state there, and its sequence. A cache: missing
 * entries are requested from the stream.
 */
export class LastEntries {
  readonly #entries = new Map<string, { readonly sequence: number; readonly stamps: string }>();

  note(key: string, sequence: number, hlc: Stamps): void {
    const known = this.#entries.get(key);
    if (known && known.sequence > sequence) return;
    this.#entries.delete(key);
    this.#entries.set(key, { sequence, stamps: stampsText(hlc) });
    if (this.#entries.size > MOST) this.#entries.delete(this.#entries.keys().next().value!);
  }

  /** Whether the stream has the record with these stamps. */
  has(key: string, hlc: Stamps): boolean {
    return this.#entries.get(key)?.stamps === stampsText(hlc);
  }

  /** 0: unknown. */
  sequenceOf(key: string): number {
    return this.#entries.get(key)?.sequence ?? 0;
  }
}

function stampsText(hlc: Stamps): string {
  return JSON.stringify(joinStamps(hlc, hlc));
}
