import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Client, EqualityFilter, InvalidCredentialsError, type Entry } from 'ldapts';
import { DirectoryDown } from '../accounts/index.ts';
import type { Identity, PasswordDirectory } from '../accounts/index.ts';

export interface LdapSettings {
  /** ldaps://HOST or ldap://HOST. */
  readonly address: string;
  /** Encrypts ldap:// before anything is sent. */
  readonly startTls: boolean;
  /** PEM file of the authority that signed its certificate, or that certificate; null: the well-known ones. */
  readonly authority: string | null;
  readonly bindName: string;
  readonly bindPassword: string;
  readonly base: string;
  readonly loginAttribute: string;
  readonly idAttribute: string;
  /** How groups are found: named by the person, by groups that list members, or by groups in such groups. */
  readonly groups: 'memberOf' | 'member' | 'nested';
  readonly groupBase: string;
}

/** ms for the connection, and for each answer. */
const TIMEOUT = 5_000;
/** Groups in groups are followed so far: each level is one question. */
const DEEPEST = 10;
const MOST_GROUPS = 1000;

/** LDAP or Active Directory: finds the person as a service account, then proves the password as the person. */
export class LdapDirectory implements PasswordDirectory {
  readonly #settings: LdapSettings;
  readonly #tls: ConnectionOptions;
  readonly #report: (message: string, error: unknown) => void;

  constructor(settings: LdapSettings, report: (message: string, error: unknown) => void) {
    this.#settings = settings;
    this.#report = report;
    const { authority } = settings;
    const host = new URL(settings.address).hostname.replace(/^\[|\]$/g, '');
    this.#tls = {
      // An IP address is not a server name (RFC 6066).
      ...(isIP(host) === 0 && { servername: host }),
      ...(authority !== null && { ca: readFileSync(authority, 'utf8') }),
    };
  }

  async identify(login: string, password: string): Promise<Identity | undefined> {
    // A bind with an empty password is anonymous, and would succeed for everybody.
    if (password === '' || login.trim() === '') return undefined;
    try {
      return await this.#withClient((service) => this.#identify(service, login.trim(), password));
    } catch (error) {
      this.#report('The directory did not answer a sign-in.', error);
      throw new DirectoryDown('The directory did not answer.', { cause: error });
    }
  }

  async #identify(service: Client, login: string, password: string): Promise<Identity | undefined> {
    const { bindName, bindPassword, base, loginAttribute, idAttribute } = this.#settings;
    await service.bind(bindName, bindPassword);
    const { searchEntries } = await service.search(base, {
      scope: 'sub',
      filter: new EqualityFilter({ attribute: loginAttribute, value: login }),
      attributes: [loginAttribute, idAttribute, 'cn', 'displayName', 'mail', 'memberOf'],
      explicitBufferAttributes: idAttribute === 'objectGUID' ? [idAttribute] : [],
      sizeLimit: 2,
      timeLimit: TIMEOUT / 1000,
    });
    const [entry, other] = searchEntries;
    if (!entry || other) return undefined;
    if (!(await this.#opens(entry.dn, password))) return undefined;
    return {
      method: 'ldap',
      issuer: this.#settings.address,
      subject: textOf(entry, idAttribute) || entry.dn,
      login: textOf(entry, loginAttribute) || login,
      name: textOf(entry, 'displayName') || textOf(entry, 'cn'),
      email: textOf(entry, 'mail') || undefined,
      groups: await this.#groupsOf(service, entry),
    };
  }

  /** Whether this is the person's password, on a connection of its own: the service account's stays bound. */
  #opens(name: string, password: string): Promise<boolean> {
    return this.#withClient(async (person) => {
      try {
        await person.bind(name, password);
        return true;
      } catch (error) {
        if (error instanceof InvalidCredentialsError) return false;
        throw error;
      }
    });
  }

  /** The names of the groups: each in full (`cn=…,ou=…`) and its first part only. */
  async #groupsOf(service: Client, entry: Entry): Promise<string[]> {
    const { groups, groupBase, base } = this.#settings;
    if (groups === 'memberOf') return namesOf(textsOf(entry, 'memberOf'));
    const found = new Set<string>();
    let names = [entry.dn];
    for (let depth = 0; names.length > 0 && depth < (groups === 'nested' ? DEEPEST : 1); depth++) {
      const { searchEntries } = await service.search(groupBase || base, {
        scope: 'sub',
        filter: `(|${names.map((name) => `(member=${escapeValue(name)})`).join('')})`,
        attributes: ['cn'],
        sizeLimit: MOST_GROUPS,
        timeLimit: TIMEOUT / 1000,
      });
      // Groups may contain each other.
      names = searchEntries.map(({ dn }) => dn).filter((name) => !found.has(name));
      for (const name of names) found.add(name);
      if (found.size > MOST_GROUPS) break;
    }
    return namesOf([...found]);
  }

  async #withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const { address, startTls } = this.#settings;
    const isSecure = address.startsWith('ldaps:');
    const client = new Client({
      url: address,
      timeout: TIMEOUT,
      connectTimeout: TIMEOUT,
      ...(isSecure && { tlsOptions: this.#tls }),
    });
    try {
      if (!isSecure && startTls) await client.startTLS(this.#tls);
      return await work(client);
    } finally {
      await client.unbind().catch(() => undefined);
    }
  }
}

/** RFC 4515: characters that a value in a filter must escape. */
export function escapeValue(value: string): string {
  return value.replace(/[\\*()\u0000]/g, (sign) => `\\${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function namesOf(names: readonly string[]): string[] {
  return names.flatMap((name) => [name, /^[^=]+=((?:\\.|[^,\\])*)/.exec(name)?.[1]?.replace(/\\(.)/g, '$1') ?? name]);
}

function textsOf(entry: Entry, attribute: string): string[] {
  const value = entry[attribute];
  const all = value === undefined ? [] : Array.isArray(value) ? value : [value];
  return all.map((one) => (typeof one === 'string' ? one : one.toString('hex')));
}

function textOf(entry: Entry, attribute: string): string {
  return textsOf(entry, attribute)[0] ?? '';
}
