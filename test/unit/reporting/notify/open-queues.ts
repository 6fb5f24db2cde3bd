import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { expect, onTestFinished } from 'vitest';
import { Notices, type People } from '../../../../server/reporting/notify/index.ts';
import { openStore, type Store } from '../../../../server/store/index.ts';

export async function openTable() {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-notices-'));
  const store = await openStore({ directory });
  onTestFinished(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });
  return store;
}

export const putMail = (store: Store) =>
  store.writePlain((sql) =>
    sql.exec(
      "INSERT INTO mail (at, task_id, name, address, subject, text, state, attempts, next_at, sent_at, error) VALUES (0, 1, 'Anna', 'anna@example.org', 'x', 'x', 'waiting', 0, 0, NULL, '')",
    ),
  );

/** A real mail server; returns its address. */
export async function openServer(options: SMTPServerOptions): Promise<string> {
  const smtp = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], ...options });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => new Promise<void>((resolve) => smtp.close(() => resolve())));
  return `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;
}

export const AUTHOR = { userId: 10, name: 'Anna', mail: 'anna@example.org', address: 'Mill Road 1' };

export function noticesOf(store: Store, more: Partial<People> = {}): Notices {
  const people: People = {
    user: (id) => (id === AUTHOR.userId ? AUTHOR : undefined),
    organization: () => undefined,
    maySee: () => true,
    watchers: () => [],
    named: () => [],
    mayRead: () => true,
    ...more,
  };
  const notices = new Notices({
    store,
    people,
    now: Date.now,
    queued: () => undefined,
    report: (_message, error) => expect.unreachable(String(error)),
  });
  onTestFinished(() => notices.close());
  return notices;
}

/** The comments that were told, by the ids in their texts. */
export const toldIn = (store: Store, table: 'mail' | 'post' = 'mail') =>
  store.sql
    .prepare(`SELECT text FROM ${table} ORDER BY id`)
    .all()
    .map(({ text }) => /c(\d+)/.exec(String(text))?.[1])
    .map(Number);
