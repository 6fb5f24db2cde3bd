import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { openFeedServer } from '../../support/feed-server.ts';
import { alert, info } from '../../unit/exchange/warnings/documents.ts';
import { tryStation, type TryStation } from '../try-station.ts';

export const HOUR = 3_600_000;
export const iso = (time: number) => new Date(time).toISOString().replace(/\.\d+Z/, '+00:00');
const soon = iso(Date.now() + 6 * HOUR);

interface Warned {
  readonly id: number;
  readonly texts: { readonly headline: string; readonly event: string }[];
  readonly severity: string;
  readonly endedAt: number | null;
  readonly proposal: { readonly state: string; readonly closureIds: number[]; over: boolean; changed: boolean } | null;
}

/** A station with the demo's territory and a publisher of feeds, for the tests of a file; each begins without feeds. */
export class WarnedStation {
  at!: TryStation;
  admin!: string;
  dispatcher!: string;
  viewer!: string;
  feeds!: Awaited<ReturnType<typeof openFeedServer>>;
  /** West, south, east, north of the territory. */
  box!: [number, number, number, number];

  constructor() {
    beforeAll(async () => {
      this.at = await tryStation({ demo: true, demoSpeed: 0 });
      this.admin = this.at.station.accounts.grantControl();
      this.dispatcher = (await this.at.newUser('dora', 'Dispatcher')).token;
      this.viewer = (await this.at.newUser('viktor', 'Viewer')).token;
      this.box = (await this.at.ok('GET', '/territory', { as: this.admin })).bounds;
    });
    afterAll(() => this.at.stop());
    beforeEach(async () => {
      this.feeds = await openFeedServer();
    });
    afterEach(async () => {
      for (const { id } of await this.at.ok('GET', '/warning-feeds', { as: this.admin }))
        await this.at.ok('DELETE', `/warning-feeds/${id}`, { as: this.admin });
      for (const { id } of await this.at.ok('GET', '/closures', { as: this.admin }))
        await this.at.ask('DELETE', `/closures/${id}`, { as: this.admin });
      await this.feeds.close();
    });
  }

  /** Warnings as a viewer sees them. */
  readonly now = (query = ''): Promise<Warned[]> => this.at.ok('GET', `/warnings${query}`, { as: this.viewer });
  readonly events = async () => (await this.now()).map(({ texts }) => texts[0]!.event);

  readonly follow = (path: string, fields: object = {}): Promise<{ id: number }> =>
    this.at.ok('POST', '/warning-feeds', {
      as: this.admin,
      body: { name: 'Weather', url: `${this.feeds.origin}${path}`, seconds: 3_600, ...fields },
    });

  readonly stateOf = async (id: number) =>
    (await this.at.ok('GET', '/warning-feeds', { as: this.admin })).find((feed: { id: number }) => feed.id === id);

  /** Resolves when the feed was read. */
  readonly read = (id: number) => eventually(async () => expect((await this.stateOf(id)).readAt).not.toBeNull());

  /** Looks again, and waits until what the publisher has now was taken. One look may have begun before: two count. */
  readonly lookAgain = async (id: number): Promise<void> => {
    await this.read(id);
    let looks = 0;
    let { readAt: last } = await this.stateOf(id);
    await eventually(async () => {
      await this.at.ok('POST', `/warning-feeds/${id}/look`, { as: this.admin });
      const { readAt } = await this.stateOf(id);
      if (readAt !== last) looks++;
      last = readAt;
      expect(looks).toBeGreaterThanOrEqual(2);
    });
  };

  /** A message of CAP about the territory. */
  readonly message = (
    identifier: string,
    event: string,
    more: Parameters<typeof alert>[0] = {},
    fields: object = {},
  ): string => {
    const [west, south, east, north] = this.box;
    const area = `<areaDesc>Town</areaDesc><polygon>${south},${west} ${south},${east} ${north},${east} ${south},${west}</polygon>`;
    const infos = [info({ event, expires: soon, area, ...fields })];
    return alert({ identifier, sent: '2026-11-28T05:00:00+00:00', infos, ...more });
  };
}

/** A feed that names messages of CAP. */
export function atomOf(...paths: string[]): string {
  const entries = paths.map(
    (path) => `<entry><id>${path}</id><title>x</title><link type="application/cap+xml" href="${path}"/></entry>`,
  );
  return `<feed xmlns="http://www.w3.org/2005/Atom"><title>Warnings</title>${entries.join('')}</feed>`;
}
