import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { freePorts } from './free-ports.ts';

const PROGRAM = ['/usr/sbin/dovecot', '/usr/local/sbin/dovecot'].find((path) => existsSync(path));
const hasImap = ['/usr/lib/dovecot/imap', '/usr/libexec/dovecot/imap'].some((path) => existsSync(path));

/** Whether the machine has Dovecot's IMAP server: `.ci/prepare.mjs` tries to get it. */
export const HAS_DOVECOT = PROGRAM !== undefined && hasImap;

export const MAILBOX_LOGIN = { login: 'desk@station.example', secret: 'mail-password-7' };

/** A Dovecot in a process of its own, with one mailbox (Maildir). */
export class Dovecot {
  readonly port: number;
  // Not in the folder of the run: another user reads the mail.
  readonly #directory = mkdtempSync('/tmp/waypost-dovecot-');
  #process: ChildProcess | undefined;
  #delivered = 0;

  private constructor(port: number) {
    this.port = port;
    const { username } = userInfo();
    const folder = (name: string) => join(this.#directory, name);
    chmodSync(this.#directory, 0o755);
    for (const name of ['mail', 'mail/new', 'mail/cur', 'mail/tmp', 'run', 'state']) mkdirSync(folder(name));
    const users = spawnSync('chown', ['-R', `${MAIL_OWNER}`, folder('mail')]);
    if (users.status !== 0) throw new Error('The mailbox cannot be given to its owner.');
    writeFileSync(
      folder('dovecot.conf'),
      `
protocols = imap
listen = 127.0.0.1
base_dir = ${folder('run')}
state_dir = ${folder('state')}
default_internal_user = ${username === 'root' ? 'dovecot' : username}
default_login_user = ${username === 'root' ? 'dovenull' : username}
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
mail_location = maildir:${folder('mail')}
first_valid_uid = 1
log_path = ${folder('log')}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
passdb {
  driver = static
  args = user=${MAILBOX_LOGIN.login} password=${MAILBOX_LOGIN.secret}
}
userdb {
  driver = static
  args = uid=${MAIL_OWNER} gid=${MAIL_OWNER} home=${folder('mail')}
}
`,
    );
  }

  static async start(): Promise<Dovecot> {
    const [port] = await freePorts(1);
    const server = new Dovecot(port!);
    await server.start();
    return server;
  }

  static get version(): string {
    return spawnSync(PROGRAM!, ['--version'], { encoding: 'utf8' }).stdout.trim();
  }

  async start(): Promise<void> {
    const words = ['-F', '-c', join(this.#directory, 'dovecot.conf')];
    this.#process = spawn(PROGRAM!, words, { stdio: 'ignore' });
    await eventually(async () => {
      const socket = connect(this.port, '127.0.0.1');
      await once(socket, 'connect').finally(() => socket.destroy());
    });
  }

  /** Puts a mail into the mailbox as a mail server delivers it. */
  deliver(mail: string): void {
    const name = `${Date.now()}.M${++this.#delivered}P${process.pid}.here`;
    const [draft, delivered] = ['tmp', 'new'].map((folder) => join(this.#directory, 'mail', folder, name));
    writeFileSync(draft!, mail.replaceAll(/\r?\n/g, '\r\n'));
    spawnSync('chown', [MAIL_OWNER, draft!]);
    spawnSync('mv', [draft!, delivered!]);
  }

  /** How many mails have the flag of read ones, and how many have not. */
  get counts(): { readonly read: number; readonly unread: number } {
    const names = ['new', 'cur'].flatMap((folder) => readdirSync(join(this.#directory, 'mail', folder)));
    const read = names.filter((name) => /:2,\w*S/.test(name)).length;
    return { read, unread: names.length - read };
  }

  async stop(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running) return;
    const ended = once(running, 'exit');
    running.kill('SIGTERM');
    await ended;
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** Dovecot serves no mail as root. */
const MAIL_OWNER = userInfo().username === 'root' ? 'mail' : userInfo().username;
