import { join } from 'node:path';
import { InvalidSetting } from '../../config/index.ts';
import { ACCOUNTS_FILE, KEYS_FILE, RegionKeys } from './region-keys.ts';
import { isRegionRole, ROLES } from '../../replication/nats/access/roles.ts';
import { commandWords } from '../words.ts';

export const KEYS_USAGE =
  'Keys: waypost region keys FOLDER [--region NAME] [--domain DOMAIN], ' +
  `waypost region credentials FOLDER NAME --role ${ROLES.join('|')} [--depot DOMAIN] [--days N], ` +
  'waypost region users FOLDER, waypost region revoke FOLDER NAME.';

const ACTIONS = ['keys', 'credentials', 'users', 'revoke'] as const;
type KeysAction = (typeof ACTIONS)[number];
/** Words that every action takes. */
const WORDS: Readonly<Record<KeysAction, number>> = { keys: 1, credentials: 2, users: 1, revoke: 2 };
/** Flags that only some actions take. */
const FLAGS: Readonly<Record<KeysAction, readonly string[]>> = {
  keys: ['region', 'domain'],
  credentials: ['role', 'depot', 'days'],
  users: [],
  revoke: [],
};
/** Names of users, regions and domains: they stand in file names and subjects. */
const NAME = /^[a-z0-9-]{1,40}$/;
const MOST_DAYS = 3_650;

export function isKeysAction(word: string | undefined): word is KeysAction {
  return ACTIONS.some((action) => action === word);
}

/** `waypost region keys`, `credentials`, `users` and `revoke`: who may connect to the servers of a region. */
export async function runKeys(action: KeysAction, words: string[]): Promise<void> {
  const option = { type: 'string' } as const;
  const { values, positionals } = commandWords(words, KEYS_USAGE, {
    region: option,
    domain: option,
    role: option,
    depot: option,
    days: option,
  });
  const foreign = Object.keys(values).find((flag) => flag !== 'data' && !FLAGS[action].includes(flag));
  const [folder, name = ''] = positionals;
  if (foreign !== undefined || folder === undefined || positionals.length !== WORDS[action])
    throw new InvalidSetting(KEYS_USAGE);
  const { region = 'main', domain, role, depot } = values;
  for (const [what, given] of Object.entries({ 'NAME': name || undefined, '--region': region, '--domain': domain }))
    if (given !== undefined) checkName(what, given);
  if (depot !== undefined) checkName('--depot', depot);
  if (action === 'keys') {
    await RegionKeys.make(folder, region, domain);
    return say(
      `${join(folder, KEYS_FILE)} is secret: keep a copy in a safe, and no other one.`,
      `Copy ${join(folder, ACCOUNTS_FILE)} beside the nats.conf of every server. Add the line`,
      `include ${ACCOUNTS_FILE}`,
      'there, and start the servers again.',
    );
  }
  const keys = RegionKeys.open(folder);
  if (action === 'credentials') {
    if (!isRegionRole(role)) throw new InvalidSetting(`--role must be one of ${ROLES.join(', ')}. ${KEYS_USAGE}`);
    if (depot !== undefined && role !== 'gateway') throw new InvalidSetting('--depot is for gateways only.');
    const days = values.days === undefined ? undefined : daysOf(values.days);
    const path = await keys.credentials(name, role, {
      ...(depot !== undefined && { depot }),
      ...(days !== undefined && { days }),
    });
    say(`${path} lets ${name} in. Give it to that program alone: WAYPOST_NATS_CREDENTIALS names it there.`);
  } else if (action === 'revoke') {
    await keys.revoke(name);
    say(
      `${name} is refused once the servers have the new ${join(folder, ACCOUNTS_FILE)}: copy it to each of them, and`,
      'tell each to read it: nats-server --signal reload.',
    );
  } else for (const user of keys.users) console.log([user.name, user.role, endOf(user.expires)].join('\t'));
}

function checkName(what: string, given: string): void {
  if (!NAME.test(given))
    throw new InvalidSetting(`${what} must have 1 to 40 small letters, digits and dashes: "${given}".`);
}

function daysOf(text: string): number {
  const days = Number(text);
  if (!/^\d+$/.test(text) || days < 1 || days > MOST_DAYS)
    throw new InvalidSetting(`--days must be a whole number from 1 to ${MOST_DAYS}.`);
  return days;
}

function endOf(expires: number | undefined): string {
  return expires === undefined ? 'without expiry' : `until ${new Date(expires * 1000).toISOString().slice(0, 10)}`;
}

function say(...lines: string[]): void {
  console.log(lines.join('\n'));
}
