import { createHash, randomBytes } from 'node:crypto';
import { Emitter } from '../../platform/emitter.ts';
import { isDiskFull } from '../../platform/disk/disk-full.ts';
import type { AuditDraft } from '../audit/index.ts';
import type { Store } from '../../store/types.ts';
import { NO_AUDIT, type AuditReport } from './report.ts';
import { SCOPES } from './caller.ts';
import type { TokenScope } from './caller.ts';
import { SIGN_IN_METHODS } from './identities.ts';
import type { SignInMethod } from './identities.ts';

const HOUR = 3_600_000;
/** A session ends this long after its last use … */
const IDLE = 12 * HOUR;
/** … and this long after its start, whether used or not. */
export const LONGEST_SESSION = 30 * 24 * HOUR;
/** Sessions per user; a script that signs in for every request ends its oldest ones. */
export const MAX_SESSIONS = 200;
const FIRST_ELSEWHERE = 1_000_000_000;
/** The last use is written at most this often. */
const TOUCH = 60_000;

export interface Token {
  readonly id: number;
  readonly userId: number;
  readonly kind: 'session' | 'key';
  /** The name of an access key. */
  readonly name: string;
  /** null: all that its owner may do */
  readonly scopes: readonly TokenScope[] | null;
  readonly createdAt: number;
  readonly usedAt: number;
  /** The end of an access key; null: never. */
  readonly expiresAt: number | null;
  /** Where the session began. */
  readonly address: string;
  /** The program that it began in, by its own words. */
  readonly device: string;
  /** How the session began; empty: before this was noted. */
  readonly method: SignInMethod | '';
}

/** A session as the programs of a region share it, beside the hash of its token. */
export type SharedSession = Pick<Token, 'userId' | 'createdAt' | 'usedAt' | 'address' | 'device' | 'method'>;

/** Reports sessions to the other programs of a region, and holds those that began there. None of it rejects. */
export interface SessionSharing {
  /** Resolves when the others can know the session, or cannot be reached. */
  issued(hash: string, session: SharedSession): Promise<void>;
  used(hash: string, session: SharedSession): void;
  /** Call it in the turn of the event loop that removes the sessions. */
  ended(hashes: readonly string[]): Promise<void>;
}

/** When the token expires if it is not used again; null: never. */
export function tokenEnd(token: Token): number | null {
  return token.kind === 'key' ? token.expiresAt : Math.min(token.usedAt + IDLE, token.createdAt + LONGEST_SESSION);
}

export function isValid(token: Token, now: number): boolean {
  const end = tokenEnd(token);
  return end === null || now < end;
}

/**
 * The tokens of this station. Only their SHA-256 is stored, so a copy of the database is useless; 256 random
 * bits need no slow hash. All tokens are in memory, because every request looks one up.
 */
export class Tokens {
  readonly #store: Store;
  readonly #audit: AuditReport;
  readonly #byHash = new Map<string, Token>();
  readonly #hashOf = new Map<number, string>();
  readonly #written = new Map<number, number>();
  /** Sessions that are not on disk have negative ids. */
  #idsInMemory = -1;
  /** Sessions that began at another program of the region; no id of the table is as high. */
  #idsElsewhere = FIRST_ELSEWHERE;
  #sharing: SessionSharing | undefined;
  readonly #ended = new Emitter<[tokenId: number]>();

  private constructor(store: Store, audit: AuditReport) {
    this.#store = store;
    this.#audit = audit;
  }

  static async open(store: Store, now: number, audit: AuditReport = NO_AUDIT): Promise<Tokens> {
    await store.writePlain((sql) =>
      sql.exec(`CREATE TABLE IF NOT EXISTS tokens (
        id INTEGER PRIMARY KEY AUTOINCREMENT, hash TEXT NOT NULL UNIQUE, user_id INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
        scopes TEXT, created_at INTEGER NOT NULL, used_at INTEGER NOT NULL, expires_at INTEGER)`),
    );
    if (!store.sql.prepare("SELECT 1 FROM pragma_table_info('tokens') WHERE name = 'device'").get())
      await store.writePlain((sql) =>
        sql.exec(`ALTER TABLE tokens ADD COLUMN address TEXT NOT NULL DEFAULT '';
          ALTER TABLE tokens ADD COLUMN device TEXT NOT NULL DEFAULT ''`),
      );
    if (!store.sql.prepare("SELECT 1 FROM pragma_table_info('tokens') WHERE name = 'method'").get())
      await store.writePlain((sql) => sql.exec("ALTER TABLE tokens ADD COLUMN method TEXT NOT NULL DEFAULT ''"));
    const tokens = new Tokens(store, audit);
    for (const row of store.sql.prepare('SELECT * FROM tokens').all())
      tokens.#remember(String(row['hash']), fromRow(row));
    await tokens.sweep(now);
    return tokens;
  }

  /** A new token, with the entry of the audit trail about it. Its text is returned only here and not stored. */
  async issue(
    draft: Pick<Token, 'userId' | 'kind' | 'name' | 'scopes' | 'expiresAt'> &
      Partial<Pick<Token, 'address' | 'device' | 'method'>>,
    now: number,
    entry?: AuditDraft,
  ): Promise<{ text: string; token: Token }> {
    const text = randomBytes(32).toString('base64url');
    const hash = hashOf(text);
    const insert =
      'INSERT INTO tokens (hash, user_id, kind, name, scopes, created_at, used_at, expires_at, address, device, method) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
    const { address = '', device = '', method = '' } = draft;
    const scopes = draft.scopes && JSON.stringify(draft.scopes);
    const id = await this.#store
      .writePlain((sql) => {
        const { userId, kind, name, expiresAt } = draft;
        const values = [hash, userId, kind, name, scopes, now, now, expiresAt, address, device, method];
        const { lastInsertRowid } = sql.prepare(insert).run(...values);
        if (entry) this.#audit.record(entry).catch(() => undefined); // It fails with the token.
        return Number(lastInsertRowid);
      })
      .catch(async (error: unknown) => {
        // On a full disk users must still sign in to read and to free space: their session lasts until the
        // restart.
        if (draft.kind !== 'session' || !isDiskFull(error)) throw error;
        if (entry) await this.#audit.recordOrMiss(entry);
        return this.#idsInMemory--;
      });
    const token: Token = { ...draft, address, device, method, id, createdAt: now, usedAt: now };
    this.#remember(hash, token);
    if (token.kind === 'session') await this.#sharing?.issued(hash, token);
    return { text, token };
  }

  /** Shares the sessions of this station from now on. */
  share(sharing: SessionSharing | undefined): void {
    this.#sharing = sharing;
  }

  /** The valid sessions of this station, by hash, without those that began elsewhere. */
  ownSessions(now: number): readonly (readonly [hash: string, session: SharedSession])[] {
    return [...this.#byHash].filter(
      ([, token]) => token.kind === 'session' && !this.isElsewhere(token) && isValid(token, now),
    );
  }

  /** Accepts a session that another program of the region reported. It is in memory only. */
  takeShared(hash: string, session: SharedSession): void {
    const known = this.#byHash.get(hash);
    if (known?.kind === 'key') return;
    if (known) this.#byHash.set(hash, { ...known, usedAt: Math.max(known.usedAt, session.usedAt) });
    else {
      const id = this.#idsElsewhere++;
      this.#remember(hash, { ...session, id, kind: 'session', name: '', scopes: null, expiresAt: null });
    }
  }

  /** Ends a session that another program of the region has ended. */
  async endShared(hash: string): Promise<void> {
    const id = this.#byHash.get(hash)?.id;
    if (id !== undefined) await this.#remove([[hash, id]]);
  }

  /** Whether the session began at another program of the region. */
  isElsewhere({ id }: Token): boolean {
    return id >= FIRST_ELSEWHERE;
  }

  knows(text: string): boolean {
    return this.#byHash.has(hashOf(text));
  }

  /** The valid token with this text. Counts as a use. */
  use(text: string, now: number): Token | undefined {
    const hash = hashOf(text);
    const token = this.#byHash.get(hash);
    if (!token || !isValid(token, now)) return undefined;
    if (now - token.usedAt < 1000) return token;
    const used = { ...token, usedAt: now };
    this.#byHash.set(hash, used);
    if (now - this.#written.get(token.id)! >= TOUCH) this.#touch(hash, used);
    return used;
  }

  /** The token by its id, while it is valid. */
  get(id: number, now: number): Token | undefined {
    const token = this.#byHash.get(this.#hashOf.get(id) ?? '');
    return token && isValid(token, now) ? token : undefined;
  }

  /** The sessions of a user, the latest used first. */
  sessions(userId: number, now: number): Token[] {
    return [...this.#byHash.values()]
      .filter((token) => token.kind === 'session' && token.userId === userId && isValid(token, now))
      .toSorted((a, b) => b.usedAt - a.usedAt);
  }

  keys(now: number): Token[] {
    return [...this.#byHash.values()].filter((token) => token.kind === 'key' && isValid(token, now));
  }

  /** Ends the least recently used sessions of the user to make room for one more. */
  async makeRoom(userId: number): Promise<void> {
    const sessions = [...this.#byHash.values()].filter((token) => token.userId === userId && token.kind === 'session');
    if (sessions.length < MAX_SESSIONS) return;
    const latest = new Set(
      sessions
        .toSorted((a, b) => b.usedAt - a.usedAt || b.id - a.id)
        .slice(0, MAX_SESSIONS - 1)
        .map((token) => token.id),
    );
    await this.end((token) => token.userId === userId && token.kind === 'session' && !latest.has(token.id)).catch(
      (error: unknown) => {
        // They have ended here. If the disk stays full, a restart brings them back until they expire.
        if (!isDiskFull(error)) throw error;
      },
    );
  }

  /** Ends the session whose token has this hash, if it is one. */
  async endSession(hash: string | undefined): Promise<void> {
    if (hash === undefined) return;
    const id = this.#byHash.get(hash)?.id;
    await this.end((token) => token.id === id && token.kind === 'session').catch((error: unknown) => {
      // It has ended here, and on a full disk people must still sign in.
      if (!isDiskFull(error)) throw error;
    });
  }

  /** Ends every token for which `which` is true, at once; resolves when this is on disk. */
  async end(which: (token: Token) => boolean): Promise<void> {
    const ended = [...this.#byHash].filter(([, token]) => which(token));
    await Promise.all([
      this.#remove(ended.map(([hash, { id }]) => [hash, id])),
      this.#sharing?.ended(ended.flatMap(([hash, { kind }]) => (kind === 'session' ? [hash] : []))),
    ]);
  }

  async #remove(ended: readonly (readonly [hash: string, id: number])[]): Promise<void> {
    for (const [hash, id] of ended) {
      this.#byHash.delete(hash);
      this.#hashOf.delete(id);
      this.#written.delete(id);
      this.#ended.emit(id);
    }
    const stored = ended.map(([, id]) => id).filter((id) => id >= 0 && id < FIRST_ELSEWHERE);
    if (stored.length === 0) return;
    await this.#store.writePlain((sql) => {
      const remove = sql.prepare('DELETE FROM tokens WHERE id = ?');
      for (const id of stored) remove.run(id);
    });
  }

  /** Called with the id of every token that is ended early. Returns the unsubscription. */
  onEnd(listener: (tokenId: number) => void): () => void {
    return this.#ended.on(listener);
  }

  sweep(now: number): Promise<void> {
    // Each program of a region sees by itself that a session expired.
    const expired = [...this.#byHash].filter(([, token]) => !isValid(token, now));
    return this.#remove(expired.map(([hash, { id }]) => [hash, id]));
  }

  #remember(hash: string, token: Token): void {
    this.#byHash.set(hash, token);
    this.#hashOf.set(token.id, hash);
    this.#written.set(token.id, token.usedAt);
  }

  #touch(hash: string, token: Token): void {
    this.#written.set(token.id, token.usedAt);
    if (token.kind === 'session') this.#sharing?.used(hash, token);
    if (this.isElsewhere(token)) return;
    // Not awaited: a crash loses at most one minute of a session.
    this.#store
      .writePlain((sql) => sql.prepare('UPDATE tokens SET used_at = ? WHERE id = ?').run(token.usedAt, token.id))
      .catch(() => undefined);
  }
}

/** By which a token is known: its SHA-256. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function fromRow(row: Record<string, unknown>): Token {
  return {
    id: Number(row['id']),
    userId: Number(row['user_id']),
    kind: row['kind'] === 'key' ? 'key' : 'session',
    name: String(row['name']),
    scopes:
      row['scopes'] === null
        ? null
        : (JSON.parse(String(row['scopes'])) as unknown[]).filter((scope): scope is TokenScope =>
            SCOPES.includes(scope as TokenScope),
          ),
    createdAt: Number(row['created_at']),
    usedAt: Number(row['used_at']),
    expiresAt: row['expires_at'] === null ? null : Number(row['expires_at']),
    address: String(row['address']),
    device: String(row['device']),
    method: SIGN_IN_METHODS.find((method) => method === row['method']) ?? '',
  };
}
