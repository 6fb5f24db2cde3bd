import { fork, type ChildProcess } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import smpp, { type Pdu, type Session } from 'smpp';

/**
 * An SMS gateway in a process of its own: HTTP as SMS Gateway for Android speaks it, and a message centre over SMPP.
 * The test steers it and sees what it took.
 */

/** What the gateway took. */
export interface TakenText {
  readonly id: string;
  readonly to: string;
  readonly text: string;
  readonly request: string;
  readonly headers: Readonly<Record<string, string>>;
  /** SMPP: the alphabet, and which part it is. */
  readonly coding: number;
  readonly header: readonly number[];
}

/** How the gateway behaves. */
export interface Behaviour {
  /** Statuses of the next answers, HTTP or SMPP; then it takes all. 0 cuts the connection after it took the text. */
  readonly answers?: readonly number[];
  /** SMPP: it reports every part as delivered at once, before its answer. */
  readonly reports?: boolean;
  /** SMPP: ids are written in decimal digits in reports, in hexadecimal ones in answers. */
  readonly mixedDigits?: boolean;
}

export interface Incoming {
  readonly from: string;
  readonly to?: string;
  readonly bytes: readonly number[];
  readonly coding?: number;
  readonly header?: readonly number[];
  readonly esmClass?: number;
}

type Order =
  | { readonly kind: 'behave'; readonly behaviour: Behaviour }
  | { readonly kind: 'deliver'; readonly incoming: Incoming }
  | { readonly kind: 'cut' };
type Said =
  | { readonly kind: 'ready'; readonly http: number; readonly smpp: number }
  | { readonly kind: 'taken'; readonly taken: TakenText }
  | { readonly kind: 'bound' | 'acknowledged' | 'enquired' | 'cut'; readonly status: number };

/** The side of the test. */
export class SmsGatewayProcess {
  readonly taken: TakenText[] = [];
  /** What the station did on the connection, in order. */
  readonly seen: string[] = [];
  readonly #child: ChildProcess;
  readonly ports: Promise<{ http: number; smpp: number }>;

  constructor() {
    this.#child = fork(fileURLToPath(import.meta.url), ['gateway'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const { promise, resolve, reject } = Promise.withResolvers<{ http: number; smpp: number }>();
    this.ports = promise;
    this.#child.once('exit', (code) => reject(new Error(`The gateway ended with ${code}.`)));
    this.#child.on('message', (said: Said) => {
      if (said.kind === 'ready') resolve(said);
      else if (said.kind === 'taken') this.taken.push(said.taken);
      else this.seen.push(`${said.kind} ${said.status}`);
    });
  }

  behave(behaviour: Behaviour): void {
    this.#order({ kind: 'behave', behaviour });
  }

  deliver(incoming: Incoming): void {
    this.#order({ kind: 'deliver', incoming });
  }

  /** Cuts the connections of SMPP. */
  cut(): void {
    this.#order({ kind: 'cut' });
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill();
    await ended;
  }

  #order(order: Order): void {
    this.#child.send(order);
  }
}

const LOGIN = 'waypost';
const PASSWORD = 'letmein8';
export const GATEWAY_LOGIN = { login: LOGIN, secret: PASSWORD };

if (process.argv[2] === 'gateway') void serve();

async function serve(): Promise<void> {
  let behaviour: Behaviour = {};
  let answers: number[] = [];
  let ids = 0x1a;
  const known = new Set<string>();
  const sessions = new Set<Session>();
  const say = (said: Said) => process.send!(said);
  const taken = (text: Partial<TakenText>) => {
    const whole = { id: '', to: '', text: '', request: '', headers: {}, coding: 0, header: [], ...text };
    say({ kind: 'taken', taken: whole });
  };

  const http = createServer((request, response) => {
    void read(request).then((body) => {
      const status = answers.shift() ?? 202;
      const answer = (code: number, value: object) =>
        response.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
      const expected = `Basic ${Buffer.from(`${LOGIN}:${PASSWORD}`).toString('base64')}`;
      if (request.headers.authorization !== expected) return answer(401, { message: 'Unauthorized' });
      if (status >= 400) return answer(status, { message: 'not now' });
      const isJson = request.headers['content-type']?.includes('json') === true;
      const said = (isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))) as Record<string, never>;
      const id = String(said['id'] ?? `given-${ids++}`);
      if (known.has(id)) return answer(409, { message: 'Message with such ID already exists' });
      known.add(id);
      const text = (said['textMessage'] as { text: string } | undefined)?.text ?? said['text'] ?? '';
      const to = (said['phoneNumbers'] as string[] | undefined)?.[0] ?? said['to'] ?? '';
      const headers = request.headers as Record<string, string>;
      taken({ id, text, to, headers, request: `${request.method} ${request.url}` });
      if (status === 0) return void request.socket.destroy();
      answer(202, { id, state: 'Pending', recipients: [{ phoneNumber: to, state: 'Pending' }] });
    });
  });

  const centre = smpp.createServer((session: Session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => session.close());
    session.on('enquire_link', (pdu: Pdu) => {
      session.send(pdu.response());
      say({ kind: 'enquired', status: 0 });
    });
    session.on('unbind', (pdu: Pdu) => {
      session.send(pdu.response());
      session.close();
    });
    session.on('bind_transceiver', (pdu: Pdu) => {
      const status = pdu.system_id === LOGIN && pdu.password === PASSWORD ? 0 : smpp.ESME_RINVPASWD;
      session.send(pdu.response({ command_status: status }));
      say({ kind: 'bound', status });
    });
    session.on('submit_sm', (pdu: Pdu) => {
      const status = answers.shift() ?? -1;
      if (status > 0) return void session.send(pdu.response({ command_status: status }));
      const number = ids++;
      const id = number.toString(16);
      const { message = '', udh } = pdu.short_message as { message?: string | Buffer; udh?: Buffer[] };
      taken({
        ...{ id, to: String(pdu.destination_addr), text: String(message), coding: Number(pdu.data_coding) },
        header: [...(udh?.[0] ?? [])],
        request: `${pdu.source_addr}/${pdu.dest_addr_ton}/${pdu.registered_delivery}`,
      });
      if (status === 0) return void session.destroy();
      const reported = behaviour.mixedDigits ? String(number).padStart(10, '0') : id;
      if (behaviour.reports)
        session.deliver_sm({
          ...{ source_addr: pdu.destination_addr, destination_addr: pdu.source_addr, esm_class: 4 },
          short_message: `id:${reported} sub:001 dlvrd:001 submit date:2611262200 done date:2611262201 stat:DELIVRD err:000 text:`,
        });
      session.send(pdu.response({ message_id: id }));
    });
  }) as unknown as Server;

  process.on('message', (order: Order) => {
    if (order.kind === 'behave') {
      behaviour = order.behaviour;
      answers = [...(behaviour.answers ?? [])];
    } else if (order.kind === 'cut') {
      for (const session of sessions) session.destroy();
    } else {
      const { from, to = '700', bytes, coding = 0, header = [], esmClass = 0 } = order.incoming;
      const message = Buffer.from(bytes);
      const short_message = header.length > 0 ? { udh: Buffer.from(header), message } : message;
      const fields = { source_addr: from, destination_addr: to, data_coding: coding, esm_class: esmClass };
      for (const session of sessions)
        session.deliver_sm({ ...fields, short_message }, ({ command_status }: Pdu) =>
          say({ kind: 'acknowledged', status: Number(command_status) }),
        );
    }
  });
  process.on('disconnect', () => process.exit());
  const ports = await Promise.all([listen(http), listen(centre)]);
  say({ kind: 'ready', http: ports[0], smpp: ports[1] });
}

async function read(request: IncomingMessage): Promise<string> {
  return Buffer.concat((await request.toArray()) as Buffer[]).toString();
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
