import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

let at: TryStation;
let as: string;
beforeAll(async () => {
  at = await tryStation();
  as = await at.signIn();
});
afterAll(() => at.stop());

test('when the disk fails to store what was written, changes are refused in words until a restart, also when it then says that all is well; reading goes on, and the log says why', async () => {
  const file = await open(join(at.directory, 'station.db-wal'), 'r');
  const failing = vi
    .spyOn(Object.getPrototypeOf(file) as typeof file, 'datasync')
    .mockRejectedValue(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
  await file.close();
  const refused = {
    status: 503,
    type: 'text/plain; charset=utf-8',
    text: 'The disk of the station could not store what was written. The station must be restarted.',
  };
  const write = (name: string) => [
    at.ask('POST', '/organizations', { as, body: { name } }),
    at.ask('POST', '/category', { as, body: { name } }),
  ];
  for (const answer of await Promise.all(write('While it fails'))) expect(answer).toMatchObject(refused);
  expect(failing).toHaveBeenCalled();
  failing.mockRestore();
  for (const answer of await Promise.all(write('Afterwards'))) expect(answer).toMatchObject(refused);
  expect((await at.ok('GET', '/organizations', { as })).map(({ name }: { name: string }) => name)).not.toContain(
    'Afterwards',
  );
  const said: { message: string }[] = await at.ok('GET', '/log/app?logger=store&level=ERROR', { as });
  expect(said.map(({ message }) => message)).toEqual([
    'The disk could not store what was written (EIO: i/o error, fdatasync). Nothing is written any more until the station is restarted.',
  ]);
});
