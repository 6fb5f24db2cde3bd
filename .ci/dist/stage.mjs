// Lays out what is installed: the built program, its pages and resources, the packages of the system, Node.
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../prepare.mjs';
import { requireBinariesFor } from './binaries.mjs';
import { NODE, installFor } from './packages.mjs';
import { SYSTEMS } from './systems.mjs';

const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
export const VERSION = own.version;

const files = (...path) => join(root, '.ci', 'dist', 'files', ...path);
/** Documents, declarations and tools of packages; their licences stay. */
const OF_DEVELOPERS =
  /(\.d\.[cm]?ts|\.map|\.md|\.markdown|\.tsbuildinfo|\.standalone\.js)$|^(\..+|tsconfig\.json|binding\.gyp)$/i;
const LICENCE = /^(licen[cs]e|copying|notice)/i;

/**
 * A station without a window for `system` in the empty folder `into`: `bin/` has Node and the command. Returns the
 * parts for the list of parts and the binaries that were checked.
 */
export async function stageStation(system, into, { version = VERSION } = {}) {
  const { folder, rows: all } = await installFor(system, { node: true });
  const { [`node_modules/${NODE[system].package}`]: _node, ...rows } = all;
  copyProgram(into, ['server', 'renderer'], { without: ['bin', 'icons'] });
  writeManifest(into, { version });
  copyPackages(folder, rows, into);
  const { node, os } = SYSTEMS[system];
  const nodeFolder = join(folder, 'node_modules', NODE[system].package);
  mkdirSync(join(into, 'bin'), { recursive: true });
  copyFileSync(join(nodeFolder, node), join(into, node));
  chmodSync(join(into, node), 0o755);
  // Node's package for Windows has no licence in it; that for Linux has.
  const { folder: licensed } = await installFor('linux-x64', { node: true });
  const licence = join(licensed, 'node_modules', NODE['linux-x64'].package, 'LICENSE');
  copyFileSync(licence, join(into, 'LICENSE.node.txt'));
  if (os === 'win32')
    for (const name of readdirSync(files('windows'))) copyFileSync(files('windows', name), join(into, name));
  else {
    copyFileSync(files('linux', 'waypost'), join(into, 'bin', 'waypost'));
    chmodSync(join(into, 'bin', 'waypost'), 0o755);
    writeFileSync(join(into, 'waypost.service'), unitAt('/opt/waypost'));
    for (const name of ['waypost.conf', 'INSTALL.txt']) copyFileSync(files('linux', name), join(into, name));
  }
  return finish(system, into, folder, rows);
}

/** systemd's unit of a station whose program lies in `home`. */
export const unitAt = (home) => readFileSync(files('linux', 'waypost.service'), 'utf8').replaceAll('@HOME@', home);

/** The desktop program for `system`, as Electron loads it. */
export async function stageDesktop(system, into, { version = VERSION } = {}) {
  const { folder, rows } = await installFor(system, { node: false });
  copyProgram(into, ['electron', 'server', 'renderer'], { without: [] });
  writeManifest(into, { version, main: own.main });
  copyPackages(folder, rows, into);
  return finish(system, into, folder, rows);
}

function finish(system, into, folder, rows) {
  const binaries = requireBinariesFor(system, into);
  if (binaries.length === 0) throw new Error(`The tree for ${system} has no binary: sharp and argon2 are missing.`);
  const parts = partsOf(folder, rows);
  writeFileSync(join(into, 'LICENSES.txt'), licencesOf(parts));
  return { binaries, parts };
}

/** Resources are whole folders: a new one is shipped, unless a program has no use for it. */
function copyProgram(into, programs, { without }) {
  rmSync(into, { recursive: true, force: true });
  for (const name of programs) {
    const from = join(root, 'dist', name);
    if (!existsSync(from)) throw new Error(`${from} is missing: build first (npm run build).`);
    cpSync(from, join(into, 'dist', name), { recursive: true });
  }
  const folders = readdirSync(join(root, 'resources'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders.filter((entry) => !without.includes(entry.name)))
    cpSync(join(root, 'resources', name), join(into, 'resources', name), { recursive: true });
  copyFileSync(join(root, 'LICENSE'), join(into, 'LICENSE'));
}

/** Where the program reads its version. It names no dependencies: what it loads lies beside it. */
function writeManifest(into, { version, main }) {
  const { name, description, homepage, author, license, type } = own;
  const manifest = { name, version, description, homepage, author, license, type, main };
  writeFileSync(join(into, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function copyPackages(folder, rows, into) {
  for (const path of Object.keys(rows)) {
    cpSync(join(folder, path), join(into, path), {
      recursive: true,
      filter: (from) => {
        const name = basename(from);
        if (from !== join(folder, path) && name === 'node_modules') return false; // a row of its own
        return LICENCE.test(name) || !OF_DEVELOPERS.test(name);
      },
    });
  }
}

/** Every package whose code is in the tree: bundled into the program or the pages, or beside them. */
function partsOf(folder, rows) {
  const listed = (name) => JSON.parse(readFileSync(join(root, 'dist', name), 'utf8'));
  const bundled = [...listed('packages-program.json'), ...listed('packages-console.json'), TYPEFACE];
  const homes = new Map([
    ...bundled.map((path) => [path, join(root, path)]),
    ...Object.keys(rows).map((path) => [path, join(folder, path)]),
  ]);
  const parts = new Map();
  for (const home of homes.values()) {
    const { name, version, license } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    parts.set(`${name}@${version}`, { name, version, license, home });
  }
  return [...parts.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Only the style sheets name it. */
const TYPEFACE = 'node_modules/@fontsource/roboto';

function licencesOf(parts) {
  const texts = parts.map(({ name, version, license, home }) => {
    const file = readdirSync(home).find((entry) => LICENCE.test(entry) && statSync(join(home, entry)).isFile());
    const text = file ? readFileSync(join(home, file), 'utf8').trim() : `Under the licence ${license}.`;
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return `Waypost contains these packages. Each stands under its own licence.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** Bytes of all files below `folder`. */
export function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** The tree's largest folders, for a person: `node_modules/@img 16.2 MB`. */
export function sizesOf(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => {
      const path = join(folder, entry.name);
      return { name: entry.name, bytes: entry.isDirectory() ? sizeOf(path) : statSync(path).size };
    })
    .filter(({ bytes }) => bytes > 1e5)
    .sort((a, b) => b.bytes - a.bytes)
    .map(({ name, bytes }) => `${name} ${megabytes(bytes)}`)
    .join(', ');
}

export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
