import { expect, test } from 'vitest';
import type { Store } from '../../../../../server/store/index.ts';
import { eventually } from '../../../../support/eventually.ts';
import { temporaryStore } from '../../../store/open-store.ts';
import { Peer, replicationOf } from './peer.ts';

const TABLES = ['refused_records', 'read_positions', 'scope_moves', 'scope_digests', 'evictions'];

/** Links that have rows, by table. */
function linksIn({ sql }: Store): Record<string, number[]> {
  return Object.fromEntries(
    TABLES.map((table) => [
      table,
      sql
        .prepare(`SELECT DISTINCT link FROM ${table} ORDER BY link`)
        .all()
        .map(({ link }) => link as number),
    ]),
  );
}

function everywhere(links: number[]): Record<string, number[]> {
  return Object.fromEntries(TABLES.map((table) => [table, links]));
}

async function addRows(store: Store, link: number): Promise<void> {
  await store.writePlain((sql) => {
    sql.prepare("INSERT INTO refused_records VALUES (?, 'tasks', '1', 'why', 0, 'x')").run(link);
    sql.prepare("INSERT INTO read_positions VALUES (?, 'tasks', 'first', 1)").run(link);
    sql.prepare("INSERT INTO scope_moves VALUES (?, 'tasks', '1', 1)").run(link);
    sql.prepare("INSERT INTO scope_digests VALUES (?, 'tasks', '1', '0', 0, '0', NULL)").run(link);
    sql.prepare("INSERT INTO evictions VALUES (?, 'tasks', '1')").run(link);
  });
}

test('[sync 29] what is kept of a link goes with it, when its session is closed, and at the next start', async () => {
  const store = await temporaryStore({ stationNumber: 1 });
  for (const link of [1, 2, 3]) await addRows(store, link);
  const [gone, stays] = [new Peer(1), new Peer(2)];
  let links = [gone.channel.link, stays.channel.link];
  const replication = replicationOf(store, { links: () => links });
  await eventually(() => expect(linksIn(store)).toEqual(everywhere([1, 2])));

  gone.write('directories', [{ key: 'bad' }]);
  for (const peer of [gone, stays]) replication.attach(peer.channel);
  await eventually(() => expect(replication.refused.list(1)).toHaveLength(2));
  await gone.ask('pull', { collection: 'comments', position: { epoch: store.feed.epoch, seq: 0 }, limit: 10 });
  links = [stays.channel.link];
  replication.linksChanged();
  gone.close();
  // The session saves its positions when it closes.
  await eventually(() => expect(linksIn(store)).toEqual(everywhere([2])));
});
