// Bundles the server and the Electron shell. A start from 1,650 files takes 1.3 s of a core, from these 0.8 s.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, join, relative } from 'node:path';
import { build, transform } from 'esbuild';
import { root } from './prepare.mjs';

/** Packages that open files of their own by path; they stay in `node_modules`. */
export const NOT_BUNDLED = ['electron', 'sharp', '@node-rs/argon2', 'pdfkit'];
/** The native part of `koffi` for each system. */
const KOFFI = '@koromix/koffi-';

/** Output (without `.js`) to source. */
const PROGRAMS = { 'server/cli': 'server/cli.ts', 'electron/main': 'electron/main.ts' };

/**
 * The scripts of threads. All lie in one folder: the chunk that starts one finds it beside itself (`siblingUrl`).
 * `npm test` imports this file in Node 20, which has no `globSync`.
 */
function threadEntries() {
  return Object.fromEntries(
    readdirSync(join(root, 'server'), { recursive: true })
      .filter((path) => path.endsWith('.worker.ts'))
      .map((path) => [`server/${basename(path, '.ts')}`, join('server', path)]),
  );
}

/**
 * Writes the programs, their threads and the chunks that they share into `outdir`, and which packages they contain
 * into `packages-program.json`: the list of parts in an installed program names those. `packages-of-files.json` has
 * them by file, for tests; it is not installed.
 */
export async function bundleProgram(outdir) {
  const programs = await bundle(outdir, PROGRAMS);
  // Apart from the programs: code that both have would be in many small chunks, and each costs a start time.
  const threads = await bundle(outdir, threadEntries());
  const inputs = [programs, threads].flatMap((metafile) => Object.keys(metafile.inputs));
  writeFileSync(join(outdir, 'packages-program.json'), JSON.stringify(packagesOf(inputs)));
  const files = [programs, threads].flatMap((metafile) => Object.entries(metafile.outputs));
  const byFile = files.map(([file, { inputs }]) => [
    relative(outdir, join(root, file)),
    packagesOf(Object.keys(inputs)),
  ]);
  writeFileSync(join(outdir, 'packages-of-files.json'), JSON.stringify(Object.fromEntries(byFile)));
}

async function bundle(outdir, entryPoints) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    chunkNames: 'server/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    // Each thread keeps the text of its code in memory. Names stay, so that a stack trace can be read.
    minifyWhitespace: true,
    lineLimit: 160,
    external: [...NOT_BUNDLED, `${KOFFI}*`],
    plugins: [requiredBuiltins, oneCopy, englishOfZod, shortPackages],
    // Some packages are CommonJS and ask for Node's modules by `require`.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    logLevel: 'warning',
    metafile: true,
  });
  for (const file of Object.keys(metafile.outputs)) narrow(join(root, file));
  return metafile;
}

/**
 * One character beyond Latin-1 makes V8 keep the whole text of a file with two bytes for each. esbuild leaves such
 * characters in patterns, which may have them escaped.
 */
function narrow(file) {
  const text = readFileSync(file, 'utf8');
  const narrowed = text.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (narrowed !== text) writeFileSync(file, narrowed);
}

/** Folders of packages, such as `node_modules/express`, that hold these files; sorted. */
export function packagesOf(files) {
  const folders = files.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/**
 * Node's own modules are required. An import reads every property of theirs: that of `node:http` loads a whole client
 * for HTTP, which takes 60 ms.
 */
const requiredBuiltins = {
  name: 'required-builtins',
  setup({ onResolve, onLoad }) {
    const builtins = new Set(builtinModules);
    const isBuiltin = (path) => path.startsWith('node:') || builtins.has(path);
    onResolve({ filter: /^[a-z]/, namespace: 'file' }, ({ path, kind }) =>
      kind === 'import-statement' && isBuiltin(path) ? { path, namespace: 'builtin' } : undefined,
    );
    onResolve({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};

/** Zod brings its messages in 60 languages, in one object that no bundler can divide. Ours are in `shared/refusals`. */
const englishOfZod = {
  name: 'english-of-zod',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** Shortens names within functions of packages, a quarter of their text. Those of classes and methods stay. */
const shortPackages = {
  name: 'short-packages',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/, namespace: 'file' }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { minifyIdentifiers: true, sourcefile: path });
      return { contents: code };
    });
  },
};

/**
 * npm nests a package several times when another version has its place; one copy of each version is bundled. It is the
 * one with the shortest path, so that every build takes the same.
 */
const oneCopy = {
  name: 'one-copy',
  setup({ onResolve, resolve }) {
    const homes = homesOfPackages();
    onResolve({ filter: /^[^./#]/ }, async ({ path, pluginData, ...options }) => {
      if (pluginData === 'resolved' || path.startsWith('node:') || path.startsWith(KOFFI)) return undefined;
      const resolved = await resolve(path, { ...options, pluginData: 'resolved' });
      const [home] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(resolved.path) ?? [];
      if (resolved.errors.length > 0) return undefined; // an optional package of a package
      if (resolved.external || home === undefined) return resolved;
      const { name, version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
      const chosen = homes.get(`${name} ${version}`);
      if (chosen === undefined) return resolved;
      return { ...resolved, path: join(root, chosen) + resolved.path.slice(home.length) };
    });
  },
};

/** The folder of each version of a package that is installed, by `name version`. */
function homesOfPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const folders = Object.keys(packages).filter((folder) => folder !== '' && existsSync(join(root, folder)));
  folders.sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
  const homes = new Map();
  for (const folder of folders) {
    const key = `${folder.replace(/^.*node_modules\//, '')} ${packages[folder].version}`;
    if (!homes.has(key)) homes.set(key, folder);
  }
  return homes;
}
