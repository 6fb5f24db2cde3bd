import type { Feature } from 'protomaps-leaflet';
import { expect, test } from 'vitest';
import { LabelFonts } from '../../../../renderer/src/map/base/labels/label-fonts.ts';

const feature = (props: Feature['props']) => ({ props }) as Feature;

/** What was asked of the browser, and a way to let it come. */
function browser() {
  const asked: [font: string, text: string][] = [];
  const waiting: { come: () => void; fail: () => void }[] = [];
  const load = (font: string, text: string) =>
    new Promise<void>((resolve, reject) => {
      asked.push([font, text]);
      waiting.push({ come: resolve, fail: () => reject(new Error('The line is lost.')) });
    });
  return { asked, waiting, load, texts: () => [...new Set(asked.map(([, text]) => text))] };
}

test('letters are loaded when a label first needs them, in each weight', async () => {
  const { load, asked, texts, waiting } = browser();
  const fonts = new LabelFonts('en', load);
  const first = fonts.ready([feature({ name: 'Aba' }), feature({ ref: 'E1' }), feature({ number: '7Б' })]);
  expect(asked).toEqual([
    ['400 12px Roboto', 'AbaE17Б'],
    ['500 12px Roboto', 'AbaE17Б'],
  ]);
  waiting.forEach(({ come }) => come());
  await first;
  await fonts.ready([feature({ name: 'bAE' })]);
  expect(asked).toHaveLength(2);
  void fonts.ready([feature({ name: 'Ева' })]);
  expect(texts()).toEqual(['AbaE17Б', 'Ева']);
});

test('the names of other languages need no letters', () => {
  const { load, texts } = browser();
  void new LabelFonts('en', load).ready([feature({ 'name:en': 'Oak', 'name': 'Дуб', 'name:ru': 'Дуб' })]);
  void new LabelFonts('ru', load).ready([feature({ 'name:en': 'Oak', 'name': 'Дуб' })]);
  expect(texts()).toEqual(['Oak', 'Дуб']);
});

test('labels are measured when their letters are there, or will not come', async () => {
  const { load, waiting } = browser();
  const fonts = new LabelFonts('en', load);
  let done = 0;
  const both = [feature({ name: 'Oak' }), feature({ name: 'ka' })].map((one) => fonts.ready([one]).then(() => done++));
  waiting[0]!.come();
  await new Promise((resolve) => setImmediate(resolve));
  expect(done).toBe(0); // the second needs nothing new, and waits for what was asked for the first
  waiting[1]!.fail();
  await Promise.all(both);
  expect(done).toBe(2);
});
