import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';
import { prefer } from '../harness/every-look.ts';

let desk: DemoConsole;
const page = () => desk.page;

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, viewport: { width: 1280, height: 720 } });
});
afterAll(() => desk?.close());

const field = (key: string) => page().locator(`[data-field="${key}"]`);
const row = (name: string) =>
  page()
    .locator('[role=listbox] .row[role=option]')
    .filter({ has: page().getByText(name, { exact: true }) });
async function open(path: string, title: string): Promise<void> {
  await page().goto(`${desk.station.address}/#${path}`);
  await page().getByRole('heading', { level: 1, name: title }).waitFor();
}
async function begin(path: string, title: string, name: string): Promise<void> {
  await open(path, title);
  await page().getByRole('button', { name: /^New/ }).click();
  await field('name').getByRole('textbox').fill(name);
}
async function save(name: string): Promise<void> {
  const answered = page().waitForResponse((response) => response.request().method() !== 'GET' && response.ok());
  await page().keyboard.press('Control+Enter');
  await answered;
  await page().getByText(`Saved: ${name}`, { exact: true }).last().waitFor();
}
const found = async <T extends { name: string }>(path: string, name: string) =>
  (await desk.ask<T[]>('GET', path)).find((one) => one.name === name);
/** A vehicle with all that its card says. */
async function vehicle(name: string): Promise<{
  id: number;
  glonassId: number | null;
  groupId: number;
  tagsIds: number[];
  carInfo: { kmNextTo: number | null; carNo: string };
}> {
  const { id } = (await found<{ name: string; id: number }>('/cars', name))!;
  return desk.ask('GET', `/cars/${id}`);
}
const blue = () =>
  sharp({ create: { width: 48, height: 48, channels: 4, background: '#336699' } })
    .png()
    .toBuffer();

test('a maker and its model are entered; a model’s numbers are bounded, saved, and taken away again', async () => {
  await begin('/fleet/marks', 'Makes', 'Probe Works');
  await save('Probe Works');
  await begin('/fleet/models', 'Models', 'P 1');
  await field('markId').getByRole('combobox').selectOption({ label: 'Probe Works' });
  await field('expenseOn100km').getByRole('textbox').fill('-1');
  await page().keyboard.press('Control+Enter');
  await page()
    .getByText(/^From 0 to 1,?000,?000/)
    .waitFor();
  await field('expenseOn100km').getByRole('textbox').fill('12.5');
  await field('maxTank').getByRole('textbox').fill('60');
  await save('P 1');
  type Model = { name: string; expenseOn100km: number | null; maxTank: number | null; markId: number };
  const maker = (await found<{ name: string; id: number }>('/cars/marks', 'Probe Works'))!;
  expect(await found<Model>('/cars/models', 'P 1')).toMatchObject({
    expenseOn100km: 12.5,
    maxTank: 60,
    markId: maker.id,
  });
  await field('expenseOn100km').getByRole('textbox').fill('');
  await save('P 1');
  await expect.poll(async () => (await found<Model>('/cars/models', 'P 1'))!.expenseOn100km).toBe(null);
  expect((await found<Model>('/cars/models', 'P 1'))!.maxTank).toBe(60);
  await open('/fleet/marks', 'Makes');
  await row('Probe Works').click();
  expect(
    await page()
      .getByRole('button', { name: /^Delete/ })
      .count(),
  ).toBe(0); // it still has a model
});

test('a group and a tag are entered and found at the vehicle', async () => {
  await begin('/fleet/groups', 'Groups', 'Night shift');
  await field('notes').getByRole('textbox').fill('from ten to six');
  await save('Night shift');
  await begin('/fleet/tags', 'Tags', 'Winter probe');
  await save('Winter probe');
  await begin('/fleet/vehicles', 'Vehicles', 'Probe 7');
  await field('groupId').getByRole('combobox').selectOption({ label: 'Night shift' });
  await field('tagIds').getByRole('checkbox', { name: 'Winter probe' }).check();
  await save('Probe 7');
  const [group, tag] = await Promise.all([
    found<{ name: string; id: number }>('/cars/groups', 'Night shift'),
    found<{ name: string; id: number }>('/cars/tags', 'Winter probe'),
  ]);
  expect(await vehicle('Probe 7')).toMatchObject({ groupId: group!.id, tagsIds: [tag!.id] });
});

test('an icon is entered with its picture', async () => {
  await begin('/fleet/icons', 'Icons', 'Probe icon');
  await page()
    .locator('input[type=file]')
    .setInputFiles({ name: 'icon.png', mimeType: 'image/png', buffer: await blue() });
  await field('upload').getByRole('img').waitFor();
  await save('Probe icon');
  await row('Probe icon').waitFor();
});

test('a vehicle is entered with everything that it has, and each of its optional numbers is taken away again', async () => {
  await begin('/fleet/vehicles', 'Vehicles', 'Probe 8');
  await field('plate').getByRole('textbox').fill('P 800');
  await field('glonassId').getByRole('textbox').fill('990008');
  await field('imei').getByRole('textbox').fill('869000000990008');
  await field('kmToService').getByRole('textbox').fill('15000');
  await field('profile').getByRole('combobox').selectOption({ label: 'Truck' });
  await page()
    .locator('input[type=file]')
    .setInputFiles({ name: 'van.png', mimeType: 'image/png', buffer: await blue() });
  await field('upload').getByRole('img').waitFor();
  await save('Probe 8');
  expect(await vehicle('Probe 8')).toMatchObject({
    glonassId: 990_008,
    devimei: '869000000990008',
    profile: 'truck',
    carInfo: { carNo: 'P 800', kmNextTo: 15_000 },
  });
  await field('serviceKept').getByRole('checkbox').uncheck();
  await save('Probe 8');
  await expect.poll(async () => (await vehicle('Probe 8')).carInfo.kmNextTo).toBe(null);
  await expect.poll(() => field('serviceKept').count()).toBe(0);
  await field('glonassId').getByRole('textbox').fill('');
  await save('Probe 8');
  const { id } = await vehicle('Probe 8');
  await expect.poll(async () => (await vehicle('Probe 8')).glonassId).toBe(id); // as when it was entered without one
  // nothing else was touched
  expect(await vehicle('Probe 8')).toMatchObject({ profile: 'truck', carInfo: { carNo: 'P 800' } });
});

test('what the station refuses stands at its field, in the language of the console', async () => {
  await page().keyboard.press('Escape');
  await begin('/fleet/drivers', 'Drivers', '');
  await page()
    .getByLabel(/^Full name/)
    .fill('Ada Probe');
  await field('wire').getByRole('textbox').fill('DEMO0001'); // another driver has it
  await page().keyboard.press('Control+Enter');
  await page()
    .getByRole('alert')
    .filter({ hasText: /belongs to another driver/ })
    .waitFor();
  await prefer(page(), { palette: 'day', language: 'ru' });
  await page().keyboard.press('Control+Enter');
  await page().getByRole('alert').filter({ hasText: 'уже у другого водителя' }).waitFor();
  expect(desk.faults()).toEqual([]);
});
