// Puts the packages that are not bundled, and Node, into a staging tree: from the lock file, for any system.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { NOT_BUNDLED, packagesOf } from '../bundle-program.mjs';
import { root } from '../prepare.mjs';
import { SYSTEMS } from './systems.mjs';

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
export const NODE = JSON.parse(readFileSync(join(root, '.ci', 'dist', 'node.json'), 'utf8'));

/** What an installed program loads from `node_modules`: Electron is the program there, not a package. */
export const SHIPPED = NOT_BUNDLED.filter((name) => name !== 'electron');
/** The native part of a bundled package: a program for Windows alone calls functions of the system. */
const SHIPPED_FOR = { win32: ['@koromix/koffi-win32-x64'] };

/** Where Node finds `name` when a file of the package in `from` asks for it; undefined: nowhere. */
function resolveIn(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '') return undefined;
  }
}

/** The packages that `names` need, with those of every system, as rows of the lock file. */
export function closureOf(names, packages = lock.packages) {
  const closure = {};
  const add = (path) => {
    if (path === undefined || closure[path]) return;
    const row = (closure[path] = packages[path]);
    for (const name of Object.keys({ ...row.dependencies, ...row.optionalDependencies }))
      add(resolveIn(packages, path, name));
  };
  for (const name of names) add(resolveIn(packages, '', name));
  return closure;
}

/** Packages whose code is loaded when the shipped ones are; those of one system are found by name at run time. */
async function loadedPackages() {
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: SHIPPED.map((name) => `import '${name}';`).join('\n'), resolveDir: root },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    outdir: 'unused',
    loader: { '.node': 'empty' },
    logLevel: 'error',
  });
  return new Set(packagesOf(Object.keys(metafile.inputs)));
}

/** The rows of the lock file for one system: what is shipped and loaded there, and its Node if `node` is true. */
export async function rowsFor(system, { node }) {
  const { os, cpu, libc } = SYSTEMS[system];
  const loaded = await loadedPackages();
  const fits = (row) =>
    (!row.os || row.os.includes(os)) &&
    (!row.cpu || row.cpu.includes(cpu)) &&
    (!row.libc || (libc !== undefined && row.libc.includes(libc)));
  const rows = Object.fromEntries(
    Object.entries(closureOf([...SHIPPED, ...(SHIPPED_FOR[os] ?? [])])).filter(
      ([path, row]) => fits(row) && (row.os || loaded.has(path)),
    ),
  );
  if (node) {
    const { package: name, integrity } = NODE[system];
    rows[`node_modules/${name}`] = { version: NODE.version, integrity, license: 'MIT', os: [os], cpu: [cpu] };
  }
  return rows;
}

/**
 * Installs the rows for `system` with `npm ci`, which checks the sum of each package, and returns them and their
 * folder. What was installed before is used again.
 */
export async function installFor(system, { node }) {
  const rows = await rowsFor(system, { node });
  const folder = join(root, 'node_modules', '.cache', 'dist', node ? `${system}-node` : system);
  // npm holds what is not optional against the machine that it runs on, whatever --os says.
  const versions = (optional) =>
    Object.fromEntries(
      Object.entries(rows)
        .filter(([path, row]) => !path.slice(1).includes('/node_modules/') && Boolean(row.os) === optional)
        .map(([path, row]) => [path.slice('node_modules/'.length), row.version]),
    );
  const own = { name: 'waypost-parts', version: '0.0.0', private: true };
  Object.assign(own, { dependencies: versions(false), optionalDependencies: versions(true) });
  const strip = ({ dev: _dev, optional: _optional, devOptional: _both, optionalDependencies: _others, ...row }) => ({
    ...row,
    ...(row.os && { optional: true }),
  });
  const packages = Object.fromEntries(Object.entries(rows).map(([path, row]) => [path, strip(onlyWithin(row, rows))]));
  const text = JSON.stringify({ ...own, lockfileVersion: 3, requires: true, packages: { '': own, ...packages } });
  const stamp = join(folder, '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === text) return { folder, rows };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(own));
  writeFileSync(join(folder, 'package-lock.json'), text);
  cpSync(join(root, '.npmrc'), join(folder, '.npmrc'));
  const { os, cpu, libc } = SYSTEMS[system];
  const words = ['ci', '--omit=dev', `--os=${os}`, `--cpu=${cpu}`, ...(libc ? [`--libc=${libc}`] : [])];
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = spawnSync('npm', [...words, ...quiet], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) throw new Error(`npm ci failed for ${system}; its own words are above.`);
  writeFileSync(stamp, text);
  return { folder, rows };
}

/** A row whose dependencies are those that are installed; npm refuses a lock file that lacks one. */
function onlyWithin(row, rows) {
  const installed = new Set(Object.keys(rows).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13)));
  const dependencies = Object.entries(row.dependencies ?? {}).filter(([name]) => installed.has(name));
  return { ...row, dependencies: Object.fromEntries(dependencies) };
}
