import type { DockviewApi, DockviewGroupPanel, IDockviewPanel } from 'dockview-vue';
import type { PanelName } from '../../lib/board-layouts.ts';

/** Target of a panel: beside or in another panel's group, or at an edge of the whole board. */
export const PANEL_PLACES = ['left', 'right', 'above', 'below', 'tab'] as const;
export type PanelPlace = (typeof PANEL_PLACES)[number];
const POSITIONS = { left: 'left', right: 'right', above: 'top', below: 'bottom', tab: 'center' } as const;

/** px by which a key makes a panel larger or smaller */
const STEP = 32;
/** px: below it a panel shows nothing */
const LEAST = 160;

/** The arrangement that one begins from: that of the standard board, with the other panels as tabs. */
export function arrangeAsStandard(api: DockviewApi, titleOf: (name: PanelName) => string): void {
  const add = (name: PanelName, position?: Parameters<DockviewApi['addPanel']>[0]['position'], size?: object) =>
    api.addPanel({ id: name, component: name, title: titleOf(name), ...(position && { position }), ...size });
  api.clear();
  add('map');
  add('queue', { referencePanel: 'map', direction: 'left' }, { initialWidth: 400 });
  add('card', { referencePanel: 'map', direction: 'right' }, { initialWidth: 408 });
  add('vehicles', { referencePanel: 'queue', direction: 'below' }, { initialHeight: 220 });
  add('units', { referencePanel: 'vehicles', direction: 'within' }, { inactive: true });
  add('log', { referencePanel: 'map', direction: 'below' }, { initialHeight: 160 });
  add('logBook', { referencePanel: 'log', direction: 'within' }, { inactive: true });
  add('messages', { referencePanel: 'log', direction: 'within' }, { inactive: true });
}

/** Adds a panel as a tab beside the last one, behind the active tab. */
export function foldIn(api: DockviewApi, name: PanelName, title: string): void {
  const beside = api.panels.findLast(({ api: { location } }) => location.type === 'grid');
  api.addPanel({
    ...{ id: name, component: name, title, inactive: true },
    ...(beside && { position: { referencePanel: beside, direction: 'within' } }),
  });
}

/** Moves a panel to a place of another one; without one, of the whole board. */
export function movePanel(
  api: DockviewApi,
  panel: IDockviewPanel,
  place: PanelPlace,
  beside: IDockviewPanel | undefined,
): void {
  if (beside) {
    if (place === 'tab' && beside.group === panel.group) return;
    panel.api.moveTo({ group: beside.group, position: POSITIONS[place] });
  } else if (place !== 'tab') panel.api.moveTo({ group: api.addGroup({ direction: place }) });
  panel.api.setActive();
}

/** Makes a group wider or higher by an arrow key; gives false for other keys. */
export function resizeBy(key: string, group: DockviewGroupPanel): boolean {
  const { width, height } = group.api;
  const larger = (size: number, by: number) => Math.max(LEAST, size + by);
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowRight':
      group.api.setSize({ width: larger(width, key === 'ArrowRight' ? STEP : -STEP) });
      return true;
    case 'ArrowUp':
    case 'ArrowDown':
      group.api.setSize({ height: larger(height, key === 'ArrowDown' ? STEP : -STEP) });
      return true;
    default:
      return false;
  }
}
