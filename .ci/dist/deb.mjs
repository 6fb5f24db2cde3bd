// A Debian package of the station, made without Debian's tools, so that every system can make it.
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../prepare.mjs';
import { entriesOf, packageTime, writeTarball } from './archives.mjs';
import { sizeOf, unitAt } from './stage.mjs';
import { SYSTEMS } from './systems.mjs';

const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const files = (...path) => join(root, '.ci', 'dist', 'files', 'linux', ...path);

export const PACKAGE = 'waypost-station';
/** Where the program lies on Debian. */
const HOME = 'usr/lib/waypost';

/**
 * Writes the deb of a staged station. `binaries` are those that the stage checked: what they need of the system
 * becomes the dependencies.
 */
export async function writeDeb(stage, to, { system, version, binaries }) {
  const work = mkdtempSync(join(tmpdir(), 'waypost-deb-'));
  try {
    const tree = join(work, 'data');
    layOut(stage, tree);
    const installed = Math.ceil(sizeOf(tree) / 1024);
    const control = controlFile({
      version,
      architecture: SYSTEMS[system].debian,
      installed,
      depends: dependsOn(binaries),
    });
    const members = join(work, 'control');
    mkdirSync(members);
    writeFileSync(join(members, 'control'), control);
    writeFileSync(join(members, 'conffiles'), '/etc/waypost/waypost.conf\n');
    writeFileSync(join(members, 'md5sums'), sumsOf(tree));
    for (const name of ['postinst', 'prerm', 'postrm']) {
      copyFileSync(files('debian', name), join(members, name));
      chmodSync(join(members, name), 0o755);
    }
    await writeTarball(members, join(work, 'control.tar.gz'), { prefix: './' });
    await writeTarball(tree, join(work, 'data.tar.gz'), { prefix: './' });
    const parts = [
      ['debian-binary', Buffer.from('2.0\n')],
      ['control.tar.gz', readFileSync(join(work, 'control.tar.gz'))],
      ['data.tar.gz', readFileSync(join(work, 'data.tar.gz'))],
    ];
    writeFileSync(
      to,
      Buffer.concat([Buffer.from('!<arch>\n'), ...parts.flatMap(([name, bytes]) => member(name, bytes))]),
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** One file of an `ar` archive: a head of 60 characters, and an even number of bytes. */
function member(name, bytes) {
  const seconds = Math.floor(packageTime().getTime() / 1000);
  const fields = [name.padEnd(16), String(seconds).padEnd(12), '0'.padEnd(6), '0'.padEnd(6), '100644'.padEnd(8)];
  const head = `${fields.join('')}${String(bytes.length).padEnd(10)}\x60\n`;
  return [Buffer.from(head), bytes, Buffer.from(bytes.length % 2 === 1 ? '\n' : '')];
}

function layOut(stage, tree) {
  const into = (...path) => {
    const folder = join(tree, ...path);
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  cpSync(stage, into(HOME), { recursive: true });
  for (const name of ['waypost.service', 'waypost.conf', 'INSTALL.txt', 'LICENSE', 'bin/waypost'])
    rmSync(join(tree, HOME, name));
  writeFileSync(join(into('usr/lib/systemd/system'), 'waypost.service'), unitAt(`/${HOME}`));
  copyFileSync(files('waypost.conf'), join(into('etc/waypost'), 'waypost.conf'));
  const command = join(into('usr/bin'), 'waypost');
  copyFileSync(files('debian', 'waypost'), command);
  chmodSync(command, 0o755);
  const documents = into('usr/share/doc', PACKAGE);
  const licence = readFileSync(join(root, 'LICENSE'), 'utf8');
  writeFileSync(
    join(documents, 'copyright'),
    `${licence}\nThe packages inside have licences of their own: /${HOME}/LICENSES.txt.\n`,
  );
  const changes = gzipSync(readFileSync(join(root, 'CHANGELOG.md')), { level: 9 });
  writeFileSync(join(documents, 'changelog.gz'), changes);
}

function controlFile({ version, architecture, installed, depends }) {
  return `Package: ${PACKAGE}
Version: ${debianVersion(version)}
Architecture: ${architecture}
Maintainer: ${own.author}
Installed-Size: ${installed}
Depends: ${depends.join(', ')}
Recommends: systemd (>= 246)
Suggests: ffmpeg
Section: misc
Priority: optional
Homepage: ${own.homepage}
Description: station of the dispatch console Waypost
 Tasks, vehicles, routing, addresses and maps for a control room, in one
 program that works with the cable out. This package runs it without a
 window; consoles open it in a browser or in the desktop program.
`;
}

/** Debian sorts `1.0.0~rc.1` before `1.0.0`, as people and npm do with `1.0.0-rc.1`. */
export const debianVersion = (version) => version.replace('-', '~');

/** The first version of Debian's package that has the newest symbol which the binaries use. */
const LIBSTDCXX = { 21: '5', 22: '6', 23: '7', 24: '7.2', 25: '8', 26: '9', 27: '9.2', 28: '9.3', 29: '11', 30: '12' };

/** The binaries' needs of the system, as Debian's dependencies. */
export function dependsOn(binaries) {
  const own = new Set(binaries.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)));
  const needs = new Set(binaries.flatMap((binary) => binary.needs));
  const newest = (family) =>
    binaries
      .flatMap(({ symbols }) =>
        symbols.filter((name) => name.startsWith(`${family}_`)).map((name) => name.slice(family.length + 1)),
      )
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
      .at(-1);
  const depends = ['adduser'];
  for (const name of [...needs].sort()) {
    if (own.has(name) || /^(ld-linux|libm\.|libdl\.|libpthread\.|librt\.|libresolv\.|libutil\.)/.test(name)) continue;
    if (name === 'libc.so.6') depends.push(`libc6 (>= ${newest('GLIBC')})`);
    else if (name === 'libgcc_s.so.1') depends.push('libgcc-s1 | libgcc1');
    else if (name === 'libstdc++.so.6') {
      const minor = newest('GLIBCXX')?.split('.')[2] ?? '21';
      if (!LIBSTDCXX[minor]) throw new Error(`No version of libstdc++6 is known for GLIBCXX_3.4.${minor}.`);
      depends.push(`libstdc++6 (>= ${LIBSTDCXX[minor]})`);
    } else throw new Error(`A binary needs ${name}; no Debian package is known for it.`);
  }
  return depends;
}

function sumsOf(tree) {
  return entriesOf(tree)
    .filter(({ folder, name }) => !folder && !name.startsWith('etc/'))
    .map(({ path, name }) => `${createHash('md5').update(readFileSync(path)).digest('hex')}  ${name}\n`)
    .join('');
}
