import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../../store/index.ts';
import { NO_LEADERSHIP, type LinkLeadership } from '../standby/link-leadership.ts';
import type { LinkSettings } from '../types.ts';
import { makeKeys, type StationKeys } from './connection/handshake.ts';

/** A link as it is stored. */
export interface LinkRow {
  readonly id: number;
  readonly station: { readonly id: string; readonly number: number; readonly name: string };
  readonly publicKey: string;
  readonly fingerprint: string;
  /** Where this station dials the other one; null: it cannot. */
  readonly address: string | null;
  /** An operator gave the address; otherwise the other station did. */
  readonly isAddressGiven: boolean;
  /** The address of this station that we announce to the other one: detected, none, or a given one. */
  readonly ownAddress: 'auto' | 'none' | (string & {});
  readonly settings: LinkSettings;
  readonly theirSettings: LinkSettings;
  readonly dialledBy: 'us' | 'them';
  /** epoch ms; 0: never */
  readonly lastContact: number;
  /** The side that cut it. A link that was cut here is kept only to say so to the other station. */
  readonly cut: 'no' | 'here' | 'there';
  readonly leadership: LinkLeadership;
}

export const DEFAULT_SETTINGS: LinkSettings = {
  paused: false,
  readOnly: false,
  organizations: null,
  tracks: 'last',
  standby: false,
};

/** Plain tables of links and of the station's own keys. They are part of a backup. */
export class LinkTable {
  readonly #store: Store;
  readonly keys: StationKeys;
  readonly #rows: Map<number, LinkRow>;

  private constructor(store: Store, keys: StationKeys) {
    this.#store = store;
    this.keys = keys;
    this.#rows = new Map(readRows(store.sql).map((row) => [row.id, row]));
  }

  static async open(store: Store): Promise<LinkTable> {
    const found = store.sql.prepare('SELECT private_key, public_key FROM link_keys').get();
    if (found)
      return new LinkTable(store, {
        privateKey: String(found['private_key']),
        publicKey: String(found['public_key']),
      });
    const keys = makeKeys();
    await store.writePlain((sql) =>
      sql.prepare('INSERT INTO link_keys (private_key, public_key) VALUES (?, ?)').run(keys.privateKey, keys.publicKey),
    );
    return new LinkTable(store, keys);
  }

  all(): readonly LinkRow[] {
    return [...this.#rows.values()];
  }

  get(id: number): LinkRow | undefined {
    return this.#rows.get(id);
  }

  withStation(stationId: string): LinkRow | undefined {
    return this.all().find(({ station }) => station.id === stationId);
  }

  /** Adds a link. One with the same station is replaced, and keeps its id. */
  async put(link: Omit<LinkRow, 'id'>): Promise<LinkRow> {
    const existing = this.withStation(link.station.id);
    if (existing) {
      await this.change(existing.id, link);
      return { ...link, id: existing.id };
    }
    const id = await this.#store.writePlain((sql) => {
      const columns = columnsOf(link);
      const names = Object.keys(columns);
      return Number(
        sql
          .prepare(`INSERT INTO links (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
          .run(...Object.values(columns)).lastInsertRowid,
      );
    });
    const row = { ...link, id };
    this.#rows.set(id, row);
    return row;
  }

  /** Readers see the change at once; it resolves when it is on disk. A link that was removed stays so. */
  async change(id: number, fields: Partial<Omit<LinkRow, 'id'>>): Promise<void> {
    const found = this.#rows.get(id);
    if (!found) return;
    const row = { ...found, ...fields };
    this.#rows.set(id, row);
    await this.#store.writePlain((sql) => {
      const columns = columnsOf(row);
      sql
        .prepare(
          `UPDATE links SET ${Object.keys(columns)
            .map((name) => `${name} = ?`)
            .join(', ')} WHERE id = ?`,
        )
        .run(...Object.values(columns), id);
    });
  }

  async remove(id: number): Promise<void> {
    this.#rows.delete(id);
    await this.#store.writePlain((sql) => void sql.prepare('DELETE FROM links WHERE id = ?').run(id));
  }
}

function columnsOf(row: Omit<LinkRow, 'id'>): Record<string, string | number | null> {
  return {
    station_id: row.station.id,
    station_number: row.station.number,
    station_name: row.station.name,
    public_key: row.publicKey,
    fingerprint: row.fingerprint,
    address: row.address,
    settings: JSON.stringify(row.settings),
    their_settings: JSON.stringify(row.theirSettings),
    dialled_by: row.dialledBy,
    last_contact: row.lastContact,
    cut: row.cut,
    is_address_given: row.isAddressGiven ? 1 : 0,
    own_address: row.ownAddress,
    leadership: JSON.stringify(row.leadership),
  };
}

function readRows(sql: DatabaseSync): LinkRow[] {
  return sql
    .prepare('SELECT * FROM links ORDER BY id')
    .all()
    .map((row) => ({
      id: Number(row['id']),
      station: {
        id: String(row['station_id']),
        number: Number(row['station_number']),
        name: String(row['station_name']),
      },
      publicKey: String(row['public_key']),
      fingerprint: String(row['fingerprint']),
      address: row['address'] === null ? null : String(row['address']),
      settings: settingsFrom(row['settings']),
      theirSettings: settingsFrom(row['their_settings']),
      dialledBy: row['dialled_by'] as LinkRow['dialledBy'],
      lastContact: Number(row['last_contact']),
      cut: row['cut'] as LinkRow['cut'],
      isAddressGiven: row['is_address_given'] === 1,
      ownAddress: String(row['own_address']),
      leadership: { ...NO_LEADERSHIP, ...(JSON.parse(String(row['leadership'])) as Partial<LinkLeadership>) },
    }));
}

/** Older programs stored fewer settings. */
function settingsFrom(stored: unknown): LinkSettings {
  return { ...DEFAULT_SETTINGS, ...(JSON.parse(String(stored)) as Partial<LinkSettings>) };
}
