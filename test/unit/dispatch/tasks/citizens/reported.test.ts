import { expect, test } from 'vitest';
import {
  linesOfReport,
  reportFrom,
  type CitizenReport,
} from '../../../../../server/dispatch/tasks/citizens/reported.ts';
import { Chance, SEED } from '../../../../support/chance.ts';

const PARTS = [
  'a',
  ' ',
  '\n',
  '\r\n',
  ': ',
  'description: ',
  '\ndescription: ',
  'lat: 1',
  '\u2028',
  'Open311\n',
  'ы',
  '\u0085',
];

function randomReport(chance: Chance): CitizenReport {
  const text = () => Array.from({ length: Math.floor(chance.next() * 6) }, () => chance.of(PARTS)).join('');
  return {
    typeId: 1 + Math.floor(chance.next() * 1000),
    description: text(),
    address: text(),
    addressId: text(),
    point: chance.maybe(0.5) ? { lat: chance.next() * 90, lon: -chance.next() * 180 } : null,
    mediaUrl: '',
    contact: { first_name: text(), email: text() },
    code: chance.maybe(0.5) ? 'aB-_9' : '',
  };
}

const plain = (text: string | undefined) => (text ?? '').replace(/[\s\u0085]+/g, ' ').trim();

test(`a report is read as it was written, whatever it holds (WAYPOST_SEED=${SEED})`, () => {
  const chance = new Chance(SEED);
  for (let round = 0; round < 2000; round++) {
    const report = randomReport(chance);
    const read = reportFrom(linesOfReport(report))!;
    expect([read.typeId, read.description, read.point, read.mediaUrl, read.code]).toEqual([
      report.typeId,
      report.description,
      report.point,
      '',
      report.code,
    ]);
    for (const name of ['first_name', 'email'] as const)
      expect(plain(read.contact[name])).toBe(plain(report.contact[name]));
    expect([plain(read.address), plain(read.addressId)]).toEqual([plain(report.address), plain(report.addressId)]);
  }
});

test.each([
  '',
  'Open311',
  'Open311\ndescription: x',
  'Open311\nservice_code: x\ndescription: x',
  'service_code: 1\ndescription: x',
])('system data %j is no report', (systemData) => expect(reportFrom(systemData)).toBeUndefined());
