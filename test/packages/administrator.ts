// A new administrator with the manual alone: its commands, in its order, and the time that they take.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, readdirSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bootedMachine, type Machine } from './machines.ts';

export interface AdministratorOptions {
  readonly bare: string;
  /** The packages: of the version that is installed first, and of the one to update to. */
  readonly deb: { readonly old: string; readonly new: string };
  readonly check: (claim: string, holds: boolean, seen?: string) => void;
  readonly ask: <T>(machine: Machine, home: string, method: string, path: string, body?: object) => T;
}

const HOME = '/usr/lib/waypost';
const PASSWORD = 'a long enough passphrase';
const CONSOLES = fileURLToPath(new URL('consoles.ts', import.meta.url));
const PINNED = /^Certificate, SHA-256: (\S+)$/gm;

/** Runs a command whether it succeeds or not. */
const says = (machine: Machine, command: string) => machine.run(`{ ${command}; } 2>&1 || echo "exit code $?"`);

function consoles(machine: Machine, fingerprint: string, count: number): string {
  const words = ['--target', machine.leader, '--net', process.execPath, CONSOLES];
  try {
    return execFileSync('nsenter', [...words, 'https://127.0.0.1:8443', fingerprint, PASSWORD, String(count)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    return `failed: ${(error as { stderr?: string }).stderr ?? String(error)}`;
  }
}

/** Changes one byte of the positions, in whichever file they are. */
function flipByte(machine: Machine): string {
  const data = join(machine.root, 'var/lib/waypost');
  const months = existsSync(join(data, 'tracks'))
    ? readdirSync(join(data, 'tracks')).map((name) => `tracks/${name}`)
    : [];
  const files = [...months, 'tracks.db'].filter((name) => name.endsWith('.db') && existsSync(join(data, name)));
  for (const name of files) {
    const bytes = readFileSync(join(data, name));
    // A leaf of a b-tree that holds rows: its type, and a count of cells that is not zero.
    for (let page = 4096; page < bytes.length; page += 4096) {
      if (bytes[page] !== 10 && bytes[page] !== 13) continue;
      if (bytes.readUInt16BE(page + 3) === 0) continue;
      bytes[page] = bytes[page]! ^ 0xff;
      writeFileSync(join(data, name), bytes);
      return name;
    }
  }
  throw new Error(`No page with positions in ${files.join(', ')}.`);
}

export async function tryAdministrator({ bare, deb, check, ask }: AdministratorOptions): Promise<void> {
  const machine = await bootedMachine(bare);
  const elsewhere = await bootedMachine(bare);
  const started = performance.now();
  try {
    for (const each of [machine, elsewhere]) {
      copyFileSync(deb.old, join(each.root, 'root/old.deb'));
      copyFileSync(deb.new, join(each.root, 'root/new.deb'));
    }
    machine.run('apt-get install -y /root/old.deb 2>&1');
    machine.run('echo WAYPOST_HOST=0.0.0.0 >> /etc/waypost/waypost.conf && systemctl restart waypost');
    const journal = machine.run('journalctl -u waypost --no-pager -o cat');
    const fingerprint = [...journal.matchAll(PINNED)].at(-1)?.[1] ?? '';
    check('the journal has the fingerprint for consoles', fingerprint !== '', journal);
    machine.run('waypost user password admin', `${PASSWORD}\n`);
    ask(machine, HOME, 'POST', '/cars', { name: 'Van 12', carNo: 'V 12', glonassId: 12 });

    const seen = consoles(machine, fingerprint, 20);
    check(
      'twenty consoles sign in over TLS with the pinned certificate, and hear a position',
      /"consoles":20/.test(seen),
      seen,
    );
    const other = consoles(machine, fingerprint.replaceAll(/[0-9A-F]/g, '0'), 1);
    check(
      'a console that has pinned another certificate says nothing to the station',
      /not the pinned one/.test(other),
      other,
    );

    machine.run('systemctl stop waypost');
    const damaged = flipByte(machine);
    const found = says(machine, 'waypost check');
    check(
      '`waypost check` names the file with the damaged byte',
      found.includes(damaged) && found.includes('exit code 1'),
      found,
    );
    const salvaged = says(machine, 'waypost salvage');
    check(
      '`waypost salvage` mends it',
      salvaged.includes('Mended') && says(machine, 'waypost check').includes('no damage'),
      salvaged,
    );
    machine.run('systemctl start waypost');
    check('the station serves its consoles again', /"consoles":20/.test(consoles(machine, fingerprint, 20)));

    machine.run('apt-get install -y /root/new.deb 2>&1');
    check(
      'after the update consoles work by the same fingerprint',
      /"consoles":20/.test(consoles(machine, fingerprint, 20)),
    );
    const refused = says(machine, 'cd /root && waypost backup to.zip');
    check(
      'a backup where the user of the station may not write is refused in words',
      /may not write into \/root/.test(refused),
      refused,
    );
    for (const command of ['waypost import /root/new.deb', 'waypost restore /root/new.deb'])
      check(
        `\`${command}\` says that the user of the station may not read the file`,
        /The user waypost, as whom this command runs, may not read \/root\/new\.deb\./.test(says(machine, command)),
        says(machine, command),
      );
    machine.run('install -d -o waypost /srv/second && waypost backup /var/tmp/to.zip');
    const writable = says(
      machine,
      'nsenter -t $(systemctl show -P MainPID waypost) -m -S $(id -u waypost) touch /srv/second/probe',
    );
    check('the service may write to a second place under /srv', writable === '', writable);
    check('nothing in the data belongs to root', machine.run('find /var/lib/waypost -user root') === '');

    elsewhere.run('apt-get install -y /root/new.deb 2>&1');
    copyFileSync(join(machine.root, 'var/tmp/to.zip'), join(elsewhere.root, 'var/tmp/to.zip'));
    elsewhere.run('chown waypost /var/tmp/to.zip && systemctl stop waypost');
    const held = says(elsewhere, 'waypost restore /var/tmp/to.zip');
    check('a restore over a station asks for --yes', held.includes('--yes'), held);
    elsewhere.run('waypost restore /var/tmp/to.zip --yes && echo WAYPOST_HOST=0.0.0.0 >> /etc/waypost/waypost.conf');
    elsewhere.run('systemctl start waypost');
    const there = consoles(elsewhere, fingerprint, 20);
    check('restored elsewhere it has its people, vehicles and certificate', /"consoles":20/.test(there), there);

    elsewhere.run('apt-get purge -y waypost-station 2>&1');
    check('purging leaves the data', elsewhere.run('ls /var/lib/waypost').includes('station.db'));
    const minutes = (performance.now() - started) / 60_000;
    check(`all of it takes ten minutes at most: ${minutes.toFixed(1)}`, minutes <= 10);
  } finally {
    await machine.close();
    await elsewhere.close();
  }
}
