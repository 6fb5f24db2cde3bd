// First steps of both commands, on a machine with only git and Node 20: the packages, our own Node 24, a
// browser. Plain JavaScript, since nothing is installed yet when it runs.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const windows = process.platform === 'win32';

/** The Node that the project runs on: its own devDependency. */
export const ourNode = join(modules, 'node', 'bin', windows ? 'node.exe' : 'node');

/** The environment in which our programs run: our Node and our tools come first. */
export function ourEnvironment(extra = {}) {
  return { ...process.env, PATH: join(modules, '.bin') + delimiter + process.env.PATH, ...extra };
}

/** Installs the packages when the lock file is not the one that was installed last. */
export function installPackages() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stampFile = join(modules, '.waypost-installed');
  if (existsSync(ourNode) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return;
  console.log('Installing packages …');
  // Electron's own binary is fetched separately, and only to open a window: see `electronBinary`.
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: windows,
    env: { ...process.env, ELECTRON_SKIP_BINARY_DOWNLOAD: '1' },
  });
  if (npm.status !== 0) throw new Error('npm ci failed; its own words are above.');
  if (!existsSync(ourNode))
    throw new Error('The package "node" did not bring its binary. Are install scripts of packages allowed?');
  writeFileSync(stampFile, wanted);
}

const onPath = (name) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));

/**
 * Makes sure of a Chromium for the browser tests: `WAYPOST_CHROMIUM`, else one on the path, else Debian's. CI also
 * gets the headless shell, in which most test files need half the work. `test/browser/harness/chromium.ts` chooses.
 */
export async function needChromium() {
  if (process.env.WAYPOST_CHROMIUM) return;
  const browser = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].some(onPath);
  const shell = onPath('chromium-headless-shell') !== undefined;
  if (browser && (shell || !process.env.CI || !onPath('apt-get'))) return;
  if (!onPath('apt-get'))
    throw new Error('The browser tests need Chromium: install it, or name it in WAYPOST_CHROMIUM.');
  console.log('Installing Chromium …');
  await apt('update', '-qq');
  if (!shell && !(await install('chromium-headless-shell')))
    console.log('There is no headless shell of Chromium here.');
  if (!browser && !(await install('chromium', 'fonts-dejavu-core')))
    throw new Error('Chromium could not be installed: install it by hand, or name it in WAYPOST_CHROMIUM.');
}

/** Tries to get Debian's nginx for the test of proxies. That test is skipped where there is none. */
export async function wantNginx() {
  if (existsSync('/usr/sbin/nginx') || onPath('nginx') || !onPath('apt-get')) return;
  console.log('Installing nginx …');
  if (await install('nginx-light')) return;
  await apt('update', '-qq');
  await install('nginx-light');
}

/** Tries to get Debian's directory server for the test of LDAP. That test is skipped where there is none. */
export async function wantSlapd() {
  if (existsSync('/usr/sbin/slapd') || !onPath('apt-get')) return;
  console.log('Installing slapd …');
  if (await install('slapd')) return;
  await apt('update', '-qq');
  await install('slapd');
}

/** Tries to get Debian's IMAP server for the tests of the mailbox. Those are skipped where there is none. */
export async function wantDovecot() {
  if (existsSync('/usr/lib/dovecot/imap') || !onPath('apt-get')) return;
  console.log('Installing dovecot-imapd …');
  if (await install('dovecot-imapd')) return;
  await apt('update', '-qq');
  await install('dovecot-imapd');
}

/** Tries to get Debian's test authority for the test of ACME. That test is skipped where there is none. */
export async function wantPebble() {
  if (existsSync('/usr/bin/pebble') || !onPath('apt-get')) return;
  console.log('Installing pebble …');
  if (await install('pebble')) return;
  await apt('update', '-qq');
  await install('pebble');
}

/** Tries to get Debian's NATS server for the tests of regions. Those are skipped where there is none. */
export async function wantNats() {
  if (existsSync('/usr/sbin/nats-server') || onPath('nats-server') || !onPath('apt-get')) return;
  console.log('Installing nats-server …');
  if (await install('nats-server')) return;
  await apt('update', '-qq');
  await install('nats-server');
}

/** Tries to get Debian's PostgreSQL with PostGIS for the tests of the historian. Those are skipped where it is not. */
export async function wantPostgres() {
  if (existsSync('/usr/share/postgresql/15/extension/postgis.control') || !onPath('apt-get')) return;
  console.log('Installing postgresql-15 and postgresql-15-postgis-3 …');
  if (await install('postgresql-15', 'postgresql-15-postgis-3')) return;
  await apt('update', '-qq');
  await install('postgresql-15', 'postgresql-15-postgis-3');
}

/** Tries to get Debian's Mosquitto with its clients for the tests of MQTT. Those are skipped where there is none. */
export async function wantMosquitto() {
  if ((existsSync('/usr/sbin/mosquitto') && onPath('mosquitto_pub')) || !onPath('apt-get')) return;
  console.log('Installing mosquitto …');
  if (await install('mosquitto', 'mosquitto-clients')) return;
  await apt('update', '-qq');
  await install('mosquitto', 'mosquitto-clients');
}

/**
 * Tries to get Debian's GDAL, gpsd and icalendar for the tests that compare files, features, AIS and calendars with
 * other programs. Those are skipped where there is none.
 */
export async function wantGdal() {
  const icalendar = '/usr/lib/python3/dist-packages/icalendar';
  if ((onPath('ogrinfo') && onPath('gpsdecode') && existsSync(icalendar)) || !onPath('apt-get')) return;
  console.log('Installing gdal-bin, gpsd-clients and python3-icalendar …');
  if (await install('gdal-bin', 'gpsd-clients', 'python3-icalendar')) return;
  await apt('update', '-qq');
  await install('gdal-bin', 'gpsd-clients', 'python3-icalendar');
}

function apt(...words) {
  const admin = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const [command, ...rest] = [...admin, 'apt-get', ...words];
  // Debian starts a service that it installs, unless the machine is in this run level: nginx would take port 80.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const child = spawn(command, rest, { stdio: ['ignore', 'ignore', 'inherit'], env });
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
}

function install(...names) {
  return apt('install', '-y', '-qq', '--no-install-recommends', ...names);
}

/**
 * Path of Electron's binary, or undefined where it cannot be had. `fetch` tries to get it once for each
 * version.
 */
export function electronBinary({ fetch = false } = {}) {
  const home = join(modules, 'electron');
  const version = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).version;
  const path = () => {
    const name = join(home, 'path.txt');
    const file =
      existsSync(name) &&
      join(process.env.ELECTRON_OVERRIDE_DIST_PATH || join(home, 'dist'), readFileSync(name, 'utf8').trim());
    return file && existsSync(file) ? file : undefined;
  };
  const tried = join(home, '.waypost-tried');
  if (!path() && fetch && !(existsSync(tried) && readFileSync(tried, 'utf8') === version)) {
    console.log('Fetching Electron …');
    spawnSync(process.execPath, [join(home, 'install.js')], { stdio: 'ignore', timeout: 180_000 });
    writeFileSync(tried, version);
  }
  return path();
}

/**
 * Runs a step only when one of its inputs changed since it last ran well. `inputs` are files and folders
 * below the root.
 */
export async function whenChanged(name, inputs, output, step) {
  const hash = createHash('sha256');
  const add = (path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) for (const entry of readdirSync(path).sort()) add(join(path, entry));
    else if (stat) hash.update(path.slice(root.length)).update('\0').update(readFileSync(path));
  };
  for (const input of inputs) add(join(root, input));
  const stampFile = join(modules, '.cache', `waypost-${name}`);
  const digest = hash.digest('hex');
  if (existsSync(join(root, output)) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === digest) return;
  await step();
  writeFileSync(stampFile, digest);
}

/** Runs one of our tools to its end; throws when it fails. */
export function run(words, options = {}) {
  const [file, ...args] = words;
  const done = spawnSync(ourNode, [file, ...args], { cwd: root, stdio: 'inherit', env: ourEnvironment(), ...options });
  if (done.status !== 0) throw new Error(`${words.join(' ')} failed.`);
}

/** Starts one of our programs and stays beside it: signals go on to it, and its exit code becomes ours. */
export function become(command, args, env = {}) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: ourEnvironment(env) });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
  return child;
}
