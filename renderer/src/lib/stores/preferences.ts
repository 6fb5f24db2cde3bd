import { defineStore } from 'pinia';
import { reactive, toRefs, watch } from 'vue';
import { readLayout, type BoardLayout } from '../board-layouts.ts';
import { PALETTES, type Palette } from '../palettes.ts';
import { ORDERS, type TaskOrder } from '../tasks/task-orders.ts';
import { readView, type SavedView } from '../tasks/views.ts';
import type { Language } from '../i18n/index.ts';

interface Preferences {
  palette: Palette;
  language: Language;
  sounds: boolean;
  /** Whether alarms reach the desktop while the console is not in front. */
  notifications: boolean;
  /** Sizes of panels in pixels. */
  queueWidth: number;
  detailWidth: number;
  routesWidth: number;
  vehiclesHeight: number;
  /** Whether the strip of events shows more than the latest. */
  eventsOpen: boolean;
  /** Whether geozones and planned routes are on the map of the board. */
  zonesShown: boolean;
  /** Percent of opacity of each raster layer on the map, by its id. */
  rasters: Readonly<Record<number, number>>;
  /** Views of the queue that this person has named. */
  savedViews: readonly SavedView[];
  queueOrder: TaskOrder;
  /** How the panels of the board are arranged, as JSON; empty: the standard board. */
  arrangement: string;
  /** The saved one that it began from; empty: none. */
  layoutId: string;
  savedLayouts: readonly BoardLayout[];
  /** Percent of the usual size. */
  textSize: TextSize;
  /** How high rows of the queue are; `window`: as its size asks. */
  density: Density;
}

export const TEXT_SIZES = ['100', '112', '125'] as const;
type TextSize = (typeof TEXT_SIZES)[number];
export const DENSITIES = ['window', 'compact', 'roomy'] as const;
type Density = (typeof DENSITIES)[number];

/**
 * A person's own settings. They are kept in this browser under the person's login, so that people who share a
 * desk keep theirs apart.
 */
export const usePreferences = defineStore('preferences', () => {
  const values = reactive<Preferences>(defaults());
  let owner = localStorage.getItem('waypost:last') ?? '';
  load();

  function load() {
    Object.assign(values, defaults(), read(`waypost:preferences:${owner}`));
  }

  /** Switches to the settings of `login`. */
  function belongTo(login: string) {
    owner = login;
    localStorage.setItem('waypost:last', login);
    load();
  }

  function nextPalette() {
    values.palette = PALETTES[(PALETTES.indexOf(values.palette) + 1) % PALETTES.length]!;
  }

  watch(
    values,
    () => {
      document.documentElement.dataset['palette'] = values.palette;
      document.documentElement.dataset['text'] = values.textSize;
      document.documentElement.lang = values.language;
      localStorage.setItem(`waypost:preferences:${owner}`, JSON.stringify(values));
    },
    { immediate: true, flush: 'sync' },
  );

  return { ...toRefs(values), belongTo, nextPalette };
});

function defaults(): Preferences {
  return {
    palette: matchMedia('(prefers-color-scheme: dark)').matches ? 'dusk' : 'day',
    language: navigator.language.startsWith('ru') ? 'ru' : 'en',
    sounds: true,
    notifications: true,
    queueWidth: innerWidth <= 1360 ? 352 : innerWidth < 1920 ? 400 : 520,
    detailWidth: innerWidth <= 1360 ? 360 : innerWidth < 1920 ? 408 : 520,
    routesWidth: innerWidth < 1500 ? 400 : 460,
    vehiclesHeight: innerHeight < 900 ? 144 : 200,
    eventsOpen: false,
    zonesShown: false,
    rasters: {},
    savedViews: [],
    queueOrder: 'urgency',
    arrangement: '',
    layoutId: '',
    savedLayouts: [],
    textSize: '100',
    density: 'window',
  };
}

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  palette: PALETTES,
  textSize: TEXT_SIZES,
  density: DENSITIES,
};

function readRasters(stored: unknown): Preferences['rasters'] {
  if (typeof stored !== 'object' || stored === null) return {};
  return Object.fromEntries(
    Object.entries(stored).filter(
      ([id, percent]) => /^\d+$/.test(id) && typeof percent === 'number' && percent >= 0 && percent <= 100,
    ),
  ) as Preferences['rasters'];
}

/** Stored values may be of an earlier version or broken: only values of the right type are used. */
function read(key: string): Partial<Preferences> {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, unknown>;
    const fallback = defaults() as unknown as Record<string, unknown>;
    const usable = Object.entries(stored).filter(
      ([name, value]) => typeof value === typeof fallback[name] && (CHOICES[name]?.includes(value as string) ?? true),
    );
    const views = Array.isArray(stored['savedViews']) ? (stored['savedViews'] as unknown[]).flatMap(readView) : [];
    const layouts = Array.isArray(stored['savedLayouts'])
      ? (stored['savedLayouts'] as unknown[]).flatMap(readLayout)
      : [];
    return {
      ...Object.fromEntries(usable),
      savedViews: views,
      savedLayouts: layouts,
      rasters: readRasters(stored['rasters']),
      ...(ORDERS.includes(stored['queueOrder'] as TaskOrder) ? {} : { queueOrder: 'urgency' }),
    };
  } catch {
    return {};
  }
}
