import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Fields of a message by their names. */
export type AmiFields = Readonly<Record<string, string>>;

/**
 * An exchange that speaks AMI and rings nobody: it signs in who knows the secret, takes orders, and reports what a test
 * says. The real Asterisk is in `asterisk.ts`.
 */
export class ExchangeStandIn {
  readonly login = 'waypost';
  readonly secret = 'manager secret 5';
  /** What was asked of it, the oldest first. */
  readonly asked: AmiFields[] = [];
  /** Answers the next orders to call with a refusal. */
  refuses = false;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async start(port = 0): Promise<ExchangeStandIn> {
    const exchange = new ExchangeStandIn();
    exchange.#server.listen(port, '127.0.0.1');
    await once(exchange.#server, 'listening');
    return exchange;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The id of the channel that was ordered last. */
  get channel(): string {
    return this.asked.findLast(({ Action }) => Action === 'Originate')?.['ChannelId'] ?? '';
  }

  /** Reports an event of the channel that was ordered last. */
  report(event: string, fields: AmiFields = {}): void {
    for (const socket of this.#sockets) write(socket, { Event: event, Uniqueid: this.channel, ...fields });
  }

  /** Ends all connections. A new exchange at the same port is its return. */
  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    socket.write('Asterisk Call Manager/11.0.0\r\n');
    let rest = '';
    socket.on('data', (bytes) => {
      const messages = (rest + bytes.toString()).split('\r\n\r\n');
      rest = messages.pop()!;
      for (const message of messages) this.#answer(socket, fieldsOf(message));
    });
  }

  #answer(socket: Socket, asked: AmiFields): void {
    this.asked.push(asked);
    const response = (fields: AmiFields) => write(socket, { ...fields, ActionID: asked['ActionID'] ?? '' });
    if (asked['Action'] === 'Challenge') return response({ Response: 'Success', Challenge: '77' });
    const key = createHash('md5').update(`77${this.secret}`).digest('hex');
    if (asked['Action'] === 'Login' && (asked['Key'] !== key || asked['Username'] !== this.login))
      return response({ Response: 'Error', Message: 'Authentication failed' });
    if (asked['Action'] === 'Originate' && this.refuses)
      return response({ Response: 'Error', Message: 'Extension does not exist.' });
    response({ Response: 'Success' });
  }
}

function fieldsOf(message: string): AmiFields {
  return Object.fromEntries(message.split('\r\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
}

function write(socket: Socket, fields: AmiFields): void {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${lines.join('')}\r\n`);
}
