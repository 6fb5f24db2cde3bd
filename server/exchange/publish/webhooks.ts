import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Actor } from '../../../shared/access.ts';
import { CHANGE_TYPES, type ChangeType } from '../../../shared/change-types.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { VERSION } from '../../platform/program.ts';
import type { Store } from '../../store/types.ts';
import { Deliveries, type Delivery, type DeliveryDraft, type DeliveryState } from './deliveries.ts';
import { Endpoint } from './endpoint.ts';
import type { ChangeOutbox, ChangeEntry } from './change-outbox.ts';
import type { PresentChange, Presented } from './types.ts';
import { newSecret, type Webhook, type WebhookFields } from './webhook.ts';

export interface WebhooksOptions {
  readonly store: Store;
  readonly outbox: ChangeOutbox;
  readonly now: () => number;
  /** The user with this id, while enabled. */
  readonly actorOf: (userId: number) => Actor | undefined;
  readonly report: (message: string, error: unknown) => void;
  /** ms that a receiver has for its answer. For tests. */
  readonly timeout?: number | undefined;
}

/** Webhooks of a station. */
const MOST = 100;
/** Entries of the outbox that one write turns into deliveries. */
const STEP = 200;
const SWEEP = 3_600_000;
const TEST = 'webhook.test';

/**
 * Posts changes to addresses (README). The position in the outbox up to which deliveries are written is stored with
 * them, so that a crash loses none and repeats none.
 */
export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #deliveries: Deliveries;
  readonly #webhooks = new Map<number, Webhook>();
  readonly #endpoints = new Map<number, Endpoint>();
  readonly #stops: (() => void)[] = [];
  #release = (): void => {};
  #position: number;
  #present: PresentChange | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #closed = false;

  private constructor(options: WebhooksOptions, deliveries: Deliveries) {
    this.#options = options;
    this.#deliveries = deliveries;
    const { sql } = options.store;
    for (const row of sql.prepare('SELECT * FROM webhooks ORDER BY id').all()) {
      const webhook = webhookOf(row);
      this.#webhooks.set(webhook.id, webhook);
    }
    this.#position = Number(sql.prepare('SELECT position FROM webhook_position').get()!['position']);
    this.#want();
  }

  static async open(options: WebhooksOptions): Promise<Webhooks> {
    await options.store.writePlain((sql) => openTables(sql, options.outbox.head));
    return new Webhooks(options, await Deliveries.open(options.store));
  }

  /** Starts to send. `present` makes what a receiver gets of a change. */
  start(present: PresentChange): void {
    const { outbox, store, report, now } = this.#options;
    this.#present = present;
    const sweep = () =>
      void this.#deliveries
        .sweep(now())
        .catch((error: unknown) => report('Old deliveries could not be removed.', error));
    const timer = setInterval(sweep, SWEEP).unref();
    this.#stops.push(
      outbox.onAdded(() => this.#wake()),
      outbox.keepFor(() => this.#position),
      store.onReadOnly(() => this.#leadershipChanged()),
      () => clearInterval(timer),
    );
    for (const webhook of this.#webhooks.values()) this.#connect(webhook);
    this.#wake();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#stops.splice(0)) stop();
    await Promise.all([...this.#endpoints.values()].map((endpoint) => endpoint.close()));
    await this.#running;
  }

  /** Those of the people of the caller's organization; a superuser sees all. */
  list(by: Actor): Webhook[] {
    return [...this.#webhooks.values()].filter((webhook) => this.#maySee(by, webhook));
  }

  get(by: Actor, id: number): Webhook {
    const webhook = this.#webhooks.get(id);
    if (!webhook || !this.#maySee(by, webhook)) throw new Refusal('publish.noWebhook', { id });
    return webhook;
  }

  /** The caller becomes the owner: the webhook sends what they may see. */
  async create(by: Actor, fields: WebhookFields): Promise<Webhook> {
    if (this.#webhooks.size >= MOST) throw new Refusal('publish.tooManyWebhooks', { most: MOST });
    const draft = {
      ...fields,
      secret: newSecret(),
      ownerId: by.user.id,
      isGone: false,
      createdAt: this.#options.now(),
    };
    const id = await this.#options.store.writePlain((sql) => insert(sql, draft));
    return this.#put({ ...draft, id });
  }

  async change(by: Actor, id: number, fields: WebhookFields): Promise<Webhook> {
    const changed = { ...this.get(by, id), ...fields, isGone: false };
    await this.#options.store.writePlain((sql) => update(sql, changed));
    return this.#put(changed);
  }

  /** Creates a new secret; the old one becomes invalid. */
  async renewSecret(by: Actor, id: number): Promise<Webhook> {
    const changed = { ...this.get(by, id), secret: newSecret() };
    await this.#options.store.writePlain((sql) => update(sql, changed));
    return this.#put(changed);
  }

  /** Removes the webhook and its pending deliveries. */
  async remove(by: Actor, id: number): Promise<Webhook> {
    const webhook = this.get(by, id);
    await this.#options.store.writePlain((sql) => {
      sql.prepare('DELETE FROM webhooks WHERE id = ?').run(id);
      sql.prepare('DELETE FROM webhook_deliveries WHERE webhook_id = ?').run(id);
    });
    this.#webhooks.delete(id);
    this.#want();
    void this.#endpoints.get(id)?.close();
    this.#endpoints.delete(id);
    return webhook;
  }

  deliveries(
    by: Actor,
    id: number,
    filter: { state?: DeliveryState | undefined; before?: number | undefined; limit: number },
  ): Delivery[] {
    return this.#deliveries.list(this.get(by, id).id, filter);
  }

  counts(webhook: Webhook): Record<DeliveryState, number> {
    return this.#deliveries.counts(webhook.id);
  }

  /** Sends a delivery again, or one that waits at once. */
  async sendAgain(by: Actor, id: number, deliveryId: number): Promise<Delivery> {
    const webhook = this.get(by, id);
    const delivery = this.#deliveries.get(webhook.id, deliveryId);
    if (!delivery) throw new Refusal('publish.noDelivery', { id: deliveryId });
    if (!webhook.isEnabled) throw new Refusal('publish.webhookOff', { name: webhook.name });
    if (delivery.state !== 'blocked') await this.#deliveries.sendAgain(delivery, this.#options.now());
    this.#endpoints.get(id)?.wake();
    return this.#deliveries.get(webhook.id, deliveryId)!;
  }

  /** Sends a message of the type `webhook.test`. */
  async test(by: Actor, id: number): Promise<Delivery> {
    const webhook = this.get(by, id);
    if (!webhook.isEnabled) throw new Refusal('publish.webhookOff', { name: webhook.name });
    const at = this.#options.now();
    const presented = { data: { webhookId: id, name: webhook.name }, organizationIds: [], taskTypeId: undefined };
    const draft = this.#draftOf(webhook, TEST, `test/${randomUUID()}`, at, presented);
    const [deliveryId] = await this.#options.store.writePlain((sql) => this.#deliveries.add(sql, [draft]));
    this.#endpoints.get(id)?.wake();
    return this.#deliveries.get(id, deliveryId!)!;
  }

  #maySee(by: Actor, { ownerId }: Webhook): boolean {
    const owner = this.#options.actorOf(ownerId);
    return by.role.superuser || ownerId === by.user.id || owner?.user.organizationId === by.user.organizationId;
  }

  #put(webhook: Webhook): Webhook {
    this.#webhooks.set(webhook.id, webhook);
    this.#want();
    this.#connect(webhook);
    return webhook;
  }

  #want(): void {
    const enabled = [...this.#webhooks.values()].filter(({ isEnabled }) => isEnabled);
    const release = this.#options.outbox.want(enabled.flatMap(({ types }) => types));
    this.#release();
    this.#release = release;
  }

  /** Gives the webhook an endpoint with its present settings. */
  #connect(webhook: Webhook): void {
    const { now, timeout, report, store } = this.#options;
    void this.#endpoints.get(webhook.id)?.close();
    const endpoint = new Endpoint({
      webhook,
      deliveries: this.#deliveries,
      now,
      timeout,
      userAgent: `Waypost/${VERSION}`,
      isPaused: () => this.#closed || !webhook.isEnabled || store.readOnly !== undefined,
      gone: () => void this.#switchOff(webhook).catch((error: unknown) => report('A webhook stays on.', error)),
      report: (error) => report(`The webhook ${webhook.name} could not be served.`, error),
    });
    this.#endpoints.set(webhook.id, endpoint);
    if (this.#present) endpoint.wake();
  }

  /** The receiver answered 410: it wants nothing any more. */
  async #switchOff(webhook: Webhook): Promise<void> {
    const changed = { ...webhook, isEnabled: false, isGone: true };
    await this.#options.store.writePlain((sql) => update(sql, changed));
    if (this.#webhooks.get(webhook.id) === webhook) this.#put(changed);
  }

  #leadershipChanged(): void {
    this.#wake();
    for (const endpoint of this.#endpoints.values()) endpoint.wake();
  }

  #wake(): void {
    this.#again = true;
    this.#running ??= this.#work()
      .catch((error: unknown) => this.#options.report('Changes could not be handed to webhooks.', error))
      .finally(() => (this.#running = undefined));
  }

  async #work(): Promise<void> {
    while (this.#again && !this.#closed && this.#options.store.readOnly === undefined) {
      this.#again = false;
      if (await this.#step()) this.#again = true;
    }
  }

  /** Turns some entries of the outbox into deliveries; false when there were none. */
  async #step(): Promise<boolean> {
    const { outbox, store } = this.#options;
    const entries = outbox.since(this.#position, STEP);
    if (entries.length === 0) return false;
    const enabled = [...this.#webhooks.values()].filter(({ isEnabled }) => isEnabled);
    const drafts = enabled.flatMap((webhook) => this.#draftsOf(webhook, entries));
    const position = entries.at(-1)!.id;
    await store.writePlain((sql) => {
      this.#deliveries.add(sql, drafts);
      sql.prepare('UPDATE webhook_position SET position = ?').run(position);
    });
    this.#position = position;
    for (const id of new Set(drafts.map(({ webhookId }) => webhookId))) this.#endpoints.get(id)?.wake();
    return true;
  }

  #draftsOf(webhook: Webhook, entries: readonly ChangeEntry[]): DeliveryDraft[] {
    const owner = this.#options.actorOf(webhook.ownerId);
    if (!owner) return [];
    return entries.flatMap(({ change, record, at }) => {
      if (!webhook.types.includes(change.type)) return [];
      const presented = this.#present!(owner, change);
      return presented && isWanted(webhook, presented)
        ? [this.#draftOf(webhook, change.type, record, at, presented)]
        : [];
    });
  }

  #draftOf(webhook: Webhook, type: string, record: string, at: number, { data }: Presented): DeliveryDraft {
    const body = JSON.stringify({
      type,
      timestamp: new Date(at).toISOString(),
      stationId: this.#options.store.stationId,
      data,
    });
    return { webhookId: webhook.id, publicId: `msg_${randomUUID().replaceAll('-', '')}`, type, record, body, at };
  }
}

function isWanted(
  { organizationIds, taskTypeIds }: Webhook,
  presented: Pick<Presented, 'organizationIds' | 'taskTypeId'>,
): boolean {
  const { taskTypeId } = presented;
  return (
    (organizationIds.length === 0 || presented.organizationIds.some((id) => organizationIds.includes(id))) &&
    (taskTypeIds.length === 0 || taskTypeId === undefined || taskTypeIds.includes(taskTypeId))
  );
}

function openTables(sql: DatabaseSync, head: number): void {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS webhooks (
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, url TEXT NOT NULL, secret TEXT NOT NULL,
      types TEXT NOT NULL, organization_ids TEXT NOT NULL, task_type_ids TEXT NOT NULL, owner_id INTEGER NOT NULL,
      is_enabled INTEGER NOT NULL, is_gone INTEGER NOT NULL, created_at INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS webhook_position (id INTEGER PRIMARY KEY CHECK (id = 1), position INTEGER NOT NULL);`);
  sql.prepare('INSERT OR IGNORE INTO webhook_position (id, position) VALUES (1, ?)').run(head);
}

type Row = Record<string, unknown>;

function webhookOf(row: Row): Webhook {
  const known = new Set<string>(CHANGE_TYPES);
  return {
    id: Number(row['id']),
    name: String(row['name']),
    url: String(row['url']),
    secret: String(row['secret']),
    types: (JSON.parse(String(row['types'])) as string[]).filter((type): type is ChangeType => known.has(type)),
    organizationIds: JSON.parse(String(row['organization_ids'])) as number[],
    taskTypeIds: JSON.parse(String(row['task_type_ids'])) as number[],
    ownerId: Number(row['owner_id']),
    isEnabled: row['is_enabled'] === 1,
    isGone: row['is_gone'] === 1,
    createdAt: Number(row['created_at']),
  };
}

/** In the order of the columns. */
function valuesOf(webhook: Omit<Webhook, 'id'>): (string | number)[] {
  const { name, url, secret, types, organizationIds, taskTypeIds, ownerId, isEnabled, isGone, createdAt } = webhook;
  return [
    ...[name, url, secret, JSON.stringify(types), JSON.stringify(organizationIds), JSON.stringify(taskTypeIds)],
    ...[ownerId, Number(isEnabled), Number(isGone), createdAt],
  ];
}

const COLUMNS = 'name, url, secret, types, organization_ids, task_type_ids, owner_id, is_enabled, is_gone, created_at';

function insert(sql: DatabaseSync, webhook: Omit<Webhook, 'id'>): number {
  const { lastInsertRowid } = sql
    .prepare(`INSERT INTO webhooks (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    .run(...valuesOf(webhook));
  return Number(lastInsertRowid);
}

function update(sql: DatabaseSync, webhook: Webhook): void {
  sql
    .prepare(`UPDATE webhooks SET (${COLUMNS}) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?`)
    .run(...valuesOf(webhook), webhook.id);
}
