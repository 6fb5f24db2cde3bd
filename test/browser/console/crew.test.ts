import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoConsole, screenshot, watchForFaults, type DemoConsole } from '../harness/console-harness.ts';

/** A crew with its telephone: sign-in by a code, the task, the way, and everything without coverage. */
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 } as const;
const PLACE = { latitude: 56.18, longitude: 18.9 };

let desk: DemoConsole;
let context: BrowserContext;
let phone: Page;
let faults: () => string[];
let taskId: number;
let car: { id: number; name: string };

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true });
  const cars = await desk.ask<{ id: number; name: string; unitStatus: number | null }[]>('GET', '/cars');
  car = cars.find(({ unitStatus }) => unitStatus === 1 || unitStatus === 2) ?? cars[0]!;
  ({ newsId: taskId } = await desk.ask<{ newsId: number }>('POST', '/news/', {
    action: 'put',
    values: {
      title: 'Kitchen fire, two children inside',
      text: 'Kitchen burns, two children in the back room. Smoke on the stairs.',
      news_type_id: 1,
      priority: 1,
      address: 'Stone Avenue 14',
    },
    point: [18.91, 56.19],
    pointZoom: 15,
  }));
  context = await desk.browser.newContext({
    ...PHONE,
    locale: 'en-GB',
    timezoneId: 'UTC',
    colorScheme: 'light',
    permissions: ['geolocation'],
    geolocation: PLACE,
  });
  faults = watchForFaults(context, desk.station.address);
  phone = await context.newPage();
});
afterAll(async () => {
  await context?.close();
  await desk?.close();
});

const unit = async () => {
  const { news_data: task } = await desk.ask<{ news_data: { units: Record<string, unknown>[] } }>(
    'GET',
    `/news/${taskId}`,
  );
  return task.units.find(({ carId }) => carId === car.id);
};
const tab = (name: string) => phone.getByRole('navigation').getByRole('button', { name }).click();

test('a crew signs in, takes its task, drives there, and works on without coverage', async () => {
  await desk.page.goto(`${desk.station.address}/#/crews`);
  await desk.page.getByRole('combobox', { name: 'Vehicle' }).selectOption(String(car.id));
  await desk.page.getByRole('button', { name: 'Create a code' }).click();
  const code = await desk.page.locator('p.code').innerText();
  await screenshot(desk.page, 'crew-code');

  await phone.goto(`${desk.station.address}/crew`);
  await phone.getByLabel('Code').fill(code);
  await screenshot(phone, 'crew-sign-in');
  await phone.getByRole('button', { name: 'Sign in' }).click();
  await phone.getByText('No task').waitFor();
  await desk.ask('POST', `/news/${taskId}/units`, { carIds: [car.id], anyway: true });
  await phone.getByRole('heading', { name: 'Kitchen fire' }).waitFor();
  await screenshot(phone, 'crew-task');
  await phone.getByRole('button', { name: /^Accept/ }).click();
  await expect.poll(async () => (await unit())?.['acknowledgedAt']).toEqual(expect.any(Number));
  await phone.getByRole('button', { name: /^We are on the way/ }).click();

  await tab('Way');
  await phone.locator('.eta').waitFor();
  await phone.locator('.leaflet-tile-loaded').first().waitFor();
  await screenshot(phone, 'crew-way');
  await phone.getByRole('button', { name: 'Turn list' }).click();
  await screenshot(phone, 'crew-turns');
  await phone.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await phone.reload(); // from now on the worker keeps what is loaded
  await phone.getByRole('heading', { name: 'Kitchen fire' }).waitFor();
  for (const name of ['Way', 'Status', 'Messages']) await tab(name);

  await desk.cut();
  await phone.getByText(/^Offline/).waitFor();
  await tab('Status');
  await phone.getByRole('button', { name: /On scene/ }).click();
  await tab('Messages');
  await phone.getByLabel('Message', { exact: true }).fill('Two children at the balcony, ladder needed');
  await phone.getByRole('button', { name: 'Send' }).click();
  await phone.getByText('2 actions wait to be sent').waitFor();
  await phone.reload();
  await phone.getByText('2 actions wait to be sent').waitFor();
  await tab('Messages');
  await phone.getByText('ladder needed').waitFor();
  await screenshot(phone, 'crew-offline');
  await tab('Status');
  expect(await phone.getByRole('button', { name: /On scene/ }).getAttribute('aria-pressed')).toBe('true');
  await tab('Way');
  await phone.getByText(/not updated without coverage/).waitFor();

  await desk.restore();
  await phone.getByText('Connected').waitFor();
  await phone.getByText('wait to be sent').waitFor({ state: 'detached' });
  await expect.poll(unit).toMatchObject({ status: { digit: 4 }, onSceneAt: expect.any(Number) });
  const asked = async () =>
    (await desk.ask<{ text: string; fromCarId: number }[]>('GET', '/crews/messages')).filter(({ text }) =>
      text.endsWith('ladder needed'),
    );
  await expect.poll(asked).toMatchObject([{ fromCarId: car.id }]);
  await desk.page.getByRole('status', { name: 'A crew writes' }).getByText('ladder needed').waitFor();
});

test('what the station refuses says why and is discarded; the page is there by night and in Russian', async () => {
  await desk.ask('PUT', `/cars/${car.id}/status`, { status: 4 });
  await phone.getByRole('button', { name: 'Settings' }).click();
  await phone.getByRole('button', { name: 'Night' }).click();
  await phone.getByRole('button', { name: 'Русский' }).click();
  await phone.getByRole('button', { name: 'Закрыть' }).click();
  await phone.getByRole('navigation').getByRole('button', { name: 'Статус' }).click();
  await phone.getByText('Всё хорошо?').waitFor();
  await screenshot(phone, 'crew-status-night-ru');
  const help = phone.getByRole('button', { name: /Сигнал бедствия/ });
  const box = (await help.boundingBox())!;
  await phone.mouse.move(box.x + 20, box.y + 20);
  await phone.mouse.down();
  const call = desk.page.getByRole('alert').filter({ hasText: `${car.name} calls for help` });
  await call.waitFor();
  await phone.mouse.up();
  await screenshot(desk.page, 'crew-calls-for-help');
  await phone.getByRole('button', { name: /^4/ }).click();
  await call.waitFor({ state: 'detached' });
  await phone.getByRole('navigation').getByRole('button', { name: 'Сообщения' }).click();
  await desk.cut();
  await phone.getByText(/^Нет связи/).waitFor();
  await phone.getByRole('button', { name: 'Все вышли' }).click();
  await phone.getByText('Ждёт отправки: 1').waitFor();
  await desk.restore();
  await phone.getByText('Ждёт отправки: 1').waitFor({ state: 'detached' });
  await desk.ask('DELETE', `/news/${taskId}/units/${car.id}`);
  await phone.getByRole('navigation').getByRole('button', { name: 'Задача' }).click();
  await phone.getByText('Задачи нет').waitFor();
  await screenshot(phone, 'crew-no-task-night-ru');
  await desk.page.locator('.made').getByRole('button', { name: 'Close' }).click();
  await desk.page.getByRole('button', { name: 'End', exact: true }).click();
  await phone.getByText('Сеанс закончился').waitFor();
  await expect
    .poll(() => phone.evaluate(() => caches.has('crew-seen')), { message: 'nothing of tasks is left' })
    .toBe(false);
  expect(faults()).toEqual([]);
});
