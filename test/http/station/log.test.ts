import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Log } from '../../../server/log/index.ts';
import { tryStation } from '../try-station.ts';

test('a thousand entries are given at a call, and the rest behind them; sources and threads are counted', async () => {
  const data = mkdtempSync(join(tmpdir(), 'waypost-long-log-'));
  const before = Log.open({ directory: join(data, 'log') });
  for (let n = 0; n < 1_100; n++) before.logger('fleet', n % 2 ? 'reader' : 'writer').warn(`entry ${n}`);
  await before.close();
  const station = await tryStation({ data });
  try {
    const as = await station.signIn();
    const read = (query: string) => station.ok('GET', `/log/app${query}`, { as });
    for (const query of ['?logger=fleet', '?logger=fleet&limit=5000', '?logger=fleet&limit=0']) {
      const page = await read(query);
      expect(page.map(({ message }: { message: string }) => message)).toEqual(
        Array.from({ length: 1_000 }, (_, i) => `entry ${1_099 - i}`),
      );
      expect(await read(`?logger=fleet&before=${page.at(-1).id}`)).toHaveLength(100);
    }
    expect(await read('/count?logger=fleet&thread=reader')).toBe(550);
    for (const what of ['loggers', 'threads'])
      expect(await read(`/${what}/count`)).toBe((await read(`/${what}`)).length);
    expect(await read('/threads')).toEqual(
      expect.arrayContaining([{ value: 'main' }, { value: 'reader' }, { value: 'writer' }]),
    );
    expect(await read('?minLevel=5')).toEqual([]);
    expect((await read('?minLevel=4')).length).toBe(1_000);
    expect(await read('?level=3&logger=fleet')).toEqual([]);
  } finally {
    await station.stop();
    rmSync(data, { recursive: true });
  }
});
