import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { openFeedServer } from '../../support/feed-server.ts';
import { alert, info } from '../../unit/exchange/warnings/documents.ts';
import { tryStation } from '../try-station.ts';

test('warnings and feeds are there after a restart, also while their publisher is away', async () => {
  const feeds = await openFeedServer();
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  feeds.documents.set('/one', alert({ infos: [info({ expires })] }));
  const data = mkdtempSync(join(tmpdir(), 'waypost-warnings-'));
  let at = await tryStation({ data });
  let as = await at.signIn();
  const body = { name: 'Weather', url: `${feeds.origin}/one`, onlyTerritory: false, secret: 'pass' };
  await at.ok('POST', '/warning-feeds', { as, body });
  await eventually(async () => expect(await at.ok('GET', '/warnings', { as })).toHaveLength(1));
  await at.stop();
  feeds.documents.clear();
  at = await tryStation({ data });
  as = await at.signIn();
  expect(await at.ok('GET', '/warnings', { as })).toMatchObject([{ texts: [{ event: 'Storm' }] }]);
  await eventually(async () =>
    expect(await at.ok('GET', '/warning-feeds', { as })).toMatchObject([
      { unreachable: true, hasSecret: true, current: 1 },
    ]),
  );
  await at.stop();
  await feeds.close();
});
