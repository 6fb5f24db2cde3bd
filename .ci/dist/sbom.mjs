// The list of parts of a package (CycloneDX), by npm, and sums of what was made.
import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from '../prepare.mjs';
import { packageTime } from './archives.mjs';
import { NODE } from './packages.mjs';

let whole;
/** npm's list of every package in the lock file. */
function npmSbom() {
  const words = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--sbom-type=application'];
  const { stdout, status, stderr } = spawnSync('npm', words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e9,
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  return JSON.parse(stdout);
}

/** Writes the list of `parts` (name and version), and of Node for `system` where the package contains it. */
export function writeSbom(to, { name, version, parts, node }) {
  whole ??= npmSbom();
  const wanted = new Set(parts.map((part) => `${part.name}@${part.version}`));
  const nameOf = (component) => `${component.group ? `${component.group}/` : ''}${component.name}@${component.version}`;
  const components = [];
  for (const component of whole.components) {
    if (!wanted.delete(nameOf(component))) continue;
    components.push(component);
  }
  if (wanted.size > 0) throw new Error(`npm does not list: ${[...wanted].join(', ')}.`);
  if (node)
    components.push({
      'bom-ref': `node@${NODE.version}`,
      'type': 'application',
      'name': 'node',
      'version': NODE.version,
      'purl': `pkg:generic/node@${NODE.version}`,
      'licenses': [{ license: { id: 'MIT' } }],
    });
  const kept = new Set(components.map((component) => component['bom-ref']));
  const own = whole.metadata.component;
  const dependencies = whole.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  const component = {
    ...own,
    name,
    version,
    'bom-ref': `${name}@${version}`,
    'purl': `pkg:generic/${name}@${version}`,
  };
  const sbom = {
    ...whole,
    serialNumber: `urn:uuid:${randomUUID()}`,
    metadata: { ...whole.metadata, timestamp: packageTime().toISOString(), component },
    components,
    dependencies: [{ ref: component['bom-ref'], dependsOn: [...kept] }, ...dependencies],
  };
  writeFileSync(to, `${JSON.stringify(sbom, null, 2)}\n`);
  return components.length;
}

/** Writes `FILE.sha256`, as `sha256sum -c` reads it. */
export function writeSum(file) {
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
  writeFileSync(`${file}.sha256`, `${sum}  ${basename(file)}\n`);
  return sum;
}

export const beside = (file, ending) =>
  join(dirname(file), `${basename(file).replace(/(\.tar\.gz|\.[^.]+)$/, '')}${ending}`);
