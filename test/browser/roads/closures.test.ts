import type { BrowserContext, Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PATIENCE as OF_THE_MACHINE } from '../../support/patience.ts';
import { CAPABILITIES } from '../../../shared/records/accounts.ts';
import type { RoadClosure } from '../../../shared/records/index.ts';
import { openDemoConsole, screenshot, enter, type DemoConsole } from '../harness/console-harness.ts';
import { prefer } from '../harness/every-look.ts';
import { intercept } from '../harness/intercept.ts';

/**
 * Closures on the screen: edited by two at once, opened by who may not, over while one looks, and what they
 * do to a drive that begins or ends in one.
 */
let desk: DemoConsole;
let page: Page;

/** The machine of a test may be busy. */
const PATIENCE = { timeout: Math.max(20_000, OF_THE_MACHINE) };
const HOUR = 3_600_000;
/** Two places on roads of the demo's town. */
let start: Spot;
let goal: Spot;
interface Spot {
  readonly lat: number;
  readonly lon: number;
}

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, viewport: { width: 1280, height: 720 } });
  page = desk.page;
  [start, goal] = [await onRoad(0.4, 0.4), await onRoad(0.6, 0.62)];
});
afterAll(() => desk?.close());

async function onRoad(x: number, y: number): Promise<Spot> {
  const {
    bounds: [west, south, east, north],
  } = await desk.ask<{ bounds: [number, number, number, number] }>('GET', '/territory');
  const at = `${(north - (north - south) * y).toFixed(6)},${(west + (east - west) * x).toFixed(6)}`;
  const {
    mapped_coordinate: [lat, lon],
  } = await desk.ask<{ mapped_coordinate: [number, number] }>('GET', `/nearest?loc=${at}`);
  return { lat, lon };
}
const around = ({ lat, lon }: Spot, metres: number) => {
  const [up, across] = [metres / 111_195, metres / (111_195 * Math.cos((lat * Math.PI) / 180))];
  return [
    [lon - across, lat - up],
    [lon + across, lat - up],
    [lon + across, lat + up],
    [lon - across, lat + up],
    [lon - across, lat - up],
  ];
};
/** A closure as the interface answers. */
type Answer = Omit<RoadClosure, 'until'> & { readonly till: number | null };
const make = (name: string, body: Partial<Answer>) =>
  desk.ask<Answer>('POST', '/closures', {
    name,
    geometry: { type: 'Point', coordinates: [start.lon, start.lat] },
    ...body,
  });
const change = (id: number, body: Partial<Answer>) => desk.ask<Answer>('PUT', `/closures/${id}`, body);
const drop = (id: number) => page.request.delete(`${desk.station.address}/closures/${id}`);
const kept = (id: number) => desk.ask<Answer>('GET', `/closures/${id}`);

const side = (of = page) => of.locator('main.routes .side');
const form = (): Locator => side().locator('form.form');
async function openList(of = page): Promise<void> {
  await of.goto(`${desk.station.address}/#/routes?view=closures`);
  await side(of).locator('.panel').waitFor();
}
async function openForm(name: string): Promise<void> {
  await openList();
  await side().getByRole('radio', { name: /^Now/ }).click();
  await side()
    .getByRole('button', { name: new RegExp(name) })
    .first()
    .click();
  await form().waitFor();
}
const plan = (from: Spot, to: Spot) =>
  page.goto(`${desk.station.address}/#/routes?via=${[from, to].map(({ lat, lon }) => `${lat},${lon}`).join(';')}`);

test('what another operator saves comes in where nothing was typed; where both wrote, neither is lost, and nothing is saved before one is chosen', async () => {
  const { id } = await make('Mill Street', { reason: 'pipe' });
  await openForm('Mill Street');
  const name = form().getByLabel('Name');
  const reason = form().getByLabel('Reason');
  await name.fill('Mill Lane');
  await change(id, { reason: 'burst pipe', factor: 0.5 });
  await expect.poll(() => reason.inputValue(), PATIENCE).toBe('burst pipe');
  await form().getByLabel('Percent of the usual speed').waitFor();
  expect(await name.inputValue()).toBe('Mill Lane');
  await change(id, { name: 'Mill Road' });
  const conflict = form().getByText('Changed by somebody else meanwhile: Mill Road');
  await conflict.waitFor();
  await screenshot(page, 'closure-conflict-1280-day-en');
  await page.keyboard.press('Control+Enter');
  await form().getByText('Somebody else has changed the same', { exact: false }).waitFor();
  expect((await kept(id)).name).toBe('Mill Road');
  await form().getByRole('button', { name: 'Keep mine' }).click();
  await page.keyboard.press('Control+Enter');
  await page.getByText('Closure changed: Mill Lane').waitFor();
  expect(await kept(id)).toMatchObject({ name: 'Mill Lane', reason: 'burst pipe', factor: 0.5 });
  await change(id, { reason: 'mended soon' }); // somebody goes on from there
  await page.keyboard.press('u');
  await page.getByText('Undone: Closure changed: Mill Lane').waitFor();
  // taken back is what was changed here
  expect(await kept(id)).toMatchObject({ name: 'Mill Road', reason: 'mended soon', factor: 0.5 });
  await drop(id);
});

test('one that somebody deletes meanwhile says so, keeps what is written, and is made again when it is saved', async () => {
  const { id } = await make('Bridge', {});
  await openForm('Bridge');
  await form().getByLabel('Reason').fill('inspection');
  await drop(id);
  await form().getByText('Somebody has deleted this closure.', { exact: false }).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByText('Closure in force: Bridge').waitFor();
  const again = (await desk.ask<Answer[]>('GET', '/closures')).find(({ name }) => name === 'Bridge')!;
  expect(again).toMatchObject({ reason: 'inspection', factor: 0 });
  expect(again.id).not.toBe(id);
  await drop(again.id);
});

test('an empty share never closes a road, and an end that has passed is refused; hours count from now where it holds already', async () => {
  const { id } = await make('Works', { factor: 0.4, from: Date.now() - 30 * HOUR });
  await openForm('Works');
  const share = form().getByLabel('Percent of the usual speed');
  for (const wrong of ['', '0', '150']) {
    await share.fill(wrong);
    await page.keyboard.press('Control+Enter');
    await form().getByText('From 1 to 99 percent.').waitFor();
  }
  expect((await kept(id)).factor).toBe(0.4);
  await share.fill('60');
  await form().getByRole('button', { name: 'for 4 hours' }).click();
  await page.keyboard.press('Control+Enter');
  await page.getByText('Closure changed: Works').waitFor();
  const { till, factor } = await kept(id);
  expect(factor).toBe(0.6);
  expect(Math.abs(till! - Date.now() - 4 * HOUR)).toBeLessThan(2 * 60_000);
  await openForm('Works');
  await form().getByLabel('Until').fill('01.01.2020');
  await form().getByLabel('From', { exact: true }).fill('');
  await page.keyboard.press('Control+Enter');
  await form()
    .getByText(/must be after the start|has already passed/)
    .waitFor();
  await form().getByRole('button', { name: 'Discard changes' }).click();
  await drop(id);
});

test('what is over is not offered to be lifted, and ends in sight of who looks at it', async () => {
  const { id } = await make('Race', { from: Date.now() - HOUR });
  await openForm('Race');
  await form().getByText('in force').waitFor();
  await form().getByRole('button', { name: 'Lift', exact: true }).waitFor();
  await change(id, { till: Date.now() });
  await form().getByText('ended', { exact: true }).waitFor();
  expect(
    await form()
      .getByRole('button', { name: /^(Lift|Delete)/ })
      .count(),
  ).toBe(0);
  await page.keyboard.press('Escape');
  await side().getByRole('radio', { name: /Past/ }).click();
  await side().getByRole('button', { name: /Race/ }).waitFor();
  await drop(id);
});

test('a shape is there again when one has looked at the other kinds', async () => {
  await openList();
  await page.keyboard.press('n');
  await form().waitFor();
  await form().getByRole('checkbox', { name: 'The line follows the road' }).uncheck();
  const map = (await page.locator('main.routes .leaflet-container').boundingBox())!;
  for (const share of [0.3, 0.45, 0.6]) await page.mouse.click(map.x + map.width * share, map.y + map.height * 0.4);
  const handles = page.locator('.draw-vertex');
  await expect.poll(() => handles.count(), PATIENCE).toBe(3);
  await form().getByRole('radio', { name: 'Area' }).click();
  await expect.poll(() => handles.count(), PATIENCE).toBe(0);
  await form().getByRole('radio', { name: 'Line' }).click();
  await expect.poll(() => handles.count(), PATIENCE).toBe(3);
  await form().getByRole('button', { name: 'Discard changes' }).click();
});

test('a road is closed by keys alone: N, the map, the name, saved', async () => {
  await openList();
  await page.locator('body').press('n');
  await form().waitFor();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => !document.querySelector('.leaflet-pan-anim'));
  await page.keyboard.press('Space');
  await expect.poll(() => page.locator('.draw-vertex').count(), PATIENCE).toBeGreaterThan(1);
  await page.keyboard.press('Enter');
  await expect
    .poll(
      () =>
        form()
          .getByLabel('Name')
          .evaluate((field) => field === document.activeElement),
      PATIENCE,
    )
    .toBe(true);
  await page.keyboard.type('Fallen mast');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Closure in force: Fallen mast').waitFor();
  await drop((await desk.ask<Answer[]>('GET', '/closures')).find(({ name }) => name === 'Fallen mast')!.id);
});

test('who may not close roads sees the one that is open on the map, and can change nothing', async () => {
  const { id } = await make('Ford', { reason: 'high water' });
  const roles = await desk.ask<{ id: number; name: string }>('POST', '/rights', { name: 'Looks only', accesses: [] });
  await desk.ask('POST', '/users', { login: 'looker', fio: 'Looker', password: 'looker-looker', groupId: roles.id });
  const other: BrowserContext = await desk.browser.newContext({
    viewport: { width: 1280, height: 720 },
    locale: 'en-GB',
  });
  const viewer = await other.newPage();
  await enter(viewer, desk.station.address, 'looker', 'looker-looker');
  await openList(viewer);
  expect(
    await side(viewer)
      .getByRole('button', { name: /New closure|Lift/ })
      .count(),
  ).toBe(0);
  await side(viewer).getByRole('button', { name: /Ford/ }).click();
  await viewer.locator('.closure-mark.closure-chosen').waitFor();
  expect(await side(viewer).getByLabel('Name').isDisabled()).toBe(true);
  expect(
    await side(viewer)
      .getByRole('button', { name: /Save|Lift|Delete/ })
      .count(),
  ).toBe(0);
  await drop(id);
  await side(viewer).locator('form.form').waitFor({ state: 'detached' });
  await other.close();
});

test('who may edit tasks only in some state is not offered to close roads', async () => {
  const { id } = await make('Quay', {});
  const { state } = await desk.ask<{ state: { id: string } }>('POST', '/news/states', {
    name: 'New ones',
    field: 'status',
    sign: '=',
    value: '1',
  });
  const roles = await desk.ask<{ id: number }>('POST', '/rights', {
    name: 'Edits new ones',
    accesses: [{ capability_id: CAPABILITIES.indexOf('edit') + 1, states: [Number(state.id)] }],
  });
  await desk.ask('POST', '/users', { login: 'novice', fio: 'Novice', password: 'novice-novice', groupId: roles.id });
  const other: BrowserContext = await desk.browser.newContext({
    viewport: { width: 1280, height: 720 },
    locale: 'en-GB',
  });
  const novice = await other.newPage();
  await enter(novice, desk.station.address, 'novice', 'novice-novice');
  await openList(novice);
  await side(novice).getByRole('button', { name: /Quay/ }).waitFor();
  expect(
    await side(novice)
      .getByRole('button', { name: /New closure|Lift/ })
      .count(),
  ).toBe(0);
  await novice.keyboard.press('n');
  await side(novice).getByRole('button', { name: /Quay/ }).click(); // the key was heard before the click
  await expect.poll(() => side(novice).getByLabel('Name').isDisabled(), PATIENCE).toBe(true);
  expect(
    (await novice.request.put(`${desk.station.address}/closures/${id}`, { data: { reason: 'mine' } })).status(),
  ).toBe(403);
  await other.close();
  await drop(id);
});

test('a person who may not close so many kilometres of road hears so before it is saved, and the right is given in the editor of rights', async () => {
  const { id } = await make('Pipe', {});
  const roles = await desk.ask<{ id: number; name: string }[]>('GET', '/rights');
  const groupId = roles.find(({ name }) => name === 'Dispatcher')!.id;
  await desk.ask('POST', '/users', { login: 'shift', fio: 'Shift', password: 'shift-at-night', groupId });
  const other: BrowserContext = await desk.browser.newContext({
    viewport: { width: 1280, height: 720 },
    locale: 'en-GB',
  });
  const shift = await other.newPage();
  await enter(shift, desk.station.address, 'shift', 'shift-at-night');
  await openList(shift);
  await side(shift).getByRole('button', { name: /Pipe/ }).first().click();
  await side(shift)
    .getByText(/^Affects \d/)
    .waitFor();
  const town = { type: 'Polygon', coordinates: [around(start, 20_000)] } as RoadClosure['geometry'];
  await change(id, { geometry: town, factor: 0.9 });
  await side(shift)
    .getByText(/Your role allows at most 20.km/)
    .waitFor();
  await screenshot(shift, 'closure-too-wide-1280-day-en');
  await side(shift).getByRole('radio', { name: 'Closed' }).click();
  await side(shift).getByRole('button', { name: 'Save' }).click();
  await side(shift).getByRole('alert').filter({ hasText: 'Without the right to close more' }).waitFor();
  expect(await kept(id)).toMatchObject({ factor: 0.9 });
  await other.close();
  await drop(id);

  await page.goto(`${desk.station.address}/#/rights`);
  await page.getByText('Dispatcher', { exact: true }).first().click();
  const line = page.locator('[data-capability=closures-wide]');
  expect(await line.getByRole('radio').allInnerTexts()).toEqual(['Never', 'Always']);
  await line.getByRole('radio', { name: 'Always' }).click();
  await page.keyboard.press('Control+Enter');
  const listed = async () =>
    (await desk.ask<{ name: string; accesses: { capability_id: number }[] }[]>('GET', '/rights'))
      .find(({ name }) => name === 'Dispatcher')!
      .accesses.some(({ capability_id }) => capability_id === CAPABILITIES.length + 1);
  await expect.poll(listed, PATIENCE).toBe(true);
});

test('the form names the roads that a line would close; a drawing that touches none says so, and is saved only when that is wanted once more', async () => {
  const { lat, lon } = start;
  const block = await make('Block', {
    geometry: {
      type: 'LineString',
      coordinates: [
        [lon, lat - 0.0001],
        [lon, lat + 0.0001],
      ],
    },
  });
  await openForm('Block');
  await form()
    .getByText(/^Affects \d/)
    .waitFor();
  await screenshot(page, 'closure-preview-1280-day-en');
  await page.keyboard.press('Escape');
  await drop(block.id);
  const { id } = await make('Quay', { geometry: { type: 'Point', coordinates: [lon, lat + 1] } });
  await openForm('Quay');
  const nowhere = form().getByText('No road here: nothing would be closed.');
  await nowhere.waitFor();
  const vertex = page.getByRole('button', { name: /^Point 1:/ });
  await vertex.focus();
  await page.keyboard.press('Shift+ArrowUp');
  await form().getByRole('button', { name: 'Discard changes' }).waitFor();
  await page.keyboard.press('Control+Enter');
  const anyway = form().getByRole('button', { name: /^Save anyway/ });
  await anyway.waitFor();
  expect(await nowhere.getAttribute('role')).toBe('alert');
  expect((await kept(id)).geometry).toMatchObject({ coordinates: [lon, lat + 1] });
  await anyway.click();
  await page.getByText('Closure changed: Quay').waitFor();
  expect((await kept(id)).geometry).not.toMatchObject({ coordinates: [lon, lat + 1] });
  await drop(id);
});

/**
 * Holds what the console sends of closures back, until the answer that is given lets it through; it tells
 * when there is something.
 */
async function holdSent(): Promise<{ readonly sent: Promise<void>; release(): Promise<void> }> {
  let heard = () => {};
  let release = () => {};
  const sent = new Promise<void>((resolve) => (heard = resolve));
  let done = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const through = new Promise<void>((resolve) => (done = resolve));
  const pattern = /\/closures(\/\d+)?$/;
  await intercept(page, pattern, async (route) => {
    heard();
    await gate;
    await route.continue().then(done);
  });
  return {
    sent,
    async release() {
      release();
      await through;
      await page.unroute(pattern);
    },
  };
}

test('what is being saved takes nothing more, by hand, key or map; and the answer closes no other form', async () => {
  const [{ id }, { id: other }] = [await make('Weir', { reason: 'crack' }), await make('Lock', {})];
  await openForm('Weir');
  const reason = form().getByLabel('Reason');
  await reason.fill('crack in the');
  const handles = page.locator('.draw-handle');
  await handles.first().waitFor();
  const held = await holdSent();
  await page.keyboard.press('Control+Enter');
  await held.sent;
  await expect.poll(() => reason.isDisabled(), PATIENCE).toBe(true);
  expect(await form().getByRole('radio', { name: 'Area' }).isDisabled()).toBe(true);
  expect(await handles.count()).toBe(0);
  expect(
    await form()
      .getByRole('button', { name: /Discard/ })
      .isDisabled(),
  ).toBe(true);
  await screenshot(page, 'closure-saving-1280-day-en');
  await page.keyboard.press('Escape');
  await side()
    .getByRole('button', { name: /^Weir.*not saved yet/ })
    .waitFor();
  await side().getByRole('button', { name: /^Lock/ }).click();
  await form().getByLabel('Reason').fill('gate stuck');
  await held.release();
  await page.getByText('Closure changed: Weir').waitFor();
  expect(await form().getByLabel('Reason').inputValue()).toBe('gate stuck');
  expect(await kept(id)).toMatchObject({ reason: 'crack in the' });
  await form()
    .getByRole('button', { name: /Discard/ })
    .click();
  for (const one of [id, other]) await drop(one);
});

test('while a new one is sent no second is begun in its place; refused, it is there to be gone on with', async () => {
  await openList();
  await page.locator('body').press('n');
  await form().getByRole('radio', { name: 'Point' }).click();
  await page.keyboard.press('Space');
  await page.locator('.draw-vertex').waitFor();
  await form().getByLabel('Name').fill('Culvert');
  const held = await holdSent();
  await page.keyboard.press('Control+Enter');
  await held.sent;
  await page.keyboard.press('Escape');
  await form().waitFor({ state: 'detached' });
  const begin = side().getByRole('button', { name: /New closure/ });
  expect(await begin.isDisabled()).toBe(true);
  await page.keyboard.press('n');
  await side()
    .getByRole('radio', { name: /Planned/ })
    .click(); // the key was heard before the click
  expect(await form().count()).toBe(0);
  await desk.cut();
  await held.release();
  await page.locator('.notice.refused').waitFor();
  await desk.restore();
  await page.locator('.light[data-level=good]').waitFor();
  await begin.click();
  expect(await form().getByLabel('Name').inputValue()).toBe('Culvert');
  await form()
    .getByRole('button', { name: /Discard/ })
    .click();
});

test('what is typed of a closure that is deleted meanwhile stays in the list, also after the page was loaded again', async () => {
  const { id } = await make('Tunnel', {});
  await openForm('Tunnel');
  await form().getByLabel('Reason').fill('smoke in the east tube');
  await page.keyboard.press('Escape');
  await side()
    .getByRole('button', { name: /^Tunnel.*not saved yet/ })
    .waitFor();
  await drop(id);
  const row = side().getByRole('button', { name: /^Tunnel.*deleted by somebody else.*not saved yet/ });
  await row.waitFor();
  await screenshot(page, 'closure-deleted-row-1280-day-en');
  await row.click();
  await form().getByText('Somebody has deleted this closure.', { exact: false }).waitFor();
  await page.reload();
  await form().getByText('Somebody has deleted this closure.', { exact: false }).waitFor();
  expect(await form().getByLabel('Reason').inputValue()).toBe('smoke in the east tube');
  await page.keyboard.press('Escape');
  await row.click();
  await page.keyboard.press('Control+Enter');
  await page.getByText('Closure in force: Tunnel').waitFor();
  const again = (await desk.ask<Answer[]>('GET', '/closures')).find(({ name }) => name === 'Tunnel')!;
  expect(again).toMatchObject({ reason: 'smoke in the east tube' });
  await row.waitFor({ state: 'detached' });
  await drop(again.id);
});

test('lifting and deleting leave what is typed, and it goes with what is taken back', async () => {
  const [{ id }, coming] = [await make('Arch', {}), await make('Parade', { from: Date.now() + HOUR })];
  await openForm('Arch');
  await form().getByLabel('Reason').fill('lorry stuck');
  await page.keyboard.press('Escape');
  await side()
    .getByRole('listitem')
    .filter({ hasText: 'Arch' })
    .getByRole('button', { name: 'Lift', exact: true })
    .click();
  await side().getByRole('radio', { name: /Past/ }).click();
  await side()
    .getByRole('button', { name: /^Arch.*not saved yet/ })
    .click();
  expect(await form().getByLabel('Reason').inputValue()).toBe('lorry stuck');
  await form()
    .getByRole('button', { name: /Discard/ })
    .click();

  await side()
    .getByRole('radio', { name: /Planned/ })
    .click();
  await side()
    .getByRole('button', { name: /^Parade/ })
    .click();
  await form().getByLabel('Reason').fill('band and horses');
  await page.keyboard.press('Escape');
  await side()
    .getByRole('listitem')
    .filter({ hasText: 'Parade' })
    .getByRole('button', { name: 'Delete', exact: true })
    .click();
  await side()
    .getByRole('button', { name: /^Parade.*deleted by somebody else/ })
    .waitFor();
  await page.keyboard.press('u');
  await page.getByText('Undone: Closure deleted: Parade').waitFor();
  const again = (await desk.ask<Answer[]>('GET', '/closures')).find(
    ({ name, till }) => name === 'Parade' && till === null,
  )!;
  expect(again.id).not.toBe(coming.id);
  await side()
    .getByRole('radio', { name: /Planned/ })
    .click();
  await side()
    .getByRole('button', { name: /^Parade.*not saved yet/ })
    .click();
  expect(await form().getByLabel('Reason').inputValue()).toBe('band and horses');
  await form().getByText('planned', { exact: true }).waitFor();
  await form()
    .getByRole('button', { name: /Discard/ })
    .click();
  for (const one of [id, again.id]) await drop(one);
});

test('a drive that ends in a closure says so at its goal, in both languages, and leads there', async () => {
  const { id } = await make('Gas in Chapel Street', { geometry: { type: 'Point', coordinates: [goal.lon, goal.lat] } });
  await plan(start, goal);
  await side().getByText('Closed here: Gas in Chapel Street', { exact: false }).waitFor();
  await side().getByText('Starts or ends in a closure: Gas in Chapel Street').waitFor();
  await side().getByRole('radiogroup', { name: 'Alternative routes' }).getByRole('radio').first().waitFor();
  await screenshot(page, 'routes-into-closure-1280-day-en');
  await prefer(page, { palette: 'night', language: 'ru' });
  await side().getByText('Здесь перекрыто: Gas in Chapel Street', { exact: false }).waitFor();
  await side().getByText('Начинается или кончается в перекрытии: Gas in Chapel Street').waitFor();
  await screenshot(page, 'routes-into-closure-1280-night-ru');
  await prefer(page, { palette: 'day', language: 'en' });
  await side().getByRole('button', { name: 'Gas in Chapel Street' }).first().click();
  await expect.poll(() => form().getByLabel('Name').inputValue(), PATIENCE).toBe('Gas in Chapel Street');
  await page.keyboard.press('Escape');
  await drop(id);
});

test('where no way is left it is said between which stops, what was closed since there was one, and that it was there', async () => {
  const { ring, inside } = await ringOfClosedRoads();
  await change(ring.id, { from: Date.now() - HOUR, till: Date.now() - 1 });
  // A page of its own: else the ways of the drive before stand there until this one's have come.
  await page.goto('about:blank');
  await plan(start, inside);
  await page.locator('.light[data-level=good]').waitFor();
  await side().getByRole('radiogroup', { name: 'Alternative routes' }).getByRole('radio').first().waitFor();
  await change(ring.id, { till: null });
  const note = side().locator('.no-way');
  await note.getByText('No route from Start to Destination', { exact: false }).waitFor();
  await note.getByText(/Before the closures changed, the route took/).waitFor();
  await note.getByText('Closed since: Ring of fire', { exact: false }).waitFor();
  await screenshot(page, 'routes-no-way-1280-day-en');
  await page.reload();
  await page.locator('.light[data-level=good]').waitFor();
  await plan(start, inside);
  await note.getByText('Closed near these stops, possibly in the way: Ring of fire', { exact: false }).waitFor();
  await note.getByRole('button', { name: 'Ring of fire' }).click();
  await form().getByRole('button', { name: 'Lift', exact: true }).click();
  await page.getByText('Closure lifted: Ring of fire').waitFor();
  await plan(start, inside);
  await side().getByRole('radiogroup', { name: 'Alternative routes' }).getByRole('radio').first().waitFor();
  expect(await note.count()).toBe(0);
  await drop(ring.id);
});

/**
 * A ring of closed roads with open ones in it: out of a closure one may drive, through one not. Where a long
 * straight road leads through both borders it is closed whole, and no such place.
 */
async function ringOfClosedRoads(): Promise<{ ring: Answer; inside: Spot }> {
  for (const [x, y] of [
    [0.5, 0.5],
    [0.55, 0.5],
    [0.5, 0.55],
    [0.55, 0.45],
    [0.45, 0.5],
    [0.6, 0.5],
  ] as const) {
    const inside = await onRoad(x, y);
    for (const hole of [150, 250, 400]) {
      const ring = await make('Ring of fire', {
        geometry: { type: 'Polygon', coordinates: [around(inside, hole + 500), around(inside, hole)] },
      });
      const { status } = await desk.ask<{ status: number }>(
        'GET',
        `/viaroute?loc=${start.lat},${start.lon}&loc=${inside.lat},${inside.lon}`,
      );
      if (status === 207) return { ring, inside };
      await drop(ring.id);
    }
  }
  throw new Error('No place of the town can be shut in.');
}

test('speeds that others switch ask for the way again, and are not taken for closures', async () => {
  let slower = 0;
  await intercept(page, '**/viaroute?**', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    answer.route_summary.total_time += slower;
    await route.fulfill({ response, json: answer });
  });
  await page.goto('about:blank');
  await plan(start, goal);
  await page.locator('.light[data-level=good]').waitFor();
  const time = side().getByRole('radiogroup', { name: 'Alternative routes' }).getByRole('radio').first();
  await time.waitFor();
  const told = await time.innerText();
  slower = 1_200;
  const { on } = await desk.ask<{ on: boolean }>('GET', '/speeds');
  for (const value of [!on, on]) await desk.ask('PUT', '/speeds', { on: value });
  await expect.poll(() => time.innerText(), PATIENCE).not.toBe(told);
  expect(await side().getByText('Before the closures changed').count()).toBe(0);
  slower = 2_400;
  const { id } = await make('Slow', { factor: 0.5 });
  await side().getByText('Before the closures changed').first().waitFor();
  await page.unroute('**/viaroute?**');
  await drop(id);
});

test('many closures are narrowed by words, and gone through by arrow keys', async () => {
  const before = await desk.ask<Answer[]>('GET', '/closures');
  await Promise.all(before.map(({ id }) => drop(id)));
  // At once: one after the other, each would wait for its own change of the metric.
  const made = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      make(`Works ${i}`, {
        reason: i % 20 === 7 ? 'Trench of the tramway' : 'kerb',
        factor: i % 3 === 0 ? 0.3 : 0,
        geometry: {
          type: 'Point',
          coordinates: [start.lon + (i % 12) * 0.002, start.lat + Math.floor(i / 12) * 0.001],
        },
      }),
    ),
  );
  await openList();
  const rows = side().locator('.list .row');
  await expect.poll(() => rows.count(), PATIENCE).toBe(60);
  await screenshot(page, 'closures-many-1280-day-en');
  await side().getByRole('searchbox', { name: 'Name or reason' }).fill('no such works');
  await side().getByText('No matches').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => rows.count(), PATIENCE).toBe(60);
  await side().getByRole('searchbox', { name: 'Name or reason' }).fill('tramway works');
  await expect.poll(() => rows.count(), PATIENCE).toBe(3);
  await rows.first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await rows.nth(2).evaluate((row) => row === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await form().waitFor();
  await page.keyboard.press('Escape');
  await Promise.all(made.map(({ id }) => drop(id)));
});

test('nothing left the station, and nothing broke', () => {
  expect(desk.faults()).toEqual([]);
});
