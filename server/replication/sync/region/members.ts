import { z } from 'zod';
import { parsedJson } from '../../../platform/parsing/parsed-json.ts';
import type { LinkedStation } from '../types.ts';

/** Report that each station of the region sends every few seconds. */
const MemberReport = z.object({
  id: z.string().max(100),
  number: z.int().min(0).max(213),
  name: z.string().max(100),
  version: z.string().max(40),
  /** Over all its replicated records; empty while it is counted. */
  digest: z.string().max(64),
  records: z.int().min(0),
  /** Records that it has not read, and those that it has not published. */
  waitingIn: z.int().min(0),
  waitingOut: z.int().min(0),
  /** Files whose bytes it waits for. */
  pendingFiles: z.int().min(0),
});
export type MemberReport = z.infer<typeof MemberReport>;

/** Another station of the region. */
export interface RegionMember {
  readonly station: LinkedStation;
  readonly report: MemberReport;
  /** Epoch ms. */
  readonly heardAt: number;
  /** It announced itself within the last seconds. */
  readonly isHere: boolean;
}

/** ms after which a silent station counts as offline. */
export const AWAY_AFTER = 10_000;

/** The other stations of the region that have announced themselves since the start. */
export class Members {
  readonly #ownId: string;
  readonly #now: () => number;
  readonly #members = new Map<string, { readonly report: MemberReport; readonly heardAt: number }>();

  constructor(ownId: string, now: () => number) {
    this.#ownId = ownId;
    this.#now = now;
  }

  /** Returns whether the bytes tell something new. */
  hear(bytes: Uint8Array): boolean {
    const { data: report } = MemberReport.safeParse(parsedJson(Buffer.from(bytes).toString('utf8')));
    if (!report || report.id === this.#ownId) return false;
    const before = this.#members.get(report.id);
    this.#members.set(report.id, { report, heardAt: this.#now() });
    return !before || this.#now() - before.heardAt > AWAY_AFTER || before.report.digest !== report.digest;
  }

  all(): readonly RegionMember[] {
    const now = this.#now();
    return [...this.#members.values()]
      .map(({ report, heardAt }) => ({
        station: { id: report.id, number: report.number, name: report.name },
        report,
        heardAt,
        isHere: now - heardAt <= AWAY_AFTER,
      }))
      .sort((a, b) => a.station.number - b.station.number);
  }
}
