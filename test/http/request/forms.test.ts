import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

/** Forms with files (RFC 7578) as clumsy and hostile programs send them: by hand, byte for byte. */
let at: TryStation;
let admin: string;
beforeAll(async () => {
  at = await tryStation({ uploadLimit: 1 });
  admin = await at.signIn();
});
afterAll(() => at.stop());

const filesIn = (folder: string) =>
  readdirSync(join(at.directory, 'files', folder), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  ).length;
let before: number;
beforeAll(() => {
  before = filesIn('');
});
/** What a form left behind goes a moment after its answer at the latest. */
const nothingNew = () => expect.poll(() => filesIn('')).toBe(before);
afterEach(() => {
  before = filesIn('');
});

const file = (name: string, content: string, more = '') =>
  `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n${more}\r\n${content}\r\n`;
const field = (name: string, value: string, more = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n${more}\r\n${value}\r\n`;
const END = '--x--\r\n';
const send = (body: string, type = 'multipart/form-data; boundary=x') =>
  at.ask('POST', '/fileload', { as: admin, body, headers: { 'content-type': type } });
const several = (count: number, one: (number: number) => string) =>
  Array.from({ length: count }, (_, number) => one(number)).join('');
const nameOf = async (uuid: string) =>
  decodeURIComponent(
    /filename\*=UTF-8''(\S+)$/.exec(
      (await at.ask('GET', `/fileload/${uuid}`, { as: admin })).headers.get('content-disposition')!,
    )![1]!,
  );

test('a form holds up to 20 files and 50 fields, each file under its own name; of more nothing is kept', async () => {
  const most = await send(
    several(20, (n) => file(`${n}.txt`, `most ${n}`)) + several(50, (n) => field(`f${n}`, 'x')) + END,
  );
  expect(most.status, most.text).toBe(200);
  const uuids: string[] = most.json().data;
  expect(new Set(uuids).size).toBe(20);
  expect(await Promise.all(uuids.map(nameOf))).toEqual(Array.from({ length: 20 }, (_, n) => `${n}.txt`));
  before = filesIn('');
  const files = await send(several(21, (n) => file(`${n}.txt`, `over ${n}`)) + END);
  expect([files.status, files.json()]).toEqual([400, { res: 0, resText: 'A form may hold at most 20 files.' }]);
  await nothingNew();
  const fields = await send(file('a.txt', 'with many fields') + several(51, (n) => field(`f${n}`, 'x')) + END);
  expect([fields.status, fields.json()]).toEqual([400, { res: 0, resText: 'A form may hold at most 50 fields.' }]);
  await nothingNew();
});

test('the part `name` renames a single file; several files, or a blank part, keep their own names', async () => {
  const call = async (body: string) => Promise.all(((await send(body + END)).json().data as string[]).map(nameOf));
  expect(await call(field('name', 'план.txt') + file('a.txt', 'one'))).toEqual(['план.txt']);
  expect(await call(file('a.txt', 'one') + field('name', 'after it.txt'))).toEqual(['after it.txt']);
  expect(await call(field('name', '  ') + file('a.txt', 'one'))).toEqual(['a.txt']);
  expect(await call(field('name', 'both.txt') + file('a.txt', 'one') + file('b.txt', 'two'))).toEqual([
    'a.txt',
    'b.txt',
  ]);
  expect(await call(field('name', 'first.txt') + field('name', 'last.txt') + file('a.txt', 'one'))).toEqual([
    'last.txt',
  ]);
  expect(await call(field('__proto__', 'x') + field('constructor', 'y') + file('a.txt', 'one'))).toEqual(['a.txt']);
  expect((await call(field('name', `${'n'.repeat(90_000)}.txt`) + file('a.txt', 'one')))[0]).toMatch(/^n{140,150}$/);
});

test('heads of parts may be written as clients write them', async () => {
  const disposition = (text: string) => send(`--x\r\n${text}\r\n\r\nhead\r\n${END}`);
  for (const head of [
    'content-disposition: form-data; name=file; filename=a.txt',
    'CONTENT-DISPOSITION: form-data; filename="a.txt"; name="file"\r\nContent-Type: text/plain; charset=x\r\nX-Other: 1',
    'X-Other: 1\r\nContent-Type: text/plain\r\nContent-Disposition: form-data; name="file"; filename="a.txt"',
    'Content-Disposition: form-data; name="file"; filename*=UTF-8\'\'a.txt',
  ]) {
    const answered = await disposition(head);
    expect([answered.status, head], answered.text).toEqual([200, head]);
    expect(await nameOf(answered.json().data[0])).toBe('a.txt');
  }
  const typed = await send(file('a.txt', 'typed') + END, 'Multipart/Form-Data; Boundary="x"');
  expect(typed.status, typed.text).toBe(200);
});

test.each<[string, string, string, string?]>([
  ['no boundary', file('a', 'a') + END, 'The form names no boundary.', 'multipart/form-data'],
  ['an empty boundary', file('a', 'a') + END, 'The form is broken.', 'multipart/form-data; boundary='],
  ['another boundary than its own', file('a', 'a') + END, 'The form is broken.', 'multipart/form-data; boundary=y'],
  [
    'a type that only begins like a form',
    file('a', 'a') + END,
    'The body must be a multipart form (multipart/form-data).',
    'multipart/form-database; boundary=x',
  ],
  [
    'mixed parts',
    file('a', 'a') + END,
    'The body must be a multipart form (multipart/form-data).',
    'multipart/mixed; boundary=x',
  ],
  [
    'a file in a part without a disposition',
    '--x\r\nContent-Type: text/plain\r\n\r\na\r\n' + END,
    'The form has no part `file`.',
  ],
  ['a file in a part with an empty head', '--x\r\n\r\na\r\n' + END, 'The form has no part `file`.'],
  ['nothing but its end', END, 'The form has no part `file`.'],
  [
    'a second file that breaks off in its head',
    `${file('a', 'whole')}--x\r\nContent-Disposition: form-data; na`,
    'The form is broken.',
  ],
  [
    'a second file that breaks off in its content',
    `${file('a', 'whole')}--x\r\nContent-Disposition: form-data; name="file"; filename="b"\r\n\r\nhalf`,
    'The form is broken.',
  ],
  [
    'a second file over the limit',
    file('a', 'whole, too') + file('b', 'y'.repeat(1_000_001)) + END,
    'The file is larger than 1 MB.',
  ],
])('a form with %s is refused in words, and leaves nothing', async (_what, body, says, type) => {
  const answered = await send(body, type);
  expect([answered.status, answered.json()]).toEqual([says.includes('larger') ? 413 : 400, { res: 0, resText: says }]);
  await nothingNew();
});

test.each<[string, number, boolean]>([
  ['longer', 50, false],
  ['shorter', -9, true],
])('a body that its Content-Length says to be %s than it is keeps nothing', async (_what, difference, answers) => {
  const body = file('a.txt', 'of another length') + END;
  const heard = await new Promise<string>((resolve) => {
    let said = '';
    const socket = connect(at.station.http.main.port, '127.0.0.1', () => {
      socket.write(
        `POST /fileload?token=${admin} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${body.length + difference}\r\n\r\n${body}`,
      );
      socket.end(); // half-closed: what is missing never comes
    });
    socket
      .on('data', (bytes) => (said += bytes))
      .on('error', () => undefined)
      .on('close', () => resolve(said));
  });
  expect(heard.startsWith('HTTP/1.1 400')).toBe(answers || heard !== '');
  expect(heard).not.toContain('"data"');
  await nothingNew();
});
