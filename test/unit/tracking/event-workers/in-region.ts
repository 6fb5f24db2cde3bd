import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { RevisionLog } from '../../../../server/tracking/event-workers/revision-log.ts';
import { RegionConnection } from '../../../../server/replication/nats/index.ts';
import { NatsServers } from '../../../support/nats-servers.ts';

/** A region of one server, and the programs that read its log. All of it ends with the test. */
export async function openRegion() {
  const servers = await NatsServers.start();
  const log = { info: () => undefined, warn: () => undefined };
  const region = { servers: servers.addresses, region: 'r', credentials: undefined, authority: undefined };
  const connection = new RegionConnection({ ...region, replicas: 1, name: 'test', log });
  const closing: (() => unknown)[] = [];
  onTestFinished(async () => {
    for (const close of closing.reverse()) await close();
    await connection.close();
    await servers.close();
  });
  const open = await connection.connected(new AbortController().signal);
  /** The log as one program reads it, from its beginning. */
  const readLog = async () => {
    const sql = new DatabaseSync(':memory:');
    sql.exec('CREATE TABLE revision_heads (partition INTEGER PRIMARY KEY, epoch TEXT, head TEXT)');
    const store = { sql, writePlain: async <R>(work: (sql: DatabaseSync) => R) => work(sql) };
    const revisions = new RevisionLog({ connection, store, take: () => Promise.resolve() });
    await revisions.follow(open);
    closing.push(async () => {
      await revisions.close();
      sql.close();
    });
    return revisions;
  };
  return { connection, open, readLog };
}

/** A step that changes nothing. */
export const NOTHING = { events: [], withdrawn: [], checkpoints: [] };
