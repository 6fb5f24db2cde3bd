import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The outcome of the next `POST /api/commands/send`. */
type Fate = 'live' | 'offline' | 'unsupported' | 'hang' | 'drop' | number;

/**
 * Stands in for a Traccar server, which no registry of ours has: answers as its `CommandResource`, `DeviceResource` and
 * `ResourceErrorHandler` do (6.x). Errors are texts, and 400 where a rule of Traccar refuses.
 */
export class TraccarStandIn {
  readonly token = 'traccar-token';
  /** By `uniqueId`. */
  readonly devices = new Map<string, number>();
  /** Texts that went to devices, with the number of each. */
  readonly sent: [deviceId: number, text: string][] = [];
  lookUps = 0;
  /** Requests under way, and the most that there were. */
  running = 0;
  most = 0;
  fate: Fate = 'live';
  isAllowed = true;
  /** Called after a command went to a device and before it is answered. */
  beforeAnswer: () => Promise<void> = async () => undefined;
  #server: Server | undefined;
  #port = 0;
  #queued = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      this.most = Math.max(this.most, ++this.running);
      void this.#answer(request)
        .then((answer) => {
          if (answer === 'drop') return request.socket.destroy();
          if (answer === 'hang') return;
          const isJson = typeof answer.body !== 'string';
          response.writeHead(answer.status, { 'Content-Type': isJson ? 'application/json' : 'text/plain' });
          response.end(isJson ? JSON.stringify(answer.body) : answer.body);
        })
        .finally(() => this.running--);
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise<void>((resolve) => (this.#server ? this.#server.close(() => resolve()) : resolve()));
    this.#server = undefined;
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; body: unknown } | 'drop' | 'hang'> {
    const body = await text(request);
    const { pathname, searchParams } = new URL(request.url!, this.url);
    if (!this.isAllowed || request.headers.authorization !== `Bearer ${this.token}`)
      return { status: 401, body: 'HTTP 401 Unauthorized - WebApplicationException (SecurityRequestFilter:124 < ...)' };
    if (request.method === 'GET' && pathname === '/api/devices') {
      this.lookUps++;
      const uniqueId = searchParams.get('uniqueId')!;
      const id = this.devices.get(uniqueId);
      const device = { id, attributes: {}, groupId: 0, calendarId: 0, name: uniqueId, uniqueId, status: 'online' };
      return { status: 200, body: id === undefined ? [] : [device] };
    }
    if (request.method !== 'POST' || pathname !== '/api/commands/send')
      return { status: 404, body: 'HTTP 404 Not Found - NotFoundException (...)' };
    const command = JSON.parse(body) as { deviceId: number; type: string; attributes: { data: string } };
    if (this.fate === 'hang' || this.fate === 'drop') return this.fate;
    if (typeof this.fate === 'number') return { status: this.fate, body: '' };
    if (![...this.devices.values()].includes(command.deviceId))
      return { status: 400, body: 'Device access denied - SecurityException (PermissionsService:147 < ...)' };
    if (this.fate === 'unsupported')
      return { status: 400, body: 'Command custom is not supported in protocol gt06 - RuntimeException (...)' };
    const answer = { id: 0, attributes: {}, deviceId: command.deviceId, type: 'custom', textChannel: false };
    if (this.fate === 'offline')
      return { status: 202, body: { ...answer, id: ++this.#queued, attributes: command.attributes } };
    this.sent.push([command.deviceId, command.attributes.data]);
    await this.beforeAnswer();
    return { status: 200, body: { ...answer, attributes: command.attributes, description: null } };
  }
}
