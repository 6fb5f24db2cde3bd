// npm run test:packages: installs the packages into a bare Debian (no Node, no npm, no network), starts, upgrades and
// removes them, and follows the manual as a new administrator. Linux, as root; needs debootstrap and systemd-nspawn
// (systemd-container); podman and runc for the container, makensis and wine for Windows. Some ten minutes. Words choose
// parts by their titles: `npm run test:packages -- deb archive`.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tryAdministrator } from './administrator.ts';
import { containerMissing, tryContainer, type Inside } from './container.ts';
import { tryWindows, windowsMissing } from './windows.ts';
import { bareRoot, bootedMachine, chrootMachine, type Machine } from './machines.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const has = (program: string) => ['/usr/sbin', '/usr/bin'].some((folder) => existsSync(join(folder, program)));
if (process.platform !== 'linux' || process.getuid?.() !== 0)
  throw new Error('The packages are tried in a bare Debian: that takes Linux and root.');
if (!process.env['WAYPOST_BARE_ROOT'] && !has('debootstrap')) throw new Error('Install debootstrap first.');

const OLD = '0.1.0';
const NEW = '0.1.1';
// Outside of the checkout, so that nothing finds its node_modules.
const work = mkdtempSync(join(tmpdir(), 'waypost-packages-'));
let passed = 0;
let failed = 0;

function check(claim: string, holds: boolean, seen = ''): void {
  console.log(`${holds ? '✓' : '✗'} ${claim}${holds || seen === '' ? '' : `\n    ${seen}`}`);
  if (holds) passed++;
  else failed++;
}

async function attempt(name: string, work: () => Promise<void>): Promise<void> {
  const chosen = process.argv.slice(2);
  if (chosen.length > 0 && !chosen.some((word) => name.toLowerCase().includes(word.toLowerCase()))) return;
  console.log(`\n${name}`);
  try {
    await work();
  } catch (error) {
    check(`${name}: ${(error as Error).message}`, false);
  }
}

/** Runs `npm run dist` for some targets. */
function dist(out: string, version: string, ...targets: string[]): string {
  const words = [join(root, '.ci/dist/dist.mjs'), ...targets, '--version', version, '--out', join(work, out)];
  const said = execFileSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
  console.log(said.trim().replaceAll(/^/gm, '  '));
  return said;
}

/** Asks the station over HTTP from inside the machine, with the program's own Node and the token of its command. */
function ask<T>(machine: Inside, home: string, method: string, path: string, body?: object): T {
  const script = `
    const { address, token } = JSON.parse(require('fs').readFileSync('/var/lib/waypost/control.json', 'utf8'));
    const body = ${JSON.stringify(body === undefined ? null : JSON.stringify(body))};
    fetch(address + ${JSON.stringify(path)}, {
      method: ${JSON.stringify(method)},
      headers: { authorization: 'Bearer ' + token, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body }),
    }).then(async (answer) => { if (!answer.ok) throw new Error(answer.status + ' ' + (await answer.text())); console.log(await answer.text()); })
      .catch((error) => { console.error(error); process.exit(1); });`;
  return JSON.parse(machine.run(`${home}/bin/node -`, script)) as T;
}

const versionOf = (machine: Inside, home: string) => ask<{ version: string }>(machine, home, 'GET', '/health').version;
const addVehicle = (machine: Inside, home: string) =>
  ask(machine, home, 'POST', '/cars', { name: 'Van 12', carNo: 'V 12', glonassId: 12 });
const vehiclesOf = (machine: Inside, home: string) =>
  JSON.stringify(ask<unknown>(machine, home, 'GET', '/cars')).includes('Van 12');
/** Sums of the data that a removal must not touch. */
const dataSum = (machine: Machine) =>
  machine.run(
    'cd /var/lib/waypost && find . -type f ! -path "./log/*" -print0 | sort -z | xargs -0 sha256sum | sha256sum',
  );

async function tryDeb(bare: string): Promise<void> {
  const home = '/usr/lib/waypost';
  const machine = has('systemd-nspawn') ? await bootedMachine(bare) : await chrootMachine(bare);
  const booted = has('systemd-nspawn');
  if (!booted) console.log('  systemd-nspawn is missing: the unit is started by its own command.');
  try {
    check('the machine has neither Node nor npm', machine.run('command -v node npm nodejs || true') === '');
    for (const [folder, version] of [
      ['old', OLD],
      ['new', NEW],
    ] as const)
      execFileSync('cp', [join(work, folder, `waypost-station_${version}_amd64.deb`), join(machine.root, 'var/tmp')]);
    const install = (version: string) => machine.run(`dpkg -i /var/tmp/waypost-station_${version}_amd64.deb 2>&1`);

    install(OLD);
    if (!booted) await machine.start('waypost');
    check('dpkg installs it, and the station answers /health', versionOf(machine, home) === OLD);
    check(
      '`waypost health` answers on the service’s data',
      /^Waypost 0\.1\.0 .*: ok/.test(machine.run('waypost health')),
    );
    const owner = machine.run('stat -c "%U %a" /var/lib/waypost').trim();
    check('the data directory belongs to its own user alone', owner === 'waypost 700', owner);
    if (booted) tryUnit(machine);
    addVehicle(machine, home);
    check('it keeps a vehicle', vehiclesOf(machine, home));
    machine.run('waypost user password admin', 'a long enough passphrase\na long enough passphrase\n');
    check('root’s command leaves no file of root in the data', machine.run('find /var/lib/waypost -user root') === '');
    if (booted)
      trySecret(machine, () => ask<{ station: { name: string } }>(machine, home, 'GET', '/health').station.name);
    if (booted) await tryWatchdog(machine);

    if (!booted) await machine.stop('waypost');
    install(NEW);
    if (!booted) await machine.start('waypost');
    check('after the upgrade the newer one answers', versionOf(machine, home) === NEW);
    check('and still has the vehicle', vehiclesOf(machine, home));
    await machine.stop('waypost');
    const before = dataSum(machine);
    machine.run('dpkg -r waypost-station 2>&1');
    check('removing it removes the program', machine.run(`ls ${home} /usr/bin/waypost 2>/dev/null || true`) === '');
    check('and not one byte of data', dataSum(machine) === before);
    const said = machine.run('dpkg -P waypost-station 2>&1');
    check(
      'purging it keeps the data, and says so',
      dataSum(machine) === before && said.includes('/var/lib/waypost'),
      said,
    );
  } finally {
    await machine.close();
  }
}

/** What only systemd shows: limits, status, journal. */
function tryUnit(machine: Machine): void {
  const show = (name: string) => machine.run(`systemctl show -P ${name} waypost`).trim();
  const pid = show('MainPID');
  const status = machine.run(`cat /proc/${pid}/status`);
  check('it runs as its user', machine.run(`stat -c %U /proc/${pid}`).trim() === 'waypost');
  check('it can gain no privileges', /^NoNewPrivs:\s*1$/m.test(status));
  check('it has no capability but low ports', /^CapBnd:\s*0000000000000400$/m.test(status), status);
  check('its system calls are filtered', /^Seccomp:\s*2$/m.test(status));
  const text = machine.run('systemctl status waypost --no-pager --lines=0');
  check('systemctl status says how it is', /Status: "Waypost 0\.1\.0 \(Waypost\): ok/.test(text), text);
  const journal = machine.run('journalctl -u waypost --no-pager -o cat');
  check(
    'the journal has the password, once',
    (journal.match(/The administrator is admin/g) ?? []).length === 1,
    journal,
  );
  check('the journal has the log', /station: Waypost 0\.1\.0 is listening at/.test(journal), journal);
  const exposure = machine.run('systemd-analyze security waypost --no-pager | tail -1');
  console.log(`  ${exposure.trim()}`);
}

/** A secret of systemd is the value of its variable, as the manual says; the name of the station shows it. */
function trySecret(machine: Machine, nameOfStation: () => string): void {
  const folder = '/run/systemd/system/waypost.service.d';
  machine.run('systemd-creds encrypt --name=WAYPOST_NAME - /etc/waypost/name.cred', 'From a vault');
  const unit = '[Service]\nLoadCredentialEncrypted=WAYPOST_NAME:/etc/waypost/name.cred\n';
  machine.run(`mkdir -p ${folder} && cat > ${folder}/secret.conf`, unit);
  machine.run('systemctl daemon-reload && systemctl restart waypost');
  check('a secret of systemd is a setting of the service', nameOfStation() === 'From a vault', nameOfStation());
  machine.run(`rm -r ${folder} /etc/waypost/name.cred && systemctl daemon-reload && systemctl restart waypost`);
}

/** A station whose event loop stands still is killed and started again. */
async function tryWatchdog(machine: Machine): Promise<void> {
  machine.run('mkdir -p /run/systemd/system/waypost.service.d');
  machine.run('printf "[Service]\\nWatchdogSec=10\\n" > /run/systemd/system/waypost.service.d/test.conf');
  machine.run('systemctl daemon-reload && systemctl restart waypost');
  const show = (name: string) => machine.run(`systemctl show -P ${name} waypost`).trim();
  await new Promise((resolve) => setTimeout(resolve, 25_000)); // two and a half deadlines
  check('signs of life keep the watchdog quiet', show('NRestarts') === '0');
  machine.run(`kill -STOP ${show('MainPID')}`);
  for (let second = 0; second < 300 && !(show('NRestarts') === '1' && show('ActiveState') === 'active'); second++)
    await new Promise((resolve) => setTimeout(resolve, 1000));
  check('a station that stands still is started again', show('NRestarts') === '1' && show('ActiveState') === 'active');
  machine.run('rm -r /run/systemd/system/waypost.service.d && systemctl daemon-reload && systemctl restart waypost');
}

/** The archive, by the commands of its INSTALL.txt, on a machine whose systemd does not run. */
async function tryTarball(bare: string): Promise<void> {
  const home = '/opt/waypost';
  const machine = await chrootMachine(bare);
  try {
    check('the machine has no network', machine.run('cat /proc/net/route | tail -n +2') === '');
    const unpack = (folder: string, version: string) => {
      const name = `waypost-station-${version}-linux-x64`;
      execFileSync('cp', [join(work, folder, `${name}.tar.gz`), join(machine.root, 'var/tmp')]);
      machine.run(`cd /opt && tar xzf /var/tmp/${name}.tar.gz && ln -sfn /opt/${name} ${home}`);
      machine.run(`cp ${home}/waypost.service /etc/systemd/system/`);
    };
    unpack('old', OLD);
    const words = machine.run(`grep -E "^ +(useradd|mkdir -p)" ${home}/INSTALL.txt`);
    machine.run(words);
    machine.run('install -d -o waypost -g waypost -m 0700 /var/lib/waypost'); // systemd's StateDirectory
    await machine.start('waypost');
    check('the unit’s own command starts it as its user; it answers /health', versionOf(machine, home) === OLD);
    addVehicle(machine, home);
    await machine.stop('waypost');
    unpack('new', NEW);
    await machine.start('waypost');
    check(
      'after the update the newer one answers, with the data',
      versionOf(machine, home) === NEW && vehiclesOf(machine, home),
    );
    await machine.stop('waypost');
    const before = dataSum(machine);
    machine.run('rm -r /opt/waypost* /etc/systemd/system/waypost.service');
    check('deleting the program leaves the data', dataSum(machine) === before);
  } finally {
    await machine.close();
  }
}

function tryTrees(): void {
  const windows = dist('desktop', OLD, 'station-zip', 'desktop-windows');
  check('every binary of the Windows trees is PE x64', (windows.match(/binaries, all PE x64/g) ?? []).length === 2);
  check('the installer is made, or its needs are said', /NOT MADE: needs|-setup\.exe /.test(windows));
  dist('desktop', OLD, 'desktop-linux');
  const tree = join(work, 'desktop/stage/desktop-linux-x64');
  const out = execFileSync(process.execPath, [join(root, 'test/packages/desktop.ts'), tree], { encoding: 'utf8' });
  check(
    'the desktop’s tree opens a console with our Node in Electron’s place',
    out.includes('The console asks for a password.'),
    out,
  );
}

try {
  dist('old', OLD, 'station-tar', 'station-deb', 'station-container');
  dist('new', NEW, 'station-tar', 'station-deb', 'station-container');
  const sums = execFileSync(
    'sha256sum',
    ['-c', ...readdirSync(join(work, 'old')).filter((name) => name.endsWith('.sha256'))],
    {
      cwd: join(work, 'old'),
      encoding: 'utf8',
    },
  );
  check('the sums beside the packages hold', (sums.match(/: OK$/gm) ?? []).length === 3, sums);
  const list = JSON.parse(readFileSync(join(work, 'old', `waypost-station_${OLD}_amd64.cdx.json`), 'utf8')) as {
    bomFormat: string;
    components: { name: string }[];
  };
  const names = new Set(list.components.map(({ name }) => name));
  check(
    'the list of parts names bundled, native and console packages and Node',
    ['express', 'sharp', 'vue', 'node'].every((name) => names.has(name)),
  );
  const cache = join(root, 'node_modules/.cache/packages');
  mkdirSync(cache, { recursive: true });
  const bare = bareRoot(cache);
  await attempt('The deb in a bare Debian', () => tryDeb(bare));
  if (has('systemd-nspawn')) {
    const deb = (folder: string, version: string) => join(work, folder, `waypost-station_${version}_amd64.deb`);
    await attempt('A new administrator with the manual', () =>
      tryAdministrator({ bare, check, ask, deb: { old: deb('old', OLD), new: deb('new', NEW) } }),
    );
  }
  await attempt('The archive in a bare Debian', () => tryTarball(bare));
  const home = '/opt/waypost';
  const containerLacks = containerMissing();
  if (containerLacks) console.log(`\nThe container is not tried: ${containerLacks} is missing.`);
  else
    await attempt('The container on a bare Debian', () =>
      tryContainer({
        ...{ bare, work, check },
        old: { folder: join(work, 'old'), version: OLD },
        new: { folder: join(work, 'new'), version: NEW },
        versionOf: (machine) => versionOf(machine, home),
        addVehicle: (machine) => void addVehicle(machine, home),
        hasVehicle: (machine) => vehiclesOf(machine, home),
      }),
    );
  const lacks = windowsMissing();
  if (lacks) console.log(`\nThe installers for Windows are not tried: ${lacks} is missing.`);
  else await attempt('The installers under Wine', () => tryWindows(check));
  await attempt('The trees of the other targets', async () => tryTrees());
} finally {
  rmSync(work, { recursive: true, force: true });
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
