import { defineComponent, h, type Component } from 'vue';
import CrewComposer from '../../features/crews/CrewComposer.vue';
import CrewMessageList from '../../features/crews/CrewMessageList.vue';
import EventStrip from '../../features/board/EventStrip.vue';
import { LazyMap } from '../../features/board/map/lazy-map.ts';
import TaskQueue from '../../features/board/queue/TaskQueue.vue';
import UnitsLine from '../../features/board/UnitsLine.vue';
import VehiclesPanel from '../../features/board/VehiclesPanel.vue';
import LogBook from '../../features/shifts/LogBook.vue';
import UnitsPanel from '../../features/units/UnitsPanel.vue';
import type { PanelName } from '../../lib/board-layouts.ts';
import CardPanel from './CardPanel.vue';

/** Attributes of the layout library do not belong on the panel's root element. */
const panel = (name: PanelName, render: () => ReturnType<typeof h>): Component =>
  defineComponent({
    name: `${name}-panel`,
    inheritAttrs: false,
    setup: () => () => h('div', { 'class': 'arranged-panel', 'data-panel': name, 'tabindex': -1 }, [render()]),
  });

export const PANELS: Readonly<Record<PanelName, Component>> = {
  queue: panel('queue', () => h(TaskQueue)),
  map: panel('map', () => h(LazyMap)),
  card: panel('card', () => h(CardPanel)),
  vehicles: panel('vehicles', () => h(VehiclesPanel)),
  units: panel('units', () => h(UnitsPanel)),
  log: panel('log', () => h(EventStrip, null, { default: () => h(UnitsLine) })),
  logBook: panel('logBook', () => h('div', { class: 'log-book' }, [h(LogBook)])),
  messages: panel('messages', () => h('div', { class: 'messages' }, [h(CrewComposer), h(CrewMessageList)])),
};
