import { createHash, randomBytes } from 'node:crypto';
import { Emitter } from '../../platform/emitter.ts';
import type { Store } from '../../store/types.ts';

const HOUR = 3_600_000;
/** A session ends this long after its last use … */
export const IDLE = 24 * HOUR;
/** … and this long after its start: no telephone stays signed in that nobody hands over. */
export const LONGEST = 7 * 24 * HOUR;
/** The last use is written at most this often. */
const TOUCH = 60_000;
const LONGEST_TOKEN = 200;
const LONGEST_DEVICE = 200;

export interface CrewSession {
  readonly id: number;
  readonly vehicleId: number;
  /** The user who made its code. */
  readonly userId: number;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly usedAt: number;
  readonly address: string;
  /** The browser, by its own words. */
  readonly device: string;
}

/** When the session ends if it is not used again. */
export function sessionEnd({ usedAt, createdAt }: Pick<CrewSession, 'usedAt' | 'createdAt'>): number {
  return Math.min(usedAt + IDLE, createdAt + LONGEST);
}

/**
 * The sessions of crews at this station, README rules 2 and 3. Only the SHA-256 of their tokens is stored. All are in
 * memory, because every request looks one up.
 */
export class CrewSessions {
  readonly #store: Store;
  readonly #byHash = new Map<string, CrewSession>();
  readonly #written = new Map<number, number>();
  readonly #ended = new Emitter<[session: CrewSession]>();

  private constructor(store: Store) {
    this.#store = store;
  }

  static async open(store: Store, now: number): Promise<CrewSessions> {
    const { epoch } = store.feed;
    await store.writePlain((sql) => {
      sql.exec(`CREATE TABLE IF NOT EXISTS crew_sessions (
        id INTEGER PRIMARY KEY AUTOINCREMENT, hash TEXT NOT NULL UNIQUE, vehicle_id INTEGER NOT NULL, user_id INTEGER NOT NULL,
        created_at INTEGER NOT NULL, used_at INTEGER NOT NULL, address TEXT NOT NULL, device TEXT NOT NULL, epoch TEXT NOT NULL)`);
      // A restored backup may hold sessions that have ended since.
      sql
        .prepare('DELETE FROM crew_sessions WHERE epoch <> ? OR used_at <= ? OR created_at <= ?')
        .run(epoch, now - IDLE, now - LONGEST);
    });
    const sessions = new CrewSessions(store);
    for (const row of store.sql.prepare('SELECT * FROM crew_sessions').all()) {
      const session = fromRow(row);
      sessions.#byHash.set(String(row['hash']), session);
      sessions.#written.set(session.id, session.usedAt);
    }
    return sessions;
  }

  /** Begins a session. The text of its token is returned only here. */
  async begin(
    draft: Pick<CrewSession, 'vehicleId' | 'userId' | 'address' | 'device'>,
    now: number,
  ): Promise<{ token: string; session: CrewSession }> {
    const token = randomBytes(32).toString('base64url');
    const hash = hashOf(token);
    const device = draft.device.slice(0, LONGEST_DEVICE);
    const { vehicleId, userId, address } = draft;
    const id = await this.#store.writePlain((sql) =>
      Number(
        sql
          .prepare(
            'INSERT INTO crew_sessions (hash, vehicle_id, user_id, created_at, used_at, address, device, epoch) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
          )
          .run(hash, vehicleId, userId, now, now, address, device, this.#store.feed.epoch).lastInsertRowid,
      ),
    );
    const session = { id, vehicleId, userId, address, device, createdAt: now, usedAt: now };
    this.#byHash.set(hash, session);
    this.#written.set(id, now);
    return { token, session };
  }

  /** The valid session of a token. Counts as a use. */
  use(token: string, now: number): CrewSession | undefined {
    if (token === '' || token.length > LONGEST_TOKEN) return undefined;
    const hash = hashOf(token);
    const session = this.#byHash.get(hash);
    if (!session || now >= sessionEnd(session)) return undefined;
    const used = { ...session, usedAt: Math.max(now, session.usedAt) };
    this.#byHash.set(hash, used);
    if (now - (this.#written.get(used.id) ?? 0) >= TOUCH) this.#touch(used);
    return used;
  }

  /** Whether it has not ended. */
  has(id: number): boolean {
    return this.#written.has(id);
  }

  /** The valid ones, the latest used first. */
  all(now: number): CrewSession[] {
    return [...this.#byHash.values()]
      .filter((session) => now < sessionEnd(session))
      .sort((a, b) => b.usedAt - a.usedAt);
  }

  /** Ends every session for which `which` is true, at once; resolves with them when this is on disk. */
  async end(which: (session: CrewSession) => boolean): Promise<CrewSession[]> {
    const ended = [...this.#byHash].filter(([, session]) => which(session));
    if (ended.length === 0) return [];
    for (const [hash, session] of ended) {
      this.#byHash.delete(hash);
      this.#written.delete(session.id);
      this.#ended.emit(session);
    }
    await this.#store.writePlain((sql) => {
      const remove = sql.prepare('DELETE FROM crew_sessions WHERE hash = ?');
      for (const [hash] of ended) remove.run(hash);
    });
    return ended.map(([, session]) => session);
  }

  /** Called with every session that is ended early. Returns the unsubscription. */
  onEnd(listener: (session: CrewSession) => void): () => void {
    return this.#ended.on(listener);
  }

  async sweep(now: number): Promise<void> {
    await this.end((session) => now >= sessionEnd(session));
  }

  #touch({ id, usedAt }: CrewSession): void {
    this.#written.set(id, usedAt);
    // Not awaited: a crash loses at most one minute of a session.
    this.#store
      .writePlain((sql) => sql.prepare('UPDATE crew_sessions SET used_at = ? WHERE id = ?').run(usedAt, id))
      .catch(() => undefined);
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function fromRow(row: Record<string, unknown>): CrewSession {
  return {
    id: Number(row['id']),
    vehicleId: Number(row['vehicle_id']),
    userId: Number(row['user_id']),
    createdAt: Number(row['created_at']),
    usedAt: Number(row['used_at']),
    address: String(row['address']),
    device: String(row['device']),
  };
}
