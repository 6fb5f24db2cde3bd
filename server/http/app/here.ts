import { readFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { looksLocal, type RequestWithSocket } from './client.ts';

/**
 * Whether a program on this machine sent the request itself, and no proxy passed it on. `proved`: the operating system
 * says so. `likely`: it cannot be asked, and nothing speaks against it.
 */
export type Here = 'proved' | 'likely' | 'no';

/** Accounts of services that ask for metrics themselves. Other services may be proxies, such as `www-data`. */
const MONITORS = /^(_?prometheus|node[-_]exporter|_?telegraf|zabbix|netdata|nagios|icinga|otelcol(-contrib)?|alloy)$/;
/** The first account of people, and the one of nobody. */
const FIRST_PERSON = 1000;
const NOBODY = 65_534;

/** README rule 6. */
export async function isHere(request: RequestWithSocket): Promise<Here> {
  if (!looksLocal(request)) return 'no';
  const account = await accountOf(request.socket);
  if (account === undefined) return 'likely';
  return (await mayAskItself(account)) ? 'proved' : 'no';
}

/** People, the administrator, the station itself and monitors. */
async function mayAskItself(account: number): Promise<boolean> {
  if (account === 0 || account === process.getuid?.()) return true;
  if (account >= FIRST_PERSON && account !== NOBODY) return true;
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const line = accounts.split('\n').find((each) => each.split(':')[2] === String(account));
  return line !== undefined && MONITORS.test(line.split(':')[0]!);
}

/** The account that owns the other end of a connection within this machine; undefined where Linux does not tell. */
async function accountOf({
  remoteAddress = '',
  remotePort,
  localPort,
}: RequestWithSocket['socket']): Promise<number | undefined> {
  if (process.platform !== 'linux' || remotePort === undefined || localPort === undefined) return undefined;
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'latin1').catch(() => '')),
  );
  return accountIn(tables.join('\n'), { address: remoteAddress, port: remotePort, to: localPort });
}

/** Reads `/proc/net/tcp`: the account of the socket at `address:port` that is connected to the port `to`. */
export function accountIn(
  table: string,
  { address, port, to }: { readonly address: string; readonly port: number; readonly to: number },
): number | undefined {
  const hosts = hexOf(address);
  for (const line of table.split('\n')) {
    const [, local = '', remote = '', , , , , account] = line.trim().split(/\s+/);
    if (!local.endsWith(`:${hexPort(port)}`) || !remote.endsWith(`:${hexPort(to)}`)) continue;
    if (hosts.includes(local.slice(0, -5))) return Number(account);
  }
  return undefined;
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}

/** As Linux writes an address: words of four bytes, each in the machine's own order (little-endian here). */
function hexOf(address: string): string[] {
  const mapped = /^::ffff:(.*)$/i.exec(address)?.[1];
  const text = mapped ?? address;
  if (!isIPv4(text)) return text === '::1' ? ['00000000000000000000000001000000'] : [];
  const word = Buffer.from(text.split('.').map(Number)).reverse().toString('hex').toUpperCase();
  return [word, `0000000000000000FFFF0000${word}`];
}
