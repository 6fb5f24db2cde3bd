import { createTransport } from 'nodemailer';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Dovecot, HAS_DOVECOT, MAILBOX_LOGIN } from '../../support/dovecot.ts';
import { freePort } from '../../support/free-ports.ts';
import { launchChromium } from '../harness/chromium.ts';
import { enter, startStationProcess, watchForFaults, type RunningStation } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';

/** A mailbox set up in the console: server, rule, preview, and the mails that were taken. */
describe.skipIf(!HAS_DOVECOT)('the page of the mailbox', () => {
  let station: RunningStation;
  let dovecot: Dovecot;
  let browser: Browser;
  let page: Page;
  let faults: () => string[];

  beforeAll(async () => {
    [station, browser, dovecot] = await Promise.all([
      startStationProcess([], { WAYPOST_ADMIN_PASSWORD: 'admin-admin' }),
      launchChromium(),
      Dovecot.start(),
    ]);
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
    faults = watchForFaults(context, station.address);
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await enter(page, station.address, 'admin', 'admin-admin');
    await page.locator('.light[data-level=good]').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await station?.stop();
    await dovecot?.close();
  });

  const field = (name: string) => page.getByLabel(name, { exact: true });
  const row = (text: string) => page.getByRole('listitem').filter({ hasText: text });

  test('rules are tried on the unread mails before mail is taken, and then it becomes tasks', async () => {
    for (const subject of ['Leak in Mill Lane', 'Lunch'])
      dovecot.deliver(
        `From: ann@town.example\nSubject: ${subject}\nMessage-ID: <${subject.length}@town.example>\n\nText\n`,
      );
    await page.goto(`${station.address}/#/mailbox`);
    await field('IMAP server').fill('127.0.0.1');
    await field('Port').fill(String(dovecot.port));
    await field('Encryption').selectOption({ label: 'None' });
    await field('Login').fill(MAILBOX_LOGIN.login);
    await field('Password').fill(MAILBOX_LOGIN.secret);
    await field('On behalf of').selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await field('Name').fill('Water');
    await field('Subject contains').fill('leak');
    await field('Type').selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await row('Leak in Mill Lane').getByText('Water').waitFor();
    await row('Lunch').getByText('No rule').waitFor();
    expect(dovecot.counts).toEqual({ read: 0, unread: 2 });
    for (const width of [1440, 640]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await inEveryLook(page, `mailbox-${width}`)).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });

    await page.getByRole('checkbox', { name: 'Follow a mailbox (IMAP)' }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => dovecot.counts).toEqual({ read: 2, unread: 0 });
    await row('Leak in Mill Lane').getByRole('link').click();
    await page.getByRole('heading', { name: 'Leak in Mill Lane' }).first().waitFor();
    expect(faults()).toEqual([]);
  });

  test('the station receives mail itself, and the page shows what became of it', async () => {
    await page.goto(`${station.address}/#/mailbox`);
    const port = await freePort();
    await page.getByRole('checkbox', { name: 'Receive mail from alarm panels and mail servers' }).check();
    await field('Port of the receiver').fill(String(port));
    await field('Accept mail for').fill('@station.example, desk@');
    await field('Accept mail from').fill('127.0.0.1, 10.0.0.0/99');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('must be addresses or networks').first().waitFor();
    await field('Accept mail from').fill('127.0.0.1');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    await expect.poll(() => transport.verify().catch(() => false)).toBe(true);
    const mail = { from: 'unit7@panel.example', to: 'x@station.example', text: 'Zone 3' };
    await transport.sendMail({ ...mail, subject: 'Leak alarm' });
    await row('Leak alarm').getByRole('link').waitFor();
    expect(faults()).toEqual([]);
  });

  test('the page says when the mailbox cannot be reached', async () => {
    await page.goto(`${station.address}/#/mailbox`);
    await field('Password').fill('wrong');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/The mailbox cannot be reached: /).waitFor();
  });
});
