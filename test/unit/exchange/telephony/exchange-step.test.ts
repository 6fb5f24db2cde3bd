import { expect, test } from 'vitest';
import { readExchangeStep } from '../../../../server/exchange/telephony/exchange-step.ts';
import { dialledNumber } from '../../../../server/exchange/telephony/dialled-number.ts';

const LINES = [
  { context: 'from-trunk', extension: '112', organizationId: 3 },
  { context: 'water', extension: '', organizationId: 4 },
];
const step = (fields: Record<string, string>) => readExchangeStep(new Map(Object.entries(fields)), LINES);
const ring = { event: 'Newchannel', uniqueid: '1.2', context: 'from-trunk', exten: '112' };

test('a channel on a line of the settings is a call of its organization', () => {
  expect(step({ ...ring, calleridnum: '79120001122', calleridname: 'Anna' })).toEqual({
    ...{ kind: 'arrived', channel: '1.2', organizationId: 3, number: '79120001122', name: 'Anna', line: '112' },
  });
  expect(step({ ...ring, exten: '113' })).toBeUndefined();
  expect(step({ ...ring, context: 'water', exten: '5' })).toMatchObject({ organizationId: 4, line: '5' });
  expect(step({ ...ring, calleridnum: '<unknown>' })).toMatchObject({ number: '', name: '' });
});

test('channels that the station asked for, or that talk already, do not ring', () => {
  expect(step({ ...ring, linkedid: 'waypost-7' })).toBeUndefined();
  expect(step({ ...ring, uniqueid: 'waypost-7' })).toBeUndefined();
  expect(step({ ...ring, event: 'CoreShowChannel', bridgeid: 'b' })).toBeUndefined();
  expect(step({ ...ring, event: 'CoreShowChannel', bridgeid: '' })).toMatchObject({ kind: 'arrived' });
});

test.each([
  ['PJSIP/101-0000002a', '101'],
  ['SIP/anna-b-0000002a', 'anna-b'],
  ['Local/101@desks-0000002a;1', '101'],
])('%s is the telephone %s', (destchannel, extension) => {
  const lifted = { event: 'DialEnd', uniqueid: '1.2', dialstatus: 'ANSWER', destchannel };
  expect(step(lifted)).toEqual({ kind: 'answered', channel: '1.2', extension });
  expect(step({ ...lifted, dialstatus: 'BUSY' })).toBeUndefined();
});

test.each([
  ['+7 (912) 000-11-22', '90079120001122'],
  ['tel:112', '9112'],
  ['8 495 1234567', '984951234567'],
  ['call me', ''],
  ['1', ''],
  ['112\r\nAction: Originate', ''],
  ['123456789012345678901', ''],
])('%j is dialled as %j', (written, dialled) => {
  expect(dialledNumber(written, { dialPrefix: '9', plus: '00' })).toBe(dialled);
});
