// node test/packages/windows.ts: makes the installers for Windows and tries them under Wine. Linux; needs makensis and
// wine. `npm run test:packages` does it, too.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { requireBinariesFor } from '../../.ci/dist/binaries.mjs';
import { writeInstaller } from '../../.ci/dist/installer.mjs';
import { Wine } from './wine.ts';

export type Check = (claim: string, holds: boolean, seen?: string) => void;

/** Words about what this machine lacks; undefined: nothing. */
export const windowsMissing = () =>
  [
    ['makensis', '-VERSION'],
    ['wine', '--version'],
  ].find(([program, flag]) => spawnSync(program!, [flag!]).status !== 0)?.[0];

const root = fileURLToPath(new URL('../..', import.meta.url));
const OLD = '0.1.0';
const NEW = '0.1.1';

export async function tryWindows(check: Check): Promise<void> {
  // Outside of the checkout, so that nothing finds its node_modules.
  const work = mkdtempSync(join(tmpdir(), 'waypost-windows-'));
  let wine: Wine | undefined;
  try {
    const old = installerOf(work, 'station-zip', OLD);
    const update = installerOf(work, 'station-zip', NEW);
    const desktop = installerOf(work, 'desktop-windows', OLD);
    for (const { file } of [old, update, desktop])
      check(`${file} is PE x64`, requireBinariesFor('windows-x64', join(file, '..')).length === 1);
    wine = new Wine();
    await tryStation(wine, check, old, update);
    await tryDesktop(wine, check, desktop.file);
  } finally {
    wine?.close();
    rmSync(work, { recursive: true, force: true });
  }
}

interface Installer {
  readonly tree: string;
  readonly file: string;
}

/** Stages a tree as `npm run dist` does, and makes its installer with less compression. */
function installerOf(work: string, target: string, version: string): Installer {
  const out = join(work, `${target}-${version}`);
  const words = [join(root, '.ci/dist/dist.mjs'), target, '--version', version, '--out', out];
  console.log(execFileSync(process.execPath, words, { cwd: root, encoding: 'utf8' }).trim().replaceAll(/^/gm, '  '));
  const station = target === 'station-zip';
  const tree = join(out, 'stage', station ? 'station-windows-x64' : 'desktop-windows-x64');
  // Our Node stands in Electron's place.
  if (!station)
    cpSync(join(work, `station-zip-${version}`, 'stage/station-windows-x64/bin/node.exe'), join(tree, 'Waypost.exe'));
  // Names of chunks change with each version.
  else writeFileSync(join(tree, 'dist/server', `chunk-${version}.js`), '');
  mkdirSync(join(out, 'made'));
  const file = join(out, 'made', 'waypost-setup.exe');
  writeInstaller(tree, file, { program: station ? 'waypost-station' : 'waypost', version, quick: true });
  return { tree, file };
}

async function tryStation(wine: Wine, check: Check, old: Installer, update: Installer): Promise<void> {
  const program = join(wine.drive, 'Program Files/Waypost Station');
  const data = join(wine.drive, 'ProgramData/Waypost/station');
  const log = () => readFileSync(join(data, 'service.log'), 'utf8');
  const command = (...words: string[]) =>
    wine.run('C:\\Program Files\\Waypost Station\\bin\\node.exe', join(program, 'dist/server/cli.js'), ...words);
  const port = await freePort();
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const { token } = JSON.parse(readFileSync(join(data, 'control.json'), 'utf8')) as { token: string };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      // The service ends in between: no connection outlives its answer.
      headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json', 'connection': 'close' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const version = async () => (await ask<{ version: string }>('GET', '/health')).version;
  const hasVan = async () => JSON.stringify(await ask('GET', '/cars')).includes('Van 12');

  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, 'station.json'), JSON.stringify({ port }));
  wine.keep(join(old.tree, 'bin/node.exe'));
  const first = wine.run(old.file, '/S');
  check('the station is installed without a question', first.status === 0, first.said);
  check(
    'its files lie in Program Files',
    namesIn(old.tree).every((name) => existsSync(join(program, name))),
  );
  check('its service runs the version that was installed', (await version()) === OLD);
  check('the service prints into a file of the data directory', /password \S+ \(/.test(log()), log());
  await ask('POST', '/cars', { name: 'Van 12' });
  const stopped = command('service', 'stop');
  check('the service ends when it is asked', stopped.status === 0 && /has stopped/.test(stopped.said), stopped.said);
  check('its database is closed', !existsSync(join(data, 'station.db-wal')) && !existsSync(join(data, 'control.json')));
  check('it starts again', command('service', 'start').status === 0);
  check('what was acknowledged is there', await hasVan());

  const second = wine.run(update.file, '/S');
  check('an update ends the service, replaces the program and starts it', second.status === 0, second.said);
  check('the new version runs', (await version()) === NEW);
  check('on the data of the old one', await hasVan());
  check('no file of the old version stays', !existsSync(join(program, `dist/server/chunk-${OLD}.js`)));

  command('service', 'stop');
  writeFileSync(join(data, 'station.json'), JSON.stringify({ port: 'none' }));
  const wrong = command('service', 'start');
  check('a start with a wrong setting fails', wrong.status === 1 && wrong.said.includes('service.log'), wrong.said);
  check('the file says why', /waypost: .*port/.test(log().split('\n').at(-2) ?? ''), log());
  writeFileSync(join(data, 'station.json'), JSON.stringify({ port }));
  command('service', 'start');

  const before = await settled(data, () => void command('service', 'stop'));
  const gone = wine.run('C:\\Program Files\\Waypost Station\\uninstall.exe', '/S');
  // The uninstaller goes on in a copy of itself.
  check(
    'the uninstaller removes the program',
    gone.status === 0 && (await until(() => !existsSync(program))),
    gone.said,
  );
  check('and the service', wine.run('sc.exe', 'query', 'WaypostStation').status !== 0);
  check('and touches no data', sumsOf(data) === before);
}

async function tryDesktop(wine: Wine, check: Check, file: string): Promise<void> {
  const program = join(wine.drive, 'Program Files/Waypost');
  const exe = 'C:\\Program Files\\Waypost\\Waypost.exe';
  check('the desktop program is installed without a question', wine.run(file, '/S').status === 0);
  const links = ['ProgramData/Microsoft/Windows/Start Menu/Programs/Waypost.lnk', 'users/Public/Desktop/Waypost.lnk'];
  check(
    'it is in the menu and on the desktop',
    links.every((name) => existsSync(join(wine.drive, name))),
  );
  check('all users have one data directory', existsSync(join(wine.drive, 'ProgramData/Waypost/station')));
  const sign = join(wine.drive, 'runs');
  const running = wine.start(exe, '--eval', "fs.writeFileSync('C:/runs', ''); setInterval(() => undefined, 1e6)");
  check('the program runs', await until(() => existsSync(sign)));
  check('it is not replaced while it runs', wine.run(file, '/S').status === 4);
  running.kill();
  mkdirSync(join(wine.drive, 'full'));
  writeFileSync(join(wine.drive, 'full/own.txt'), 'of somebody else');
  check('a folder with other things is refused', wine.run(file, '/S', '/D=C:\\full').status === 3);
  check('and stays', readdirSync(join(wine.drive, 'full')).join() === 'own.txt');
  wine.run('taskkill.exe', '/F', '/IM', 'Waypost.exe');
  check('it is replaced when it has ended', await until(() => wine.run(file, '/S').status === 0));
  wine.run('C:\\Program Files\\Waypost\\uninstall.exe', '/S');
  check('the uninstaller removes it', await until(() => !existsSync(program)));
  check('and leaves the data', existsSync(join(wine.drive, 'ProgramData/Waypost/station/station.db')));
}

const namesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

/** One sum of all data but the logs. */
function sumsOf(folder: string): string {
  const names = namesIn(folder).filter((name) => !/^(log\/|service\.log)/.test(name));
  const sum = createHash('sha256');
  for (const name of names.sort()) sum.update(name).update(readFileSync(join(folder, name)));
  return sum.digest('hex');
}

async function settled(folder: string, stop: () => void): Promise<string> {
  stop();
  await until(() => !existsSync(join(folder, 'control.json')));
  return sumsOf(folder);
}

/** Whether `holds` comes true within half a minute. */
async function until(holds: () => boolean): Promise<boolean> {
  const end = performance.now() + 30_000;
  while (!holds()) {
    if (performance.now() > end) return false;
    await setTimeout(200);
  }
  return true;
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

if (import.meta.main) {
  const missing = windowsMissing();
  if (missing) throw new Error(`The installers for Windows are tried with ${missing}: install it first.`);
  let failed = 0;
  await tryWindows((claim, holds, seen = '') => {
    console.log(`${holds ? '✓' : '✗'} ${claim}${holds || seen === '' ? '' : `\n    ${seen}`}`);
    if (!holds) failed++;
  });
  process.exit(failed === 0 ? 0 : 1);
}
