import { expect, test } from 'vitest';
import {
  PROVED,
  QuarantineQuota,
  senderAt,
} from '../../../../../server/tracking/telemetry/quarantine/quarantine-quota.ts';

const HOUR = 3_600_000;

/** How many of so many entries are taken. */
function takes(quota: QuarantineQuota, entries: number, vehicle: number, sender: string, now = 0): number {
  let taken = 0;
  for (let entry = 0; entry < entries; entry++) {
    if (!quota.hasRoom({ vehicle, sender }, now)) continue;
    quota.count({ vehicle, sender }, now);
    taken++;
  }
  return taken;
}

test('each device has its room from each address, and new room after an hour', () => {
  const quota = new QuarantineQuota(5);
  expect([
    takes(quota, 9, 1, '10.0.0.1'),
    takes(quota, 9, 1, '10.0.0.2'),
    takes(quota, 9, 2, '10.0.0.1'),
    takes(quota, 9, 0, '10.0.0.1'),
  ]).toEqual([5, 5, 5, 5]);
  expect(takes(quota, 9, 1, '10.0.0.1', HOUR - 1)).toBe(0);
  expect(takes(quota, 9, 1, '10.0.0.1', HOUR)).toBe(5);
  // A clock that was set back takes nobody's room for longer.
  expect(takes(quota, 9, 1, '10.0.0.1', HOUR - 1)).toBe(5);
});

test('forged addresses bring ten limits together, and take none of the room of a device that gave its password', () => {
  const quota = new QuarantineQuota(5);
  let forged = 0;
  for (let address = 0; address < 200; address++) forged += takes(quota, 3, 1, `10.0.0.${address}`);
  expect(forged).toBe(50);
  expect(takes(quota, 9, 1, PROVED)).toBe(5);
  expect(takes(quota, 9, 2, '10.0.0.1')).toBe(5);
});

test('no flood of forged addresses makes the limit of a device from all addresses forgotten', () => {
  const quota = new QuarantineQuota(5);
  let forged = 0;
  for (let address = 0; address < 60_000; address++) forged += takes(quota, 1, 1, `address ${address}`);
  expect(forged).toBe(50);
  expect(takes(quota, 9, 1, PROVED)).toBe(5);
});

test('however many senders there are, only so many are remembered', () => {
  const quota = new QuarantineQuota(1);
  for (let vehicle = 1; vehicle <= 50_000; vehicle++) expect(takes(quota, 1, vehicle, '10.0.0.1')).toBe(1);
  expect(takes(quota, 1, 50_000, '10.0.0.1')).toBe(0);
  expect(takes(quota, 1, 1, '10.0.0.1')).toBe(1);
});

test('a sender is an address of IPv4, or the network of one of IPv6', () => {
  expect(
    [
      '10.0.0.1',
      '::ffff:10.0.0.1',
      '2001:db8:1:2:3:4:5:6',
      '2001:db8:1:2::9',
      '2001:db8::1',
      '::1',
      'fe80::1%eth0',
      '',
    ].map(senderAt),
  ).toEqual([
    '10.0.0.1',
    '10.0.0.1',
    '2001:db8:1:2::/64',
    '2001:db8:1:2::/64',
    '2001:db8:0:0::/64',
    '0:0:0:0::/64',
    'fe80:0:0:0::/64',
    '',
  ]);
});
