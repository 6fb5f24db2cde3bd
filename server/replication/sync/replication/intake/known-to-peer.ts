import { joinStamps } from '../../../../../shared/merge/merge.ts';
import type { Stamps } from '../../../../../shared/records/index.ts';

/** The most records that are remembered of one collection. */
const MOST = 20_000;

/**
 * The stamps of records that the other station sent lately: unchanged ones need not be sent back. A cache:
 * sending a record twice does no harm.
 */
export class KnownToPeer {
  readonly #stamps = new Map<string, string>();

  note(key: string, hlc: Stamps): void {
    this.#stamps.delete(key);
    this.#stamps.set(key, textOf(hlc));
    if (this.#stamps.size > MOST) this.#stamps.delete(this.#stamps.keys().next().value!);
  }

  /** Whether the other station has the record as it is stored here; `data` is its JSON. */
  has(key: string, data: string): boolean {
    const known = this.#stamps.get(key);
    return known !== undefined && known === textOf((JSON.parse(data) as { hlc: Stamps }).hlc);
  }
}

function textOf(hlc: Stamps): string {
  return JSON.stringify(joinStamps(hlc, hlc));
}
