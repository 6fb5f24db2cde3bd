import { expect, test } from 'vitest';
import { readMail } from '../../../../server/exchange/mailbox/read-mail.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { Chance, SEED } from '../../../support/chance.ts';

const MAIL = [
  'From: "Ann =?utf-8?B?0JDQvdC90LA=?=" <ann@town.example>',
  'To: desk@station.example, Others: a@b.example, c@d.example;',
  'Message-ID: <1@town.example>',
  'In-Reply-To: <0@town.example>',
  'References: <0@town.example> <00@town.example>',
  'Date: Fri, 27 Nov 2026 10:00:00 +0100',
  'Subject: =?utf-8?Q?Leak_in_Mill_Lane?=',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=a',
  '',
  '--a',
  'Content-Type: text/html; charset=koi8-r',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<p>The =E2=80 hydrant <b>leaks</b></p>',
  '--a',
  'Content-Type: message/rfc822',
  '',
  'Subject: inner',
  '',
  'text',
  '--a',
  "Content-Disposition: attachment; filename*=utf-8''l%C3%A4%ff.csv",
  'Content-Transfer-Encoding: base64',
  '',
  'YTti',
  '--a--',
  '',
].join('\r\n');
const PIECES = [
  ...[
    '\0',
    '\r',
    '\n\n',
    '\r\n.\r\n',
    '--a',
    '--a--',
    '=?utf-8?B?',
    '?=',
    '=?x-none?Q?=ff?=',
    'charset=utf-7',
    '<'.repeat(200),
  ],
  ...[
    '\u00ff\u00fe',
    '%00',
    'boundary=',
    'Content-Type: multipart/mixed; boundary=a\r\n\r\n',
    '\r\n\t',
    ',,;:<@>',
    'A'.repeat(3_000),
  ],
];

test(`3,000 damaged mails are read or refused, and what is read is clean (WAYPOST_SEED=${SEED})`, async () => {
  const chance = new Chance(SEED);
  let read = 0;
  for (let round = 0; round < 3_000; round++) {
    let source = MAIL;
    for (let damage = chance.int(6); damage >= 0; damage--) {
      const [at, cut] = [chance.int(source.length), chance.int(40)];
      const piece = chance.maybe(0.7) ? chance.of(PIECES) : String.fromCharCode(chance.int(256));
      source = source.slice(0, at) + piece + source.slice(at + cut);
    }
    if (chance.maybe(0.1)) source = source.slice(chance.int(source.length));
    try {
      const { key, from, subject, text, fromName, to, files, writtenAt } = await readMail(
        Buffer.from(source, 'latin1'),
      );
      read++;
      for (const words of [from, subject, text, fromName, ...to, ...files.map(({ name }) => name)])
        expect([words.isWellFormed(), words.includes('\0')], JSON.stringify(source)).toEqual([true, false]);
      expect([key.length > 0, writtenAt === null || Number.isFinite(writtenAt)], JSON.stringify(source)).toEqual([
        true,
        true,
      ]);
    } catch (error) {
      if (!(error instanceof Refusal)) throw new Error(`not refused: ${JSON.stringify(source)}`, { cause: error });
    }
  }
  expect(read).toBeGreaterThan(1_000);
}, 120_000);
