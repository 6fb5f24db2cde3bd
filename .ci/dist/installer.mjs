// Installers for Windows, by makensis on any system: a short script of our own over a staged tree.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../prepare.mjs';
import { entriesOf, packageTime } from './archives.mjs';

const SCRIPTS = join(root, '.ci', 'dist', 'files', 'installer');

/** Writes the installer of the tree. `program` is one of `PROGRAMS`. A `quick` one is larger, for tests. */
export function writeInstaller(tree, to, { program, version, quick = false }) {
  const { title, key, station } = PROGRAMS[program];
  const work = mkdtempSync(join(tmpdir(), 'waypost-installer-'));
  try {
    const entries = entriesOf(tree);
    writeFileSync(join(work, 'files.nsh'), `\uFEFF${treeMacros(tree, entries)}`);
    const bytes = entries.reduce((sum, { size, folder }) => sum + (folder ? 0 : size), 0);
    const sign = process.env.WAYPOST_SIGN;
    const names = {
      TARGET: targetOf(work),
      OUT: to,
      TITLE: title,
      KEY: key,
      VERSION: version,
      NUMBERS: `${/^\d+\.\d+\.\d+/.exec(version)[0]}.0`,
      KILOBYTES: Math.ceil(bytes / 1024),
      ICON: join(root, 'resources', 'icons', 'icon.ico'),
      ...(station && { STATION: '' }),
      ...(sign && { SIGN: sign }),
    };
    const words = Object.entries(names).map(([name, value]) => `-D${name}=${value}`);
    // It goes to the folder of its script first, where the others lie, and finds the list of files in `work`.
    const script = join(SCRIPTS, 'installer.nsi');
    const compressor = quick ? 'zlib' : '/SOLID lzma';
    const commands = [`SetCompressor ${compressor}`, `!addincludedir "${work}"`].map((command) => `-X${command}`);
    makensis(['-V2', '-WX', '-INPUTCHARSET', 'UTF8', ...words, ...commands, script]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

export const PROGRAMS = {
  'waypost-station': { title: 'Waypost Station', key: 'WaypostStation', station: true },
  'waypost': { title: 'Waypost', key: 'Waypost', station: false },
};

/** Macros that lay out the tree and remove it. Files are sorted, so that one tree gives the same bytes. */
function treeMacros(tree, entries) {
  // A name may look like one of the script's own. Names in the installed tree are read once more, by the installer.
  const plain = (text) => text.replaceAll('$', () => '${DOLLAR}');
  const inside = (name) => `"$INSTDIR\\${plain(name.replaceAll('$', () => '$$')).replaceAll('/', '\\')}"`;
  const folders = new Map([['', []]]);
  for (const { name, folder } of entries) {
    if (folder) folders.set(name, []);
    else folders.get(name.slice(0, Math.max(0, name.lastIndexOf('/')))).push(name);
  }
  const install = [...folders].flatMap(([folder, names]) => [
    `  SetOutPath ${folder === '' ? '"$INSTDIR"' : inside(folder)}`,
    ...names.map((name) => `  File "${plain(join(tree, name))}"`),
  ]);
  const top = entries.filter(({ name }) => !name.includes('/'));
  const remove = top.map(({ name, folder }) => `  ${folder ? 'RMDir /r' : 'Delete'} ${inside(name)}`);
  return `!define DOLLAR "$"\n!macro installTree\n${install.join('\n')}\n!macroend\n!macro removeTree\n${remove.join('\n')}\n!macroend\n`;
}

/** The machine of the installer's own code. Debian's makensis makes 64 bits; other ones only 32, which run, too. */
function targetOf(work) {
  const script = join(work, 'empty.nsi');
  writeFileSync(script, `Target amd64-unicode\nOutFile "${join(work, 'empty.exe')}"\nSection\nSectionEnd\n`);
  return spawnSync(program(), ['-V0', script]).status === 0 ? 'amd64-unicode' : 'x86-unicode';
}

function makensis(words) {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(Math.floor(packageTime().getTime() / 1000)) };
  const { status, stdout, stderr } = spawnSync(program(), words, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`makensis failed:\n${stdout}${stderr}`);
}

/** What this machine lacks to make installers; undefined: nothing. */
export function installerMissing() {
  return spawnSync(program(), ['-VERSION']).status === 0 ? undefined : 'makensis (the package nsis of Debian)';
}

/** Its installer for Windows puts it on no path. */
function program() {
  const usual = join(process.env['ProgramFiles(x86)'] ?? '', 'NSIS', 'makensis.exe');
  return process.platform === 'win32' && existsSync(usual) ? usual : 'makensis';
}
