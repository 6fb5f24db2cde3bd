// Consoles of a control room: each signs in over TLS by the certificate that it has pinned, opens a socket, follows the
// vehicles and hears the position that the first of them reports. Prints what it saw, as JSON.
//   node test/packages/consoles.ts ADDRESS FINGERPRINT PASSWORD COUNT
import { Agent, request } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { WebSocket } from 'ws';

const [address = '', fingerprint = '', password = '', count = '1'] = process.argv.slice(2);
const started = performance.now();

/** Refuses every certificate but the pinned one before anything is said to the station. */
class PinnedAgent extends Agent {
  override createConnection(...words: Parameters<Agent['createConnection']>) {
    const socket = super.createConnection(...words) as TLSSocket;
    socket.prependOnceListener('secureConnect', () => {
      if (socket.getPeerCertificate().fingerprint256 !== fingerprint)
        socket.destroy(new Error('The certificate is not the pinned one.'));
    });
    return socket;
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function ask(agent: Agent, method: string, path: string, body?: object, token?: string): Promise<Answer> {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return new Promise((resolve, reject) => {
    const asked = request(address + path, { agent, method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.on('end', () => resolve({ status: answer.statusCode!, text })).on('error', reject);
    });
    asked.on('error', reject).end(body && JSON.stringify(body));
  });
}

async function signIn(agent: Agent): Promise<string> {
  const { status, text } = await ask(agent, 'POST', '/auth/login', { login: 'admin', password });
  if (status !== 200) throw new Error(`Signing in: ${status} ${text}`);
  return (JSON.parse(text) as { token: string }).token;
}

interface Console {
  readonly agent: Agent;
  readonly token: string;
  readonly socket: WebSocket;
  readonly heard: string[];
}

async function openConsole(): Promise<Console> {
  // A resumed session shows no certificate.
  const agent = new PinnedAgent({ rejectUnauthorized: false, keepAlive: true, maxCachedSessions: 0 });
  const token = await signIn(agent);
  const socket = new WebSocket(`${address.replace('https', 'wss')}/ws?token=${token}`, { agent });
  const heard: string[] = [];
  socket.on('message', (data) => heard.push(String(data)));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return { agent, token, socket, heard };
}

const consoles = await Promise.all(Array.from({ length: Number(count) }, openConsole));
const { agent, token } = consoles[0]!;
const cars = JSON.parse((await ask(agent, 'GET', '/cars', undefined, token)).text) as {
  id: number;
  name: string;
  glonassId: number;
}[];
const van = cars.find(({ name }) => name === 'Van 12')!;
for (const { socket } of consoles)
  socket.send(JSON.stringify({ command: 'SET_OBSERVABLE_CARS', data: [van.glonassId] }));
// What follows is answered in order: after the answer the station follows the vehicle for this console.
for (const { socket, heard } of consoles) {
  socket.send(JSON.stringify({ command: 'NONSENSE', data: 1 }));
  while (!heard.some((text) => text.includes('ERROR'))) await new Promise((resolve) => socket.once('message', resolve));
}
const now = Date.now();
// A place of this run alone, by which each console knows the report; no farther from that of the run before than a
// vehicle drives, since the station does not show impossible jumps.
const lon = Math.round(20e6 + Math.random() * 200) / 1e6;
const fixes = Array.from({ length: 500 }, (_, index) => ({
  ...{ glonassId: van.glonassId, time: now - (500 - index) * 1000, lat: 50, lon },
  ...{ speed: 40, direction: 10 },
}));
const reported = await ask(agent, 'POST', '/telemetry', fixes, token);
const end = setTimeout(() => {
  console.error(`Not all consoles heard the position. The report: ${reported.status} ${reported.text}`);
  process.exit(1);
}, 30_000);
for (const { socket, heard } of consoles)
  while (!heard.some((text) => text.includes('CAR_UPDATES') && text.includes(`"lon":${lon}`)))
    await new Promise((resolve) => socket.once('message', resolve));
clearTimeout(end);
console.log(JSON.stringify({ consoles: consoles.length, ms: Math.round(performance.now() - started) }));
for (const { socket, agent } of consoles) {
  socket.terminate();
  agent.destroy();
}
