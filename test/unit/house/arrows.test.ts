import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';

/**
 * The arrows of the house: which room may import from which. A server room is entered by its door, `index.ts`
 * (or `types.ts`, which holds only its types).
 */
const ARROWS: Record<string, readonly string[]> = {
  'shared': [],
  'renderer': ['shared'],
  'electron': ['server/station', 'server/config', 'server/cli', 'server/commands', 'shared'],
  'server/platform': ['shared'],
  'server/store': ['shared'],
  'server/log': ['shared'],
  'server/territory': ['shared'],
  'server/routing': ['server/territory', 'shared'],
  'server/geocoding': ['server/territory', 'shared'],
  // Reports over the fleet are made of tracks, which telemetry can read beside the station.
  'server/reports': ['server/tasks', 'server/fleet', 'server/map', 'server/accounts', 'server/telemetry', 'shared'],
  'server/notify': ['server/store', 'server/reports', 'shared'],
  'server/map': ['server/territory', 'shared'],
  'server/audit': ['server/store', 'shared'],
  'server/accounts': ['server/audit', 'server/store', 'shared'],
  'server/identity': ['server/accounts', 'shared'],
  'server/fleet': ['server/accounts', 'server/store', 'shared'],
  'server/places': ['server/fleet', 'server/store', 'shared'],
  'server/crews': ['server/accounts', 'server/tasks', 'server/fleet', 'server/files', 'server/store', 'shared'],
  'server/devices': ['server/store', 'shared'],
  'server/calls': ['server/store', 'shared'],
  'server/telephony': ['server/calls', 'server/store', 'shared'],
  'server/sms': ['server/crews', 'server/fleet', 'server/store', 'shared'],
  'server/mailbox': ['server/tasks', 'server/files', 'server/store', 'shared'],
  'server/eido': ['server/tasks', 'server/fleet', 'server/store', 'shared'],
  'server/shifts': ['server/store', 'shared'],
  // The past of the board is read from tracks, which telemetry can read beside the station.
  'server/past': ['server/telemetry', 'server/store', 'shared'],
  'server/publish': ['server/store', 'shared'],
  'server/imports': ['server/accounts', 'server/fleet', 'server/tasks', 'server/closures', 'server/store', 'shared'],
  'server/closures': ['server/store', 'shared'],
  'server/warnings': ['server/closures', 'server/store', 'shared'],
  'server/speeds': ['server/routing', 'server/telemetry', 'server/territory', 'server/store', 'shared'],
  'server/files': ['server/store', 'shared'],
  'server/tasks': ['server/accounts', 'server/fleet', 'server/files', 'server/store', 'shared'],
  'server/telemetry': ['server/nats', 'server/store', 'shared'],
  // Replication filters records by the rules of the rooms that own them.
  'server/nats': ['shared'],
  'server/map-services': [
    'server/nats',
    'server/routing',
    'server/geocoding',
    'server/map',
    'server/territory',
    'shared',
  ],
  'server/sync': [
    'server/nats',
    'server/store',
    'server/files',
    'server/accounts',
    'server/fleet',
    'server/tasks',
    'shared',
  ],
  // Workers compute events in place of stations, from a copy of the records.
  'server/event-workers': ['server/nats', 'server/events', 'server/telemetry', 'server/sync', 'server/store', 'shared'],
  'server/object-store': ['server/nats', 'server/files', 'server/sync', 'server/store', 'shared'],
  'server/events': ['server/telemetry', 'server/fleet', 'server/store', 'shared'],
  // The demo fills a station through its rules, as a person would, and drives its vehicles over the
  // interface.
  'server/demo': [
    'server/accounts',
    'server/tasks',
    'server/fleet',
    'server/files',
    'server/telemetry',
    'server/territory',
    'server/routing',
    'server/geocoding',
    'server/store',
    'server/log',
    'shared',
  ],
  'server/http': [
    'server/identity',
    'server/audit',
    'server/accounts',
    'server/tasks',
    'server/fleet',
    'server/telemetry',
    'server/territory',
    'server/routing',
    'server/geocoding',
    'server/map',
    'server/files',
    'server/events',
    'server/closures',
    'server/calls',
    'server/devices',
    'server/places',
    'server/crews',
    'server/shifts',
    'server/past',
    'server/sms',
    'server/telephony',
    'server/mailbox',
    'server/eido',
    'server/warnings',
    'server/publish',
    'server/imports',
    'server/speeds',
    'server/reports',
    'server/notify',
    'server/sync',
    'server/store',
    'server/sync',
    'server/log',
    'server/config',
    'shared',
  ],
};

/** Every room may import these. `server/platform` holds tools that import no room. */
const TOOLS = ['server/platform'];

/** The composition root and the commands may import every room. */
const COMPOSITION = new Set([
  'server/station',
  'server/compose',
  'server/cli',
  'server/commands',
  'server/config',
  'server/control',
]);

const root = new URL('../../..', import.meta.url).pathname;

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.(ts|vue|cts)$/.test(entry.name)) yield path;
  }
}

/** Folders of `server` that hold rooms, lowest first: a room imports only from its own folder and those before it. */
const NEIGHBOURHOODS = ['access', 'dispatch', 'replication', 'tracking', 'geo', 'reporting', 'exchange'];

/**
 * `server/store/storage/x.ts` is in the room `server/store`, `server/geo/map/x.ts` in `server/map`; `server/station.ts`
 * is itself.
 */
function roomOf(path: string): string {
  const [top, ...folders] = path.split('/');
  if (top !== 'server') return top!;
  const room = NEIGHBOURHOODS.includes(folders[0]!) ? folders[1] : folders[0];
  return `server/${room!.replace(/\.ts$/, '')}`;
}

const IMPORT = /(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g;

function importsOf(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(IMPORT)].map((match) =>
    relative(root, join(root, dirname(path), match[1]!))
      .split(sep)
      .join('/'),
  );
}

function wrongArrows(): string[] {
  const wrong: string[] = [];
  for (const top of ['shared', 'renderer', 'electron', 'server']) {
    for (const path of sources(top)) {
      const from = roomOf(path);
      if (COMPOSITION.has(from)) continue;
      for (const target of importsOf(path)) {
        const to = roomOf(target);
        if (to === from || TOOLS.includes(to)) continue;
        const allowed = ARROWS[from];
        if (!allowed) wrong.push(`${path}: the room ${from} has no row in the table of arrows`);
        else if (!allowed.includes(to)) wrong.push(`${path} may not import ${target}`);
        else if (
          to.startsWith('server/') &&
          !COMPOSITION.has(to) &&
          !/\/(index|types|door)\.ts$/.test(target) &&
          !isFileFormat(from, target)
        )
          wrong.push(`${path} goes round the door of ${to}: ${target}`);
      }
    }
  }
  return wrong;
}

/**
 * Routing, geocoding and map read the files that territory writes: its formats are part of its door.
 */
function isFileFormat(from: string, target: string): boolean {
  return (
    target === 'server/geo/territory/extract/extract.ts' ||
    (['server/routing', 'server/geocoding', 'server/map', 'server/speeds'].includes(from) &&
      /^server\/geo\/territory\/(roads|places|tiles|geometry)\//.test(target))
  );
}

test('imports follow the arrows of the house, and enter rooms by their doors', () => {
  expect(wrongArrows()).toEqual([]);
});

test('neighbourhoods import only from those below them', () => {
  const heightOf = (path: string): number => NEIGHBOURHOODS.indexOf(path.split('/')[1]!);
  const upward = NEIGHBOURHOODS.flatMap((name) => [...sources(`server/${name}`)]).flatMap((path) =>
    importsOf(path)
      .filter((target) => target.startsWith('server/') && heightOf(target) > heightOf(path))
      .map((target) => `${path} may not import ${target}`),
  );
  expect(upward).toEqual([]);
});

/**
 * Folders whose entries still import each other in a circle. To be shortened to nothing: take a line out when
 * its folder is clean, and add none.
 */
const CIRCULAR_FOLDERS: readonly string[] = [
  'renderer/src/features/fleet',
  'renderer/src/features/routes',
  'renderer/src/features/task',
  'renderer/src/lib',
  'renderer/src/ui',
  'shared',
];

/** `server/store` and everything below it that has folders of its own. */
function* foldersWithFolders(folder: string): Generator<string> {
  const children = readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  if (children.length > 0) yield folder;
  for (const child of children) yield* foldersWithFolders(`${folder}/${child.name}`);
}

/** The entries of a folder (folders, and files beside them), each with the other entries that it imports. */
function importsBetweenEntries(folder: string): Map<string, Set<string>> {
  const entryOf = (path: string): string => path.slice(folder.length + 1).split('/')[0]!;
  const graph = new Map<string, Set<string>>();
  for (const path of sources(folder)) {
    const from = entryOf(path);
    const targets = graph.get(from) ?? new Set();
    graph.set(from, targets);
    for (const target of importsOf(path)) {
      if (!target.startsWith(`${folder}/`)) continue;
      const to = entryOf(target);
      if (to !== from) targets.add(to);
    }
  }
  return graph;
}

/** Circles of imports in which a folder takes part, each as `a → b → a`; at most one for each entry. */
function circlesIn(folder: string): string[] {
  const graph = importsBetweenEntries(folder);
  const wayBack = (from: string, goal: string): string[] | undefined => {
    const ways: string[][] = [[from]];
    const seen = new Set([from]);
    for (const way of ways) {
      for (const next of graph.get(way.at(-1)!) ?? []) {
        if (next === goal) return [...way, goal];
        if (!seen.has(next)) ways.push([...way, next]);
        seen.add(next);
      }
    }
    return undefined;
  };
  return [...graph.keys()]
    .filter((entry) => !/\.\w+$/.test(entry))
    .map((entry) => wayBack(entry, entry))
    .filter((circle) => circle !== undefined)
    .map((circle) => `${folder}: ${circle.join(' → ')}`);
}

test('folders of a room do not import each other in a circle', () => {
  const rooms = [
    'shared',
    'electron',
    'renderer/src',
    ...readdirSync(join(root, 'server')).map((name) => `server/${name}`),
  ];
  const circles = rooms
    .filter((room) => !/\.\w+$/.test(room))
    .flatMap((room) => [...foldersWithFolders(room)])
    .filter((folder) => !CIRCULAR_FOLDERS.includes(folder))
    .flatMap(circlesIn);
  expect(circles).toEqual([]);
});

test('shared code imports neither Node nor anything of a window', () => {
  const guilty = [...sources('shared')].filter((path) =>
    /from 'node:|from 'electron'|from 'vue'/.test(readFileSync(join(root, path), 'utf8')),
  );
  expect(guilty).toEqual([]);
});

test('the top level holds only what the house has', () => {
  const here = readdirSync(root).filter(
    (name) => !name.startsWith('.') && !['node_modules', 'dist', 'data', 'release'].includes(name),
  );
  const house = [
    'electron',
    'renderer',
    'server',
    'shared',
    'resources',
    'test',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'electron-builder.yml',
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    'LICENSE',
  ];
  expect(here.filter((name) => !house.includes(name))).toEqual([]);
});
