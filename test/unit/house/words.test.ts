import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = new URL('../../..', import.meta.url).pathname;

interface Word {
  /** The interface's word, and ours. */
  readonly wire: readonly string[];
  readonly house: string;
  /** Identifiers that stand in translating files only. */
  readonly identifiers: readonly string[];
  /** Other files where one may stand, and why. */
  readonly exceptions?: Readonly<Record<string, string>>;
}

/** Files that translate between the interface's words and ours, and what rewrites old records. */
const TRANSLATING = [
  'server/http/',
  'server/store/migrations/',
  'renderer/src/lib/api/',
  'renderer/src/lib/i18n/',
  'renderer/src/pages/fleet/',
];

/** The glossary of `CONTRIBUTING.md` as data. */
const GLOSSARY: readonly Word[] = [
  {
    wire: ['message', 'news', 'issue'],
    house: 'task',
    identifiers: ['news_id', 'presentNews', 'messageId', 'messageIds', 'MessageLists', 'MessagesSql', 'MESSAGE_FIELDS'],
    exceptions: {
      'renderer/src/': 'reads answers of the interface',
      'server/reporting/notify/mail-queue.ts': 'the Message-ID of a mail',
    },
  },
  {
    wire: ['department', 'organisation'],
    house: 'organization',
    identifiers: [
      'department_id',
      'organisationId',
      'departmentId',
      'departmentIds',
      'assignedDepartmentId',
      'assignedDepartment',
    ],
    exceptions: {
      'renderer/src/': 'reads answers of the interface',
      'shared/tasks/state-rules.ts': 'the table of the names that rules may use',
    },
  },
  {
    wire: ['car'],
    house: 'vehicle',
    identifiers: ['presentCar', 'CarDetail', 'CarSeen', 'addCar'],
  },
  { wire: ['mark'], house: 'make', identifiers: ['markId', 'MarkOrder', 'markRules', 'MarksPage'] },
  {
    wire: ['right'],
    house: 'role',
    identifiers: [
      'right_id',
      'rightId',
      'Right',
      'RightCapability',
      'RIGHT_CAPABILITIES',
      'RightsPage',
      'createRight',
      'demandRight',
    ],
    exceptions: {
      'renderer/src/features/directories/RoleTester.vue': 'the body of a request',
      'shared/tasks/state-rules.ts': 'the table of the names that rules may use',
    },
  },
  {
    wire: ['wheel'],
    house: 'superuser',
    identifiers: ['wheel', 'demandWheel'],
    exceptions: {
      'renderer/src/lib/stores/session.ts': 'reads the signed-in user as the interface answers',
      'renderer/src/pages/people/RolesPage.vue': 'a draft holds what is sent to the interface',
      'renderer/src/ui/lists/use-rest.ts': 'the event of a mouse',
    },
  },
  {
    wire: ['withdrawn'],
    house: 'deleted',
    identifiers: [
      'withdrawnAt',
      'withdraw',
      'withdrawUser',
      'withdrawRight',
      'withdrawOrganization',
      'withdrawCategory',
    ],
    exceptions: {
      'shared/bridge.ts': 'takes a notification away',
      'electron/': 'takes a notification away',
      'renderer/src/app/use-desktop.ts': 'takes a notification away',
      'renderer/src/lib/desktop/': 'takes a notification away',
    },
  },
  {
    wire: ['translit'],
    house: 'slug',
    identifiers: ['translit', 'translitOf', 'byTranslit'],
    exceptions: { 'renderer/src/features/fleet/card/use-vehicle-facts.ts': 'reads an answer of the interface' },
  },
  {
    wire: ['motohours'],
    house: 'engineHours',
    identifiers: ['motohours', 'motohoursStop', 'motohoursMove'],
    exceptions: { 'renderer/src/features/fleet/card/use-vehicle-facts.ts': 'reads an answer of the interface' },
  },
  {
    wire: ['till'],
    house: 'until',
    identifiers: ['till', 'validTill', 'doneTill'],
    exceptions: {
      'renderer/src/': 'periods, filters and drafts hold what is sent to the interface',
      'server/reporting/reports/': 'rows and orders of reports are answered as they are',
      'server/geo/speeds/': 'status and cursors: answered, and stored, as they are',
      'shared/roads/speeds-status.ts': 'an answer of the interface',
    },
  },
];

/** Names that were invented here and gave way to terms of the field. */
const FORMER_NAMES = new Set([
  'keepAside',
  'takesAside',
  'Pasts',
  'WorldBook',
  'TaskBook',
  'FoldHere',
  'GoOn',
  'QuestionThread',
  'JobThread',
  'InTurn',
  'StartPauses',
  'Passage',
  'breather',
  'Gibberish',
  'onlooker',
  'unsoundness',
  'portion',
  'believe',
  'letGo',
  'goOver',
  'goOn',
  'hindrance',
  'moveLog',
  'takeOne',
  'Effort',
  'Few',
  'Asked',
  'Answered',
  'deed',
  'obey',
  'Say',
  'together',
  'usual',
  'USUAL',
  'Ways',
  'wrote',
]);

/** Codes of refusals are part of the interface and keep their names. */
const OLD_CODES = ['shared/refusals/', 'renderer/src/lib/i18n/refusals/'];

/** Parts of names that only the wire has: `carName`, `department_id`. */
const WIRE_PARTS = new Set([
  'news',
  'department',
  'departments',
  'organisation',
  'organisations',
  'car',
  'cars',
  'translit',
  'motohours',
  'till',
]);

/** Where names have these parts, and why. The console may use every name of the interface's description. */
const WIRE_PART_EXCEPTIONS: Readonly<Record<string, string>> = {
  'renderer/src/features/stations/merges/use-merge-words.ts': 'names of the subjects of merges',
  'server/compose/territory.ts': 'cars as a road profile',
  'server/demo/fill/sketches.ts': 'the drawing of a car',
  'server/demo/simulate/station-client.ts': 'calls the interface',
  'server/tracking/events/detectors/arrivals.ts': 'data of events are answered as they are stored',
  'server/tracking/events/task-events/task-life.ts': 'data of events are answered as they are stored',
  'server/reporting/reports/': 'rows and orders of reports are answered as they are',
  'server/geo/speeds/': 'cars as a road profile; cursors are stored as they are answered',
  'server/geo/territory/': 'cars as a road profile, and tags of OpenStreetMap',
  'shared/roads/speeds-status.ts': 'an answer of the interface',
  'shared/tasks/state-rules.ts': 'the table of the names that rules may use',
};

const partsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');

interface Place {
  readonly path: string;
  readonly name: string;
}

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.(ts|vue|cts)$/.test(entry.name)) yield path;
  }
}

/** Every identifier of the product's sources, once for each file. */
function identifiers(): Place[] {
  const places: Place[] = [];
  for (const path of ['shared', 'server', 'renderer/src', 'electron'].flatMap((folder) => [...sources(folder)])) {
    const text = readFileSync(join(root, path), 'utf8');
    const code = path.endsWith('.vue')
      ? [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, it]) => it!)
      : [text];
    const names = new Set(code.flatMap((one) => [...identifiersOf(one)]));
    for (const name of names) places.push({ path, name });
  }
  return places;
}

function* identifiersOf(code: string): Generator<string> {
  const file = ts.createSourceFile('x.ts', code, ts.ScriptTarget.ESNext);
  const pending: ts.Node[] = [file];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) yield node.text.replace('#', '');
    ts.forEachChild(node, (child) => void pending.push(child));
  }
}

const PLACES = identifiers();

/** One thing with two names would be worse: the files may not import each other. */
const SAME_ON_BOTH_SIDES = new Set(['TrackChunk', 'IMPORT_KINDS']);
/** Parts of one catalogue, each named as in the others: languages, refusals of a room, commands. */
const CATALOGUES = ['renderer/src/lib/i18n/', 'renderer/src/crew/words/', 'shared/refusals/', 'server/commands/'];

const EXPORTED = /^export (?:abstract |async )?(interface|type|class|enum|function\*?|const) (\w+)/gm;
const TYPE_WORDS = new Set(['interface', 'type', 'class', 'enum']);

/** A schema of the station and the console's type of it are one thing on two sides of the wire. */
const SIDES = { station: ['shared/', 'server/', 'electron/'], console: ['shared/', 'renderer/src/'] };

/** Names that two files of one side export, each with its files. */
function exportedTwice(): string[] {
  const exporters = new Map<string, Set<string>>();
  for (const path of ['shared', 'server', 'renderer/src', 'electron'].flatMap((folder) => [...sources(folder)])) {
    if (path.endsWith('.d.ts')) continue;
    const text = readFileSync(join(root, path), 'utf8');
    const isPart = CATALOGUES.some((folder) => path.startsWith(folder));
    for (const [, word, name] of text.matchAll(EXPORTED)) {
      const isType = TYPE_WORDS.has(word!);
      if (isPart && !isType) continue;
      for (const [side, folders] of Object.entries(SIDES)) {
        if (!folders.some((folder) => path.startsWith(folder))) continue;
        const key = `${side} ${name}`;
        exporters.set(key, (exporters.get(key) ?? new Set()).add(path));
      }
    }
  }
  return [...exporters]
    .filter(([key, paths]) => paths.size > 1 && !SAME_ON_BOTH_SIDES.has(key.split(' ')[1]!))
    .map(([key, paths]) => `${key}: ${[...paths].join(', ')}`);
}

test.each(GLOSSARY)('$wire is $house outside of the translating files', ({ identifiers: banned, exceptions = {} }) => {
  const allowed = [...TRANSLATING, ...Object.keys(exceptions)];
  const found = PLACES.filter(
    ({ path, name }) => banned.includes(name) && !allowed.some((prefix) => path.startsWith(prefix)),
  );
  expect(found).toEqual([]);
});

test('every exception is still needed', () => {
  for (const { identifiers: banned, exceptions = {} } of GLOSSARY)
    for (const prefix of Object.keys(exceptions))
      expect(
        PLACES.some(({ path, name }) => path.startsWith(prefix) && banned.includes(name)),
        `${prefix} for ${banned[0]}`,
      ).toBe(true);
});

test('no part of a name is a wire word outside of the translating files', () => {
  const description = readFileSync(join(root, 'renderer/src/lib/api/schema.d.ts'), 'utf8');
  const described = new Set(description.match(/\w+/g));
  const allowed = [...TRANSLATING, ...Object.keys(WIRE_PART_EXCEPTIONS)];
  const found = PLACES.filter(
    ({ path, name }) =>
      partsOf(name).some((part) => WIRE_PARTS.has(part)) &&
      !(path.startsWith('renderer/') && described.has(name)) &&
      !allowed.some((prefix) => path.startsWith(prefix)),
  );
  expect(found).toEqual([]);
});

test('every file with wire words in parts of names is still needed in the list', () => {
  for (const prefix of Object.keys(WIRE_PART_EXCEPTIONS))
    expect(
      PLACES.some(({ path, name }) => path.startsWith(prefix) && partsOf(name).some((part) => WIRE_PARTS.has(part))),
      prefix,
    ).toBe(true);
});

test('what a file exports has a name of its own', () => {
  expect(exportedTwice()).toEqual([]);
});

test('names that gave way to terms of the field do not come back', () => {
  const found = PLACES.filter(
    ({ path, name }) => FORMER_NAMES.has(name) && !OLD_CODES.some((prefix) => path.startsWith(prefix)),
  );
  expect(found).toEqual([]);
});

test.runIf(existsSync(join(root, 'CONTRIBUTING.md')))('CONTRIBUTING.md has the same glossary', () => {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const section = /^## Glossary$([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(text)?.[1] ?? '';
  const rows = [...section.matchAll(/^\| *([^|]+?) *\| *([^|]+?) *\|$/gm)]
    .map(([, wire, house]) => [wire!, house!])
    .filter(([wire]) => wire !== 'Wire' && !/^-+$/.test(wire!));
  expect(rows).toEqual(GLOSSARY.map(({ wire, house }) => [wire.join(', '), house]));
});

/** Words of Russian texts that have another name in the console. */
const OTHER_RUSSIAN = /заявк|задани[еяюй]|подразделени/i;
/** Heads of tables from elsewhere, which an import recognizes. */
const RUSSIAN_EXCEPTIONS = ['server/exchange/imports/kinds/'];

test('Russian texts call a task «задача» and an organization «организация»', () => {
  const found = ['renderer/src', 'server', 'shared', 'resources/manual/ru'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name}`)
      .filter((name) => /\.(ts|vue|md)$/.test(name) && !RUSSIAN_EXCEPTIONS.some((start) => name.startsWith(start)))
      .flatMap((name) =>
        readFileSync(join(root, name), 'utf8')
          .split('\n')
          .flatMap((line, at) => (OTHER_RUSSIAN.test(line) ? [`${name}:${at + 1}: ${line.trim()}`] : [])),
      ),
  );
  expect(found).toEqual([]);
});
