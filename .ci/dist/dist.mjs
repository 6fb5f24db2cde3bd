// npm run dist [-- TARGET …] [--version X] [--out FOLDER]: makes packages.
// `npm run dist -- --help` lists the targets.
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installPackages, root } from '../prepare.mjs';

installPackages();
const { buildConsole, buildProgram } = await import('../build.mjs');
const { TARGETS, describeTargets } = await import('./targets.mjs');
const { VERSION, megabytes, sizeOf, sizesOf } = await import('./stage.mjs');
const { beside, writeSbom, writeSum } = await import('./sbom.mjs');
const { signFile } = await import('./signing.mjs');
const { describeUpdate } = await import('./describe-update.mjs');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    version: { type: 'string', default: VERSION },
    out: { type: 'string', default: 'release' },
    help: { type: 'boolean' },
  },
});
const { version } = values;
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) fail(`--version takes a version such as 1.2.0, not ${version}.`);
const unknown = positionals.filter((name) => !TARGETS[name]);
if (unknown.length > 0) fail(`There is no target ${unknown.join(', ')}.\n\n${describeTargets()}`);
if (values.help) {
  console.log(describeTargets());
  process.exit(0);
}

const out = resolve(root, values.out);
mkdirSync(out, { recursive: true });
await buildConsole();
await buildProgram();

const made = [];
const notMade = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(TARGETS)) {
  const target = TARGETS[name];
  console.log(`\n${name}`);
  const stage = join(out, 'stage', target.tree ?? name);
  const needs = await target.missing?.();
  const staged = await target.stage(stage, { version, out });
  if (staged.binaries) {
    console.log(`  tree: ${megabytes(sizeOf(stage))} (${sizesOf(stage)})`);
    console.log(
      `  ${staged.binaries.length} binaries, all ${target.of}: ${staged.binaries.map(({ path }) => basename(path)).join(', ')}`,
    );
  }
  if (needs) {
    console.log(`  NOT MADE: needs ${needs}. The tree is made and checked: ${stage}`);
    notMade.push(`${name}: needs ${needs}`);
    continue;
  }
  for (const file of await target.make(stage, { version, out, ...staged })) {
    const signature = signFile(file);
    const sum = writeSum(file);
    console.log(`  ${file} ${megabytes(statSync(file).size)}, SHA-256 ${sum.slice(0, 16)}…, ${signature}`);
    if (staged.parts) {
      const list = beside(file, '.cdx.json');
      const count = writeSbom(list, {
        name: target.package ?? 'waypost',
        version,
        parts: staged.parts,
        node: target.node,
      });
      console.log(`  ${list}: ${count} parts`);
    }
    made.push(file);
  }
}

if (made.length > 0) {
  const update = join(out, 'waypost-update.json');
  rmSync(`${update}.sig`, { force: true });
  const signed = describeUpdate(update, version, made);
  console.log(`\n${update}: ${signed ? 'signed' : 'NOT SIGNED (WAYPOST_UPDATE_KEY names no key); stations refuse it'}`);
}
console.log(`\n${made.length} files made${notMade.length > 0 ? `; not made here:\n  ${notMade.join('\n  ')}` : ''}`);

function fail(text) {
  console.error(text);
  process.exit(2);
}
