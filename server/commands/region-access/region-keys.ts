import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAccount, createOperator, createUser, encodeAccount, encodeOperator, encodeUser } from '@nats-io/jwt';
import { fmtCreds, fromSeed, type KeyPair, type User } from '@nats-io/jwt';
import { z } from 'zod';
import { InvalidSetting } from '../../config/index.ts';
import { parsedJson } from '../../platform/parsing/parsed-json.ts';
import { syncDirectory } from '../../platform/disk/sync-directory.ts';
import { permissionsOf, ROLES, type RegionRole } from '../../replication/nats/access/roles.ts';

/** A program that may connect to the servers of the region. */
const RegionUser = z.object({
  name: z.string(),
  role: z.enum(ROLES),
  depot: z.string().optional(),
  seed: z.string(),
  /** Epoch s; undefined: without an end. */
  expires: z.int().optional(),
});
export type RegionUser = z.infer<typeof RegionUser>;

const KeysFile = z.object({
  region: z.string(),
  domain: z.string().optional(),
  /** Seeds. */
  operator: z.string(),
  account: z.string(),
  /** The claims of the operator and of its system account: servers refuse to reload when these differ. */
  operatorJwt: z.string(),
  system: z.object({ key: z.string(), jwt: z.string() }),
  users: z.array(RegionUser),
  /** Epoch s up to which credentials of a public key are refused. */
  revoked: z.record(z.string(), z.int()),
});
type KeysFile = z.infer<typeof KeysFile>;

/** Secret: its reader can admit any program. */
export const KEYS_FILE = 'region-keys.json';
/** For the servers; it holds no secret. */
export const ACCOUNTS_FILE = 'accounts.conf';
const DAY = 86_400;

/** JetStream and everything else without a limit: the servers have limits of their own. */
const UNLIMITED = {
  conn: -1,
  leaf: -1,
  subs: -1,
  data: -1,
  payload: -1,
  imports: -1,
  exports: -1,
  wildcards: true,
  mem_storage: -1,
  disk_storage: -1,
  streams: -1,
  consumer: -1,
};

/**
 * The keys of a region in a folder of its administrator: an operator that signs one account, whose users are the
 * programs of the region (NATS: decentralized JWT authentication). Servers know the account by `accounts.conf`.
 */
export class RegionKeys {
  readonly #folder: string;
  #keys: KeysFile;

  private constructor(folder: string, keys: KeysFile) {
    this.#folder = folder;
    this.#keys = keys;
  }

  /** Makes new keys. @throws {InvalidSetting} when the folder has keys */
  static async make(folder: string, region: string, domain?: string): Promise<RegionKeys> {
    if (existsSync(join(folder, KEYS_FILE)))
      throw new InvalidSetting(`${folder} has keys of a region. Name another folder.`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const operator = createOperator();
    const system = createAccount();
    const key = system.getPublicKey();
    const made = new RegionKeys(folder, {
      region,
      ...(domain !== undefined && { domain }),
      operator: seedOf(operator),
      account: seedOf(createAccount()),
      operatorJwt: await encodeOperator(region, operator, { system_account: key }),
      system: { key, jwt: await encodeAccount('SYS', system, {}, { signer: operator }) },
      users: [],
      revoked: {},
    });
    await made.#save();
    return made;
  }

  /** @throws {InvalidSetting} when the folder has no keys, or none that can be read */
  static open(folder: string): RegionKeys {
    const path = join(folder, KEYS_FILE);
    if (!existsSync(path))
      throw new InvalidSetting(`${folder} has no keys of a region. Make them first: waypost region keys ${folder}`);
    const { data } = KeysFile.safeParse(parsedJson(readFileSync(path, 'utf8')));
    if (!data) throw new InvalidSetting(`${path} cannot be read as keys of a region. Take it from a copy.`);
    return new RegionKeys(folder, data);
  }

  get users(): readonly RegionUser[] {
    return this.#keys.users;
  }

  /**
   * Writes the credentials of a program, and returns their path. A known name gets new ones for the same key: those
   * before hold until their own end.
   * @param days until they end; undefined: they do not
   */
  async credentials(name: string, role: RegionRole, options: { depot?: string; days?: number } = {}): Promise<string> {
    const before = this.#keys.users.find((user) => user.name === name);
    if (before && before.role !== role)
      throw new InvalidSetting(`${name} is a ${before.role}. Revoke its credentials, or take another name.`);
    const { depot, days } = options;
    const user: RegionUser = {
      name,
      role,
      seed: before?.seed ?? seedOf(createUser()),
      ...(depot !== undefined && { depot }),
      ...(days !== undefined && { expires: Math.floor(Date.now() / 1000 + days * DAY) }),
    };
    this.#keys = { ...this.#keys, users: [...this.#keys.users.filter((other) => other !== before), user] };
    await this.#save();
    const path = this.#credentialsOf(name);
    replaceFile(path, fmtCreds(await this.#signed(user), pairOf(user.seed)));
    return path;
  }

  /** Refuses the credentials of a program that were made until now, once the servers have read `accounts.conf`. */
  async revoke(name: string): Promise<void> {
    const user = this.#keys.users.find((one) => one.name === name);
    if (!user) throw new InvalidSetting(`The region has no credentials for ${name}.`);
    const revoked = { ...this.#keys.revoked, [pairOf(user.seed).getPublicKey()]: Math.ceil(Date.now() / 1000) };
    this.#keys = { ...this.#keys, users: this.#keys.users.filter((one) => one !== user), revoked };
    await this.#save();
    rmSync(this.#credentialsOf(name), { force: true });
  }

  #credentialsOf(name: string): string {
    return join(this.#folder, `${name}.creds`);
  }

  #signed(user: RegionUser): Promise<string> {
    const pair = pairOf(user.seed);
    const { region, domain } = this.#keys;
    const permissions = permissionsOf(user.role, pair.getPublicKey(), { region, domain, depot: user.depot });
    const ends = user.expires === undefined ? {} : { exp: user.expires };
    return encodeUser(user.name, pair, pairOf(this.#keys.account), permissions as Partial<User>, ends);
  }

  async #save(): Promise<void> {
    replaceFile(join(this.#folder, KEYS_FILE), `${JSON.stringify(this.#keys, null, 2)}\n`);
    replaceFile(join(this.#folder, ACCOUNTS_FILE), await this.#accounts());
    await syncDirectory(this.#folder);
  }

  async #accounts(): Promise<string> {
    const { region, revoked, operatorJwt, system } = this.#keys;
    const account = pairOf(this.#keys.account);
    const signer = { signer: pairOf(this.#keys.operator) };
    const claims = { limits: UNLIMITED, revocations: revoked };
    return [
      `# The account of the region ${region}, made by "waypost region". In nats.conf: include ${ACCOUNTS_FILE}`,
      `operator: ${operatorJwt}`,
      `system_account: ${system.key}`,
      'resolver: MEMORY',
      'resolver_preload: {',
      `  ${system.key}: ${system.jwt}`,
      `  ${account.getPublicKey()}: ${await encodeAccount(region, account, claims, signer)}`,
      '}',
      '',
    ].join('\n');
  }
}

function seedOf(pair: KeyPair): string {
  return new TextDecoder().decode(pair.getSeed());
}

function pairOf(seed: string): KeyPair {
  return fromSeed(new TextEncoder().encode(seed));
}

/** Replaces the file atomically: a reader sees the old or the new text. */
function replaceFile(path: string, content: string | Uint8Array): void {
  writeFileSync(`${path}.part`, content, { mode: 0o600, flush: true });
  renameSync(`${path}.part`, path);
}
