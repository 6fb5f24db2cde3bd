import { InvalidSetting } from '../config/index.ts';
import { findControl } from '../control.ts';
import { Refusal } from '../../shared/refusal.ts';
import { dataDirectoryOf, commandWords } from './words.ts';

const USAGE =
  'Usage: waypost link list, code, add ADDRESS CODE, follow ADDRESS CODE, follow LINK, settle LINK, change LINK, try LINK, pause LINK, resume LINK, cut LINK, or nearby. LINK is its id or the name of its station. Limits: --read-only or --both-ways, --organizations 1,2 or all, --tracks none, last, all or DAYS, --address ADDRESS or none.';

/** A link as the interface has it. */
interface LinkAnswer {
  readonly id: number;
  readonly station: { readonly name: string; readonly number: number };
  readonly address: string | null;
  readonly state: string;
  readonly waitingIn: number;
  readonly waitingOut: number;
  readonly lastContact: number | null;
  readonly lastError: string | null;
  readonly readOnly: boolean;
  readonly organizations: readonly number[] | null;
  readonly tracks: 'none' | 'last' | 'all' | { readonly days: number };
  readonly leadership: 'peer' | 'follows' | 'followed' | 'promoted' | 'replaced';
}

/** The body is sent as JSON, or as a form. */
export type Ask = <T>(method: string, path: string, body?: object) => Promise<T>;

const OPTIONS = {
  'paused': { type: 'boolean' },
  'read-only': { type: 'boolean' },
  'both-ways': { type: 'boolean' },
  'organizations': { type: 'string' },
  'tracks': { type: 'string' },
  'own-address': { type: 'string' },
  'address': { type: 'string' },
} as const;

/** `waypost link`: the page Stations from a shell, through the running station. */
export async function run(words: string[]): Promise<void> {
  const { values, positionals } = commandWords(words, USAGE, OPTIONS);
  const [action = '', ...rest] = positionals;
  const expected = {
    list: 0,
    code: 0,
    add: 2,
    follow: rest.length === 1 ? 1 : 2,
    settle: 1,
    change: 1,
    try: 1,
    pause: 1,
    resume: 1,
    cut: 1,
    nearby: 0,
  }[action];
  if (rest.length !== expected) throw new InvalidSetting(USAGE);
  const limits = {
    ...(values.paused && { paused: true }),
    ...(values['read-only'] && { readOnly: true }),
    ...(values['both-ways'] && { readOnly: false }),
    ...(values.organizations !== undefined && { organizations: idsOf(values.organizations) }),
    ...(values.tracks !== undefined && { tracks: tracksOf(values.tracks) }),
  };
  const ask = controlClient(dataDirectoryOf(values.data));
  switch (action) {
    case 'list':
      return printLinks(await ask('GET', '/links'));
    case 'nearby':
      return printNearby(await ask('GET', '/links/nearby'));
    case 'code': {
      const { code, expiresAt } = await ask<{ code: string; expiresAt: number }>('POST', '/links/codes', limits);
      console.log(`${code}   until ${clockText(expiresAt)}, three tries. Type it at the other station.`);
      return;
    }
    case 'follow':
      return follow(ask, rest, values['own-address']);
    case 'settle': {
      const link = await findLink(ask, rest[0]!);
      await ask('PUT', `/links/${link.id}`, { standby: false });
      console.log(`This station and ${link.station.name} both lead, and merge.`);
      return;
    }
    case 'change': {
      const address = values.address === 'none' ? null : values.address;
      const change = { ...limits, ...(address !== undefined && { address }) };
      if (Object.keys(change).length === 0) throw new InvalidSetting(USAGE);
      const link = await findLink(ask, rest[0]!);
      await ask('PUT', `/links/${link.id}`, change);
      console.log(`The link with ${link.station.name} is changed.`);
      return;
    }
    case 'try': {
      const link = await findLink(ask, rest[0]!);
      await ask('PUT', `/links/${link.id}`, {});
      console.log(`${link.station.name} is being tried now.`);
      return;
    }
    case 'add': {
      const link = await ask<LinkAnswer>('POST', '/links', {
        ...pairingOf(rest[0]!, rest[1]!, values['own-address']),
        ...limits,
      });
      console.log(`Linked with ${link.station.name} (link ${link.id}).`);
      return;
    }
    default: {
      const link = await findLink(ask, rest[0]!);
      if (action === 'cut') await ask('DELETE', `/links/${link.id}`);
      else await ask('PUT', `/links/${link.id}`, { paused: action === 'pause' });
      const done = { pause: 'is paused', resume: 'is running again', cut: 'is cut' }[
        action as 'pause' | 'resume' | 'cut'
      ];
      console.log(`The link with ${link.station.name} ${done}.`);
    }
  }
}

/** A fresh station is paired as a standby; a linked one becomes the standby of the other station. */
async function follow(ask: Ask, [first, code]: readonly string[], own: string | undefined): Promise<void> {
  const link =
    code === undefined
      ? await ask<LinkAnswer>('PUT', `/links/${(await findLink(ask, first!)).id}`, { standby: true })
      : await ask<LinkAnswer>('POST', '/links', { ...pairingOf(first!, code, own), standby: true });
  const { name } = link.station;
  console.log(
    `This station is a standby of ${name} (link ${link.id}). It takes no changes, and has the accounts of ${name}. If ${name} is lost: waypost promote.`,
  );
}

function pairingOf(address: string, code: string, own: string | undefined): object {
  return { address, code, ...(own !== undefined && { ownAddress: own === 'none' ? null : own }) };
}

async function findLink(ask: Ask, word: string): Promise<LinkAnswer> {
  const links = await ask<LinkAnswer[]>('GET', '/links');
  const found = links.filter(({ id, station }) => String(id) === word || station.name === word);
  if (found.length > 1) throw new Refusal('commands.severalLinks', { word });
  if (!found[0]) throw new Refusal('commands.noLink', { word });
  return found[0];
}

/** Leadership of a link, in words. */
const LEADERSHIP: Partial<Record<LinkAnswer['leadership'], (name: string) => string>> = {
  follows: (name) => `This station is a standby of ${name}.`,
  followed: (name) => `${name} is a standby of this station.`,
  promoted: (name) =>
    `This station was promoted in place of ${name}. Both lead: at ${name}, run waypost link follow or waypost link settle.`,
  replaced: (name) =>
    `${name} was promoted in place of this station. Both lead: run waypost link follow ${name}, or waypost link settle ${name}.`,
};

const tracksIn = (tracks: LinkAnswer['tracks']): string =>
  typeof tracks === 'object' ? `tracks of ${tracks.days} days` : `tracks: ${tracks}`;

function printLinks(links: readonly LinkAnswer[]): void {
  if (links.length === 0) return void console.log('There is no link.');
  for (const link of links) {
    const waits = link.waitingIn + link.waitingOut > 0 ? `, waiting: ${link.waitingIn} in, ${link.waitingOut} out` : '';
    const limits = [
      link.readOnly && 'read-only',
      link.organizations && `organizations ${link.organizations.join(', ')}`,
      tracksIn(link.tracks),
    ];
    const contact = link.lastContact === null ? 'never' : clockText(link.lastContact);
    console.log(`${link.id}  ${link.station.name} (station ${link.station.number}): ${link.state}${waits}`);
    const facts = [link.address ?? 'connects to this station', `last contact ${contact}`, ...limits].filter(Boolean);
    console.log(`   ${facts.join('; ')}`);
    const leadership = LEADERSHIP[link.leadership];
    if (leadership !== undefined) console.log(`   ${leadership(link.station.name)}`);
    if (link.lastError !== null) console.log(`   ${link.lastError}`);
  }
}

function printNearby(
  found: readonly { station: { name: string; number: number }; address: string; fingerprint: string }[],
): void {
  if (found.length === 0) return void console.log('No other station was found on this network.');
  for (const { station, address, fingerprint } of found)
    console.log(`${station.name} (station ${station.number})  ${address}\n   certificate ${fingerprint}`);
}

function idsOf(text: string): number[] | null {
  if (text === 'all') return null;
  const ids = text.split(',').map((part) => part.trim());
  if (!ids.every((id) => /^\d{1,10}$/.test(id)))
    throw new InvalidSetting('--organizations takes ids of organizations, such as 1,2, or all.');
  return ids.map(Number);
}

function tracksOf(text: string): 'none' | 'last' | 'all' | { days: number } {
  if (text === 'none' || text === 'last' || text === 'all') return text;
  if (/^[1-9]\d{0,3}$/.test(text)) return { days: Number(text) };
  throw new InvalidSetting('--tracks takes none, last, all, or a number of days.');
}

export function clockText(ms: number): string {
  return new Date(ms).toLocaleString('sv');
}

/** Asks the station that runs on the data directory. */
export function controlClient(data: string): Ask {
  const control = findControl(data);
  if (!control) throw new Refusal('commands.notRunning', { data });
  const { address, token } = control;
  return async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(address + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && !(body instanceof FormData) ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: body instanceof FormData ? body : JSON.stringify(body) } : {}),
    }).catch(() => {
      throw new Refusal('commands.noAnswer', { data, address });
    });
    const text = await response.text();
    if (!response.ok) throw new Refusal('commands.refused', { fault: text });
    return JSON.parse(text) as T;
  };
}
