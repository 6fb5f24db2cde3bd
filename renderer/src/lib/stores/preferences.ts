import { defineStore } from 'pinia';
import { reactive, toRefs, watch } from 'vue';
import { readLayout, type BoardLayout } from '../board-layouts.ts';
import { PALETTES, type Palette } from '../palettes.ts';
import { ORDERS, type TaskOrder } from '../tasks/task-orders.ts';
import { readView, type SavedView } from '../tasks/views.ts';
import type { Language } from '../i18n/index.ts';
import type { Client } from '../api/client.ts';
import { follower, isSameValue, type PreferenceValues } from './followed-preferences.ts';

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
  /** Whether the vehicles stand under the queue; `window`: unless the window is low. */
  vehicles: Fold;
  /** Whether the strip of events shows more than the latest. */
  eventsOpen: boolean;
  /** Whether geozones and planned routes are on the map of the board. */
  zonesShown: boolean;
  /** Whether warnings of authorities are on it. */
  warningsShown: boolean;
  /** Percent of opacity of each raster layer on the map, by its id. */
  rasters: Readonly<Record<number, number>>;
  /** The same of map pictures from elsewhere. */
  outsideLayers: Readonly<Partial<Record<OutsideKind, number>>>;
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

/** The map pictures that an organization may name. */
export const OUTSIDE_KINDS = ['road', 'aerial'] as const;
export type OutsideKind = (typeof OUTSIDE_KINDS)[number];
export const TEXT_SIZES = ['100', '112', '125'] as const;
type TextSize = (typeof TEXT_SIZES)[number];
export const DENSITIES = ['window', 'compact', 'roomy'] as const;
type Density = (typeof DENSITIES)[number];
const FOLDS = ['window', 'open', 'folded'] as const;
type Fold = (typeof FOLDS)[number];

/** Those that follow a person to other consoles. The others depend on the screen. */
const FOLLOWING = [
  ...(['palette', 'language', 'sounds', 'notifications', 'textSize', 'density'] as const),
  ...(['queueOrder', 'savedViews', 'savedLayouts', 'zonesShown', 'warningsShown', 'rasters', 'outsideLayers'] as const),
];
/** ms after a change before it is sent to the station. */
const REST = 1_000;

/**
 * A person's own settings. They are kept in this browser under the person's login, so that people who share a
 * desk keep theirs apart; and at the station, from which they come to the person's other consoles.
 */
export const usePreferences = defineStore('preferences', () => {
  const values = reactive<Preferences>(defaults());
  let owner = localStorage.getItem('waypost:last') ?? '';
  load();

  function load() {
    Object.assign(values, defaults(), readStored(stored(`waypost:preferences:${owner}`)));
  }

  let follow: (() => Promise<void>) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const followLater = () => {
    clearTimeout(timer);
    if (follow) timer = setTimeout(() => void follow?.(), REST);
  };
  /** Keeps the settings of the person who has signed in together with those at the station. */
  async function followPerson(client: Client): Promise<void> {
    const key = `waypost:followed:${owner}`;
    const person = owner;
    // Another window of this browser may agree with the station on more than this one knows.
    let agreed: PreferenceValues | undefined = localStorage.getItem(key) === null ? undefined : stored(key);
    follow = follower({
      client,
      local: () => pick(values as unknown as PreferenceValues),
      apply: (there) => person === owner && takeUp(there),
      defaults: () => pick(defaults() as unknown as PreferenceValues),
      known: () => agreed,
      keep: (known) => {
        agreed = pick(known);
        localStorage.setItem(key, JSON.stringify(agreed));
      },
      sent: () => stored(`${key}:sent`),
      keepSent: (sent) => localStorage.setItem(`${key}:sent`, JSON.stringify(sent)),
    });
    await follow();
  }
  /** Assigns only differences, so that windows do not answer each other endlessly. */
  function takeUp(others: PreferenceValues): void {
    const fresh = Object.entries(readStored(pick(others), Object.keys(others)));
    const here = values as unknown as PreferenceValues;
    Object.assign(values, Object.fromEntries(fresh.filter(([name, value]) => !isSameValue(value, here[name]))));
  }
  addEventListener('focus', followLater);
  addEventListener('storage', ({ key }) => {
    if (key === `waypost:preferences:${owner}`) takeUp(stored(key));
  });

  /** Switches to the settings of `login`. */
  function belongTo(login: string) {
    follow = undefined;
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
      followLater();
    },
    { immediate: true, flush: 'sync' },
  );

  return { ...toRefs(values), belongTo, followPerson, nextPalette };
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
    vehicles: 'window',
    eventsOpen: false,
    zonesShown: false,
    warningsShown: true,
    rasters: {},
    outsideLayers: {},
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
  language: ['en', 'ru'],
  palette: PALETTES,
  textSize: TEXT_SIZES,
  density: DENSITIES,
  vehicles: FOLDS,
};

function readOpacities(stored: unknown, isLayer: (key: string) => boolean): Record<string, number> {
  if (typeof stored !== 'object' || stored === null) return {};
  return Object.fromEntries(
    Object.entries(stored).filter(
      ([key, percent]) => isLayer(key) && typeof percent === 'number' && percent >= 0 && percent <= 100,
    ),
  ) as Record<string, number>;
}

const pick = (all: PreferenceValues): PreferenceValues =>
  Object.fromEntries(FOLLOWING.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])));

function stored(key: string): Record<string, unknown> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, unknown>;
  } catch {
    return {};
  }
}

/**
 * Stored values may be of another version or broken: only values of the right type are used.
 * @param wanted only these; default: all
 */
function readStored(values: Record<string, unknown>, wanted?: readonly string[]): Partial<Preferences> {
  const fallback = defaults() as unknown as Record<string, unknown>;
  const usable = Object.entries(values).filter(
    ([name, value]) => typeof value === typeof fallback[name] && (CHOICES[name]?.includes(value as string) ?? true),
  );
  const listOf = <T>(name: string, readOne: (one: unknown) => T[]): T[] =>
    Array.isArray(values[name]) ? (values[name] as unknown[]).flatMap(readOne) : [];
  const all = {
    ...Object.fromEntries(usable),
    savedViews: listOf('savedViews', readView),
    savedLayouts: listOf('savedLayouts', readLayout),
    rasters: readOpacities(values['rasters'], (id) => /^\d+$/.test(id)),
    outsideLayers: readOpacities(values['outsideLayers'], (kind) =>
      (OUTSIDE_KINDS as readonly string[]).includes(kind),
    ),
    ...(ORDERS.includes(values['queueOrder'] as TaskOrder) ? {} : { queueOrder: 'urgency' }),
  } as Partial<Preferences>;
  return wanted ? Object.fromEntries(Object.entries(all).filter(([name]) => wanted.includes(name))) : all;
}
