import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { freePorts } from './free-ports.ts';

const found = (name: string) =>
  ['/usr/sbin', '/usr/bin', '/usr/local/bin'].map((folder) => join(folder, name)).find((path) => existsSync(path));
const BROKER = found('mosquitto');
const PUBLISHER = found('mosquitto_pub');
const SUBSCRIBER = found('mosquitto_sub');

/** Whether the machine has Mosquitto and its clients: `.ci/prepare.mjs` tries to get them. */
export const HAS_MOSQUITTO = BROKER !== undefined && PUBLISHER !== undefined && SUBSCRIBER !== undefined;

/** By what is published here, a test sees that a subscription holds. */
const PROBE = 'probe';

/** A Mosquitto in a process of its own, which keeps sessions over a restart. */
export class Mosquitto {
  readonly #directory = mkdtempSync(join(tmpdir(), 'waypost-mosquitto-'));
  readonly port: number;
  #process: ChildProcess | undefined;
  readonly #subscribers = new Set<ChildProcess>();

  private constructor(port: number) {
    this.port = port;
    writeFileSync(
      join(this.#directory, 'mosquitto.conf'),
      [
        `listener ${port} 127.0.0.1`,
        'allow_anonymous true',
        'user root',
        // A thousand is the default, which a burst of trackers exceeds.
        'max_queued_messages 100000',
        'persistence true',
        `persistence_location ${this.#directory}/`,
        'autosave_on_changes true',
        'autosave_interval 1',
      ].join('\n'),
    );
  }

  static async start(): Promise<Mosquitto> {
    const [port] = await freePorts(1);
    const broker = new Mosquitto(port!);
    await broker.start();
    return broker;
  }

  get url(): string {
    return `mqtt://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.#process = spawn(BROKER!, ['-c', join(this.#directory, 'mosquitto.conf')], { stdio: 'ignore' });
    await eventually(async () => {
      const socket = connect(this.port, '127.0.0.1');
      await once(socket, 'connect').finally(() => socket.destroy());
    });
  }

  /** Ends the broker; SIGTERM lets it write its sessions. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running) return;
    const ended = once(running, 'exit');
    running.kill(signal);
    await ended;
  }

  /** Publishes with `mosquitto_pub`; each line of `payloads` is one publication. */
  async publish(topic: string, payloads: readonly (string | object)[], qos = 1): Promise<void> {
    const lines = payloads.map((payload) => (typeof payload === 'string' ? payload : JSON.stringify(payload)));
    const words = ['-h', '127.0.0.1', '-p', String(this.port), '-q', String(qos), '-t', topic, '-l'];
    const child = spawn(PUBLISHER!, words, { stdio: ['pipe', 'ignore', 'inherit'] });
    child.stdin.end(`${lines.join('\n')}\n`);
    const [code] = (await once(child, 'exit')) as [number];
    if (code !== 0) throw new Error('mosquitto_pub failed.');
  }

  /**
   * Follows a topic with `mosquitto_sub` in a session that the broker keeps; the lines grow as they come, each
   * `TOPIC PROPERTIES PAYLOAD`.
   */
  async subscribe(topic: string): Promise<readonly string[]> {
    const at = ['-h', '127.0.0.1', '-p', String(this.port), '-V', '5', '-q', '1', '-F', '%t %P %p'];
    const session = ['-c', '-x', '3600', '-i', 'subscriber', '-t', topic, '-t', PROBE];
    const child = spawn(SUBSCRIBER!, [...at, ...session], { stdio: ['ignore', 'pipe', 'ignore'] });
    this.#subscribers.add(child);
    const lines: string[] = [];
    let isSubscribed = false;
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop()!;
      for (const line of parts)
        if (line.startsWith(PROBE)) isSubscribed = true;
        else lines.push(line);
    });
    await eventually(async () => {
      await this.publish(PROBE, ['probe']);
      if (!isSubscribed) throw new Error('mosquitto_sub has not subscribed yet.');
    });
    return lines;
  }

  async close(): Promise<void> {
    for (const child of this.#subscribers) child.kill();
    await this.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
