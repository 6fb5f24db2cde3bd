import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { follow } from '../harness/command-line.ts';
import { startStations, TestStation } from '../harness/linked.ts';

interface Schedule {
  readonly id: number;
  readonly name: string;
  readonly paused: boolean;
  readonly last: { readonly at: number; readonly sent: number } | null;
}

/** A mail server that keeps the subjects of what it was sent. */
async function mailServer(): Promise<{ readonly url: string; readonly subjects: string[] }> {
  const subjects: string[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        subjects.push(/^Subject: (.*)$/m.exec(Buffer.concat(chunks).toString())?.[1] ?? '');
        done();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => new Promise<void>((resolve) => smtp.close(() => resolve())));
  return { url: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`, subjects };
}

const schedulesOf = (station: TestStation) => station.ask<Schedule[]>('GET', '/reports/schedules');
const namesOf = async (station: TestStation) => (await schedulesOf(station)).map(({ name }) => name);

/** Changes the database of a station that does not run. */
function change(station: TestStation, statement: string): void {
  const sql = new DatabaseSync(join(station.directory, 'station.db'));
  sql.exec(statement);
  sql.close();
}

test('[sync 115] a promoted standby sends the reports of the station that it replaces, and those are sent by one of them', async () => {
  const mail = await mailServer();
  const [a, b] = (await startStations(2, { WAYPOST_SMTP_URL: mail.url })) as [TestStation, TestStation];
  const earlier = new Date(Date.now() - 3_600_000);
  const minute = earlier.getUTCHours() * 60 + earlier.getUTCMinutes();
  const body = { report: 'mileage', every: 'day', minute, tz: 'UTC', addresses: ['chief@example.org'] };
  for (const name of ['Sent by the first', 'Sent by the second'])
    await a.ask('POST', '/reports/schedules', { ...body, name });
  await a.ask('POST', '/cars', { name: 'Van 1' });
  const cable = await follow(b, a);
  const kept = () => {
    const sql = new DatabaseSync(join(b.directory, 'station.db'), { readOnly: true });
    const value = sql.prepare('SELECT value FROM followed_reports').get()?.['value'];
    sql.close();
    return (JSON.parse(String(value ?? '[]')) as Schedule[]).map(({ name, last }) => [name, last !== null]);
  };
  await expect.poll(kept).toEqual([
    ['Sent by the first', false],
    ['Sent by the second', false],
  ]);
  expect(await namesOf(b)).toEqual([]);

  // The first is made due; what became of its run is at the standby before the station is lost.
  await a.end('SIGKILL');
  change(a, "UPDATE report_schedules SET since = since - 86400000 WHERE fields LIKE '%by the first%'");
  await a.start();
  cable.join();
  await expect.poll(() => mail.subjects.length, { timeout: 40_000 }).toBe(1);
  await expect.poll(kept).toContainEqual(['Sent by the first', true]);
  await a.end('SIGKILL');
  await b.ask('POST', '/standby/promotion', { confirm: 'Station 1' });
  await expect.poll(() => namesOf(b)).toEqual(['Sent by the first', 'Sent by the second']);
  expect((await schedulesOf(b))[0]!.last).not.toBeNull();
  expect(mail.subjects).toHaveLength(1);

  // The lost station comes back with a run that is due by its own book, and leaves it to the promoted one.
  change(a, 'UPDATE report_schedules SET since = since - 86400000');
  await a.start();
  cable.join();
  await expect
    .poll(async () => (await schedulesOf(a)).map(({ paused }) => paused), { timeout: 40_000 })
    .toEqual([true, true]);
  expect(mail.subjects).toHaveLength(1);
  expect((await schedulesOf(b)).map(({ paused }) => paused)).toEqual([false, false]);
});
