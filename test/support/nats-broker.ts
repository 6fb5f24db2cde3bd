import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectNats } from '@nats-io/transport-node';
import { eventually } from './eventually.ts';
import { freePorts } from './free-ports.ts';
import { NATS_PROGRAM } from './nats-servers.ts';

/** A NATS server that also is a broker of MQTT 3.1.1. */
export class NatsBroker {
  readonly #directory: string;
  readonly #process: ChildProcess;
  readonly #ports: readonly number[];

  private constructor(directory: string, ports: readonly number[]) {
    this.#directory = directory;
    this.#ports = ports;
    this.#process = spawn(NATS_PROGRAM!, ['--config', join(directory, 'server.conf')], { stdio: 'ignore' });
  }

  static async start(): Promise<NatsBroker> {
    const directory = mkdtempSync(join(tmpdir(), 'waypost-nats-mqtt-'));
    const ports = await freePorts(2);
    writeFileSync(
      join(directory, 'server.conf'),
      `listen: "127.0.0.1:${ports[0]}"
      server_name: mqtt
      jetstream { store_dir: "${directory}/data" }
      mqtt { host: "127.0.0.1", port: ${ports[1]} }`,
    );
    const broker = new NatsBroker(directory, ports);
    await eventually(async () => {
      const socket = connect(ports[1]!, '127.0.0.1');
      await once(socket, 'connect').finally(() => socket.destroy());
    });
    return broker;
  }

  get url(): string {
    return `mqtt://127.0.0.1:${this.#ports[1]}`;
  }

  async publish(topic: string, payload: string): Promise<void> {
    const connection = await connectNats({ servers: `127.0.0.1:${this.#ports[0]}` });
    connection.publish(topic.replaceAll('/', '.'), payload);
    await connection.drain();
  }

  async close(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
