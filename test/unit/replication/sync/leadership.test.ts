import { expect, test } from 'vitest';
import {
  leadershipAfter,
  leadershipStateOf,
  NO_LEADERSHIP,
  type LinkLeadership,
} from '../../../../server/replication/sync/standby/link-leadership.ts';

const promoted: LinkLeadership = { ...NO_LEADERSHIP, promotedAt: 100 };
const peer = { promotedAt: 0, settledAt: 0, standby: false };

test('[sync 95] after a promotion both say who leads, until one follows the other', () => {
  const replaced = leadershipAfter(NO_LEADERSHIP, false, { ...peer, promotedAt: 100 });
  expect(leadershipStateOf(false, false, replaced)).toBe('replaced');
  expect(leadershipStateOf(false, false, leadershipAfter(promoted, false, peer))).toBe('promoted');

  const follows = leadershipAfter(replaced, true, { ...peer, promotedAt: 100 });
  expect(follows).toMatchObject({ replacedAt: 0, settledAt: 100 });
  expect(leadershipStateOf(true, false, follows)).toBe('follows');
  const followed = leadershipAfter(promoted, false, { ...peer, settledAt: 100, standby: true });
  expect(followed.promotedAt).toBe(0);
  expect(leadershipStateOf(false, true, followed)).toBe('followed');
});

test('[sync 95] somebody says that both lead: the same promotion is not told again, a later one is', () => {
  const settled: LinkLeadership = { ...NO_LEADERSHIP, settledAt: 100 };
  expect(leadershipAfter(settled, false, { ...peer, promotedAt: 100 }).replacedAt).toBe(0);
  expect(leadershipAfter(settled, false, { ...peer, promotedAt: 200 }).replacedAt).toBe(200);
  expect(leadershipAfter(promoted, false, { ...peer, settledAt: 99 }).promotedAt).toBe(100);
  expect(leadershipAfter(promoted, false, { ...peer, settledAt: 100 }).promotedAt).toBe(0);
});
