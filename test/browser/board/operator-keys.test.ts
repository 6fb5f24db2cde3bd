import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDemoConsole, screenshot, type DemoConsole } from '../harness/console-harness.ts';
import { boardAtRest, Operator, OPERATOR_TASKS } from '../harness/operator-tasks.ts';

/** The keys of each daily task. A change that needs more of them makes every call longer. */
const KEYS: Readonly<Record<string, number>> = {
  'call to units sent': 22,
  'status of a unit': 8,
  'message to a crew': 16,
  'closure of a road': 21,
  'find a vehicle': 6,
};

let desk: DemoConsole;
beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true });
});
afterAll(() => desk?.close());
beforeEach(() => boardAtRest(desk.page));

test.each(OPERATOR_TASKS)('$name needs no more keys than before', async ({ name, run }) => {
  const operator = new Operator(desk.page);
  await run(operator);
  await screenshot(desk.page, `keys-${name.replaceAll(' ', '-')}`);
  expect(operator.keys).toBe(KEYS[name]);
  expect(desk.faults()).toEqual([]);
});

test('a closure that is begun by the name of its road lies on that road', async () => {
  const [closure] = await desk.ask<{ geometry: { coordinates: [number, number][] } }[]>('GET', '/closures');
  const [lon, lat] = closure!.geometry.coordinates[0]!;
  const road = await desk.ask<{ address: string }>('GET', `/geocoding/reverse?lat=${lat}&lon=${lon}`);
  expect(JSON.stringify(road)).toContain('Honey Avenue');
});

test('a closure that is begun again by a name shows what was drawn of it', async () => {
  const { page } = desk;
  const begin = async (name: string) => {
    await page.keyboard.press('/');
    await page.keyboard.type(`x ${name}`);
    await page.keyboard.press('Enter');
    await page.locator('main.routes form.form:not([aria-busy=true])').waitFor();
  };
  await begin('pilot street');
  const vertices = page.locator('.draw-vertex');
  await expect.poll(async () => (await page.keyboard.press('Space'), vertices.count())).toBeGreaterThan(0);
  await boardAtRest(page);
  await begin('honey avenue');
  const middle = await page.getByRole('application', { name: 'Map' }).boundingBox();
  const drawn = await vertices.first().boundingBox();
  expect(Math.abs(drawn!.x + drawn!.width / 2 - (middle!.x + middle!.width / 2))).toBeLessThan(20);
  expect(Math.abs(drawn!.y + drawn!.height / 2 - (middle!.y + middle!.height / 2))).toBeLessThan(20);
});
