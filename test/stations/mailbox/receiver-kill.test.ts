import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { expect, onTestFinished, test } from 'vitest';
import { Chance, SEED } from '../../support/chance.ts';
import { freePort } from '../../support/free-ports.ts';
import { serve } from '../harness/served.ts';

const MAILS = 30;
const KILLS = 2;
/** ms between two attempts of a sender. */
const AGAIN = 20;

test(`a sender that tries again makes one task of each mail, whenever the station is killed (seed ${SEED})`, async () => {
  const chance = new Chance();
  const directory = mkdtempSync(join(tmpdir(), 'waypost-receiver-'));
  const port = await freePort();
  let station = await serve(directory);
  onTestFinished(async () => {
    await station.end('SIGTERM');
    rmSync(directory, { recursive: true, force: true });
  });
  const { newstype } = await station.ask<{ newstype: { news_type_id: string }[] }>('GET', '/newstype');
  const users = await station.ask<{ id: number }[]>('GET', '/users');
  await station.ask('PUT', '/mailbox/settings', {
    ...{ userId: users[0]!.id, senderPerHour: 10_000, perHour: 10_000 },
    receiver: { enabled: true, host: '127.0.0.1', port },
    rules: [{ name: 'All', newsTypeId: Number(newstype[0]!.news_type_id) }],
  });

  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  const subjects = Array.from({ length: MAILS }, (_, index) => `Mail ${index}`);
  let confirmed = 0;
  const send = async (subject: string): Promise<void> => {
    const mail = {
      from: 'ann@town.example',
      to: 'desk@station.example',
      subject,
      messageId: `<${subject.slice(5)}@a>`,
    };
    for (;;) {
      const isTaken = await transport.sendMail({ ...mail, date: new Date(0), text: subject }).then(
        () => true,
        () => false,
      );
      if (isTaken) break;
      await wait(AGAIN);
    }
    confirmed++;
  };
  const sending = Promise.all(
    [0, 1, 2].map(async (sender) => {
      for (let index = sender; index < MAILS; index += 3) await send(subjects[index]!);
    }),
  );
  for (let kill = 1; kill <= KILLS; kill++) {
    const moment = Math.floor(((kill - 1 + chance.next()) * (MAILS - 5)) / KILLS);
    await expect.poll(() => confirmed, { interval: 1 }).toBeGreaterThanOrEqual(moment);
    await wait(chance.int(20));
    await station.end('SIGKILL');
    station = await serve(directory);
  }
  await sending;
  const { news_list } = await station.ask<{ news_list: { title: string }[] }>('GET', '/news/listAfterId/0/200');
  expect(news_list.map(({ title }) => title).sort()).toEqual(subjects.toSorted());
});
