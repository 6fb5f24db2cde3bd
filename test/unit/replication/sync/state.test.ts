import { expect, test } from 'vitest';
import { LiveLink } from '../../../../server/replication/sync/links/live-link.ts';
import {
  DEFAULT_SETTINGS,
  type LinkRow,
  type LinkTable,
} from '../../../../server/replication/sync/links/link-table.ts';
import type { LinkConnection } from '../../../../server/replication/sync/links/connection/connection.ts';
import { stateOf } from '../../../../server/replication/sync/links/sync-state.ts';
import { NO_LEADERSHIP } from '../../../../server/replication/sync/standby/link-leadership.ts';
import type { LinkProgress } from '../../../../server/replication/sync/index.ts';

const ROW: LinkRow = {
  id: 1,
  station: { id: 'b', number: 2, name: 'B' },
  publicKey: '',
  fingerprint: '',
  address: null,
  isAddressGiven: false,
  ownAddress: 'auto',
  settings: DEFAULT_SETTINGS,
  theirSettings: DEFAULT_SETTINGS,
  dialledBy: 'us',
  lastContact: 0,
  cut: 'no',
  leadership: NO_LEADERSHIP,
};
const CONFIRMED: Partial<LinkProgress> = { confirmedAt: 50_000, digest: { mine: 'd', theirs: 'd' } };

function linkWith(change: Partial<LinkRow>, progress: Partial<LinkProgress>, isConnected = true): LiveLink {
  const row = { ...ROW, ...change };
  const link = new LiveLink({ get: () => row } as unknown as LinkTable, row);
  if (isConnected) link.connected({ isClosed: false } as LinkConnection, 'us', 0);
  link.report(progress);
  return link;
}

test('[sync 23] a link is synced for 10 s after both digests were equal, and by nothing less', () => {
  expect(linkWith({}, CONFIRMED).state(60_000)).toBe('synced');
  expect(linkWith({}, CONFIRMED).state(60_001)).toBe('behind');
  expect(linkWith({}, {}).state(50_000)).toBe('behind');
  const lacking: Partial<LinkProgress>[] = [
    { waitingIn: 1 },
    { waitingOut: 1 },
    { pendingFiles: 1 },
    { digest: undefined },
    { digest: { mine: 'd', theirs: 'e' } },
    { confirmedAt: undefined },
  ];
  for (const lack of lacking)
    expect(linkWith({}, { ...CONFIRMED, ...lack }).state(50_000), JSON.stringify(lack)).toBe('behind');
  expect(linkWith({}, CONFIRMED, false).state(50_000)).toBe('unreachable');
});

test('[sync 11] what a side decided comes before what the line does', () => {
  const paused = { settings: { ...DEFAULT_SETTINGS, paused: true } };
  expect(linkWith(paused, CONFIRMED).state(50_000)).toBe('paused');
  expect(linkWith({ cut: 'there' }, CONFIRMED).state(50_000)).toBe('refused');
  const refused = linkWith({}, CONFIRMED, false);
  refused.refuse('The clocks differ by 6 min.');
  expect([refused.state(50_000), refused.lastError]).toEqual(['refused', 'The clocks differ by 6 min.']);
  refused.failed('No program answers on this port.');
  expect([refused.state(50_000), refused.lastError]).toEqual(['unreachable', 'No program answers on this port.']);
});

test('[sync 26] the station is synced when every link that is not paused is, and nothing waits for the paused ones', () => {
  const synced = linkWith({}, CONFIRMED);
  const paused = { settings: { ...DEFAULT_SETTINGS, paused: true } };
  expect(stateOf([], 50_000)).toBe('alone');
  expect(stateOf([synced, linkWith(paused, {}, false)], 50_000)).toBe('synced');
  expect(stateOf([synced, linkWith(paused, { waitingOut: 1 }, false)], 50_000)).toBe('behind');
  expect(stateOf([synced, linkWith({}, CONFIRMED, false)], 50_000)).toBe('behind');
  expect(stateOf([synced, linkWith({ cut: 'there' }, {}, false)], 50_000)).toBe('behind');
});
