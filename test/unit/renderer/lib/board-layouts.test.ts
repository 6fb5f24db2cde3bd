import { expect, test } from 'vitest';
import {
  displaysOf,
  isContent,
  isSameArrangement,
  PANEL_NAMES,
  readLayout,
  windowsOf,
} from '../../../../renderer/src/lib/board-layouts.ts';

const content = (...names: string[]) =>
  JSON.stringify({ grid: {}, panels: Object.fromEntries(names.map((name) => [name, {}])) });

test('an arrangement of panels that this console has is taken, and nothing else', () => {
  expect(isContent(content(...PANEL_NAMES))).toBe(true);
  expect(isContent(content())).toBe(true);
  for (const wrong of [
    '',
    'own',
    '{',
    '[]',
    'null',
    '{"grid":{}}',
    '{"grid":null,"panels":{}}',
    content('queue', 'toString'),
    content('map', 'other'),
    7,
    undefined,
  ])
    expect(isContent(wrong), String(wrong)).toBe(false);
  expect(isContent(content('map').padEnd(50_000))).toBe(true);
  expect(isContent(content('map').padEnd(50_001))).toBe(false);
});

test('a stored layout without a name, or with unknown panels, is dropped', () => {
  const layout = { id: '1', name: 'Night desk', content: content('queue', 'map') };
  expect(readLayout(layout)).toEqual([layout]);
  for (const wrong of [{ ...layout, name: 3 }, { ...layout, content: content('other') }, {}, null, undefined, 'x'])
    expect(readLayout(wrong)).toEqual([]);
});

test('the marks of a shared layout are kept with it, whole or not at all', () => {
  const layout = { id: '1', name: 'Night desk', content: content('queue') };
  expect(readLayout({ ...layout, sharedId: 4, sharedAt: 7 })).toEqual([{ ...layout, sharedId: 4, sharedAt: 7 }]);
  for (const wrong of [{ sharedId: 4 }, { sharedId: 'x', sharedAt: 7 }])
    expect(readLayout({ ...layout, ...wrong })).toEqual([layout]);
});

const leaf = (size: number, views: string[], activeView = views[0]) => ({
  type: 'leaf',
  size,
  data: { views, activeView },
});
const branch = (size: number, ...data: object[]) => ({ type: 'branch', size, data });
function board(root: object, more: object = {}, orientation = 'HORIZONTAL'): string {
  const names = [...JSON.stringify(root).matchAll(/"views":\[([^\]]*)\]/g)].flatMap(([, list]) =>
    JSON.parse(`[${list}]`),
  );
  return JSON.stringify({
    grid: { root, orientation },
    panels: Object.fromEntries(names.map((n) => [n, {}])),
    ...more,
  });
}
const WIDE = board(branch(900, leaf(480, ['queue']), branch(1440, leaf(600, ['map']), leaf(300, ['log', 'card']))));

test('an arrangement is the same in a window of another size, and another when a panel moved or grew', () => {
  const same = board(branch(600, leaf(322, ['queue']), branch(958, leaf(400, ['map']), leaf(200, ['log', 'card']))));
  expect(isSameArrangement(WIDE, same)).toBe(true);
  const others = [
    branch(900, leaf(880, ['queue']), branch(1040, leaf(600, ['map']), leaf(300, ['log', 'card']))),
    branch(900, leaf(480, ['queue']), branch(1440, leaf(600, ['log', 'card']), leaf(300, ['map']))),
    branch(900, leaf(480, ['queue']), branch(1440, leaf(600, ['map']), leaf(300, ['log']))),
    branch(900, leaf(480, ['queue']), leaf(600, ['map']), leaf(840, ['log', 'card'])),
    branch(900, leaf(480, ['queue']), leaf(1440, ['map', 'log', 'card'])),
  ];
  for (const [index, root] of others.entries()) expect(isSameArrangement(WIDE, board(root)), `${index}`).toBe(false);
  const two = branch(900, leaf(480, ['queue']), leaf(480, ['map']));
  expect(isSameArrangement(board(two), board(two, {}, 'VERTICAL'))).toBe(false);
  expect(isSameArrangement(WIDE, '{')).toBe(false);
});

test('the tab in front counts only where it is asked for', () => {
  const other = board(
    branch(900, leaf(480, ['queue']), branch(1440, leaf(600, ['map']), leaf(300, ['log', 'card'], 'card'))),
  );
  expect([isSameArrangement(WIDE, other), isSameArrangement(WIDE, other, true)]).toEqual([true, false]);
});

test('a panel of a window that is folded in makes no other arrangement, wherever it stands', () => {
  const windows = ['messages', 'elsewhere', 'messages'];
  const away = board(branch(900, leaf(480, ['queue']), leaf(1440, ['map'])), { windows });
  expect(windowsOf(away)).toEqual(['messages']);
  const tab = board(branch(900, leaf(480, ['queue']), leaf(1440, ['map', 'messages'])), { windows });
  const beside = board(branch(900, leaf(480, ['queue']), branch(1440, leaf(600, ['map']), leaf(300, ['messages']))), {
    windows,
  });
  expect([isSameArrangement(away, tab, true), isSameArrangement(away, beside)]).toEqual([true, true]);
  expect(isSameArrangement(away, board(branch(900, leaf(480, ['queue']), leaf(1440, ['map']))))).toBe(false);
});

test('a window on another display is another arrangement', () => {
  const away = (displays: object) =>
    board(branch(900, leaf(480, ['queue']), leaf(1440, ['map'])), { windows: ['messages'], displays });
  const [first, second] = [
    { left: 0, top: 0 },
    { left: 1600, top: 0 },
  ];
  expect(displaysOf(away({ messages: second, queue: first }))).toEqual({ messages: second });
  for (const wrong of [7, null, { left: 'x', top: 0 }, { left: 0.5, top: 0 }, { top: 0 }])
    expect(displaysOf(away({ messages: wrong }))).toEqual({});
  expect(isSameArrangement(away({ messages: first }), away({ messages: second }))).toBe(false);
  expect(isSameArrangement(away({ messages: first }), away({ messages: { ...first } }))).toBe(true);
  expect(isSameArrangement(away({}), away({ messages: second }))).toBe(false);
});
