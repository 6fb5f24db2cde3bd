import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Dovecot, HAS_DOVECOT, MAILBOX_LOGIN } from '../../support/dovecot.ts';
import { serve, type Served } from '../harness/served.ts';

let dovecot: Dovecot;
let station: Served;
const directory = mkdtempSync(join(tmpdir(), 'waypost-mailbox-'));

/** A proxy before Dovecot that keeps the marks of mails back while `holdsMarks`. */
let proxy: Server;
let holdsMarks = true;
let held = 0;
function pass(near: Socket): void {
  const far = connect(dovecot.port, '127.0.0.1');
  for (const [end, other] of [
    [near, far],
    [far, near],
  ] as const) {
    end.on('error', () => undefined);
    end.on('close', () => other.destroy());
    end.on('data', (bytes: Buffer) => {
      if (end === near && holdsMarks && bytes.toString('latin1').includes(' STORE ')) held++;
      else other.write(bytes);
    });
  }
}

beforeAll(async () => {
  if (!HAS_DOVECOT) return;
  dovecot = await Dovecot.start();
  proxy = createServer(pass).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  station = await serve(directory);
});
afterAll(async () => {
  if (!HAS_DOVECOT) return;
  await station.end('SIGTERM');
  proxy.close();
  await dovecot.close();
  rmSync(directory, { recursive: true, force: true });
});

test.skipIf(!HAS_DOVECOT)(
  'a station that is killed between the task and the mark doubles and loses nothing',
  async () => {
    const { newstype } = await station.ask<{ newstype: { news_type_id: string }[] }>('GET', '/newstype');
    const users = await station.ask<{ id: number }[]>('GET', '/users');
    await station.ask('PUT', '/mailbox/settings', {
      ...{ enabled: true, host: '127.0.0.1', port: (proxy.address() as AddressInfo).port, security: 'none' },
      ...{ ...MAILBOX_LOGIN, userId: users[0]!.id },
      rules: [{ name: 'All', newsTypeId: Number(newstype[0]!.news_type_id) }],
    });
    for (const name of ['one', 'two'])
      dovecot.deliver(`From: ann@town.example\nSubject: ${name}\nMessage-ID: <${name}@town.example>\n\nText\n`);
    const made = async () =>
      (await station.ask<{ subject: string }[]>('GET', '/mailbox/mails')).map((one) => one.subject);
    await expect.poll(() => held).toBeGreaterThan(0);
    expect(await made()).toEqual(['one']);
    await station.end('SIGKILL');
    expect(dovecot.counts).toEqual({ read: 0, unread: 2 });

    holdsMarks = false;
    station = await serve(directory);
    await expect.poll(() => dovecot.counts).toEqual({ read: 2, unread: 0 });
    expect(await made()).toEqual(['two', 'one']);
    const { news_list } = await station.ask<{ news_list: { title: string }[] }>('GET', '/news/listAfterId/0/100');
    expect(news_list.map(({ title }) => title).sort()).toEqual(['one', 'two']);
  },
);
