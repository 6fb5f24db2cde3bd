import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { openStore } from '../../../server/store/index.ts';
import type { Draft, Records, Store, StoreOptions } from '../../../server/store/index.ts';
import type { Category, Comment, Task } from '../../../shared/records/index.ts';

/** A directory that goes away with the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-store-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A real store on disk, closed with the test. */
export async function temporaryStore(options: Partial<StoreOptions> = {}): Promise<Store> {
  const store = await openStore({ directory: options.directory ?? temporaryDirectory(), ...options });
  onTestFinished(() => store.close());
  return store;
}

export function categories(store: Store): Records<Category> {
  return store.kind<Category>('directories', 'category');
}

export function category(store: Store, over: Partial<Category> = {}): Draft<Category> {
  return {
    id: categories(store).nextId(),
    kind: 'category',
    name: 'Fire',
    isDeleted: false,
    icon: '',
    importance: 1,
    ...over,
  };
}

export function comment(store: Store, over: Partial<Comment> = {}): Draft<Comment> {
  const visibleTo = { all: true, author: false, assignedOrganization: false, assignedUser: false };
  return {
    id: store.records('comments').nextId(),
    taskId: 1,
    parentId: 0,
    level: 0,
    authorId: 1,
    at: 1_700_000_000_000,
    text: 'On scene',
    updateText: '',
    visibleTo,
    ...over,
  };
}

export function draftTask(store: Store, over: Partial<Task> = {}): Draft<Task> {
  return {
    id: store.records('tasks').nextId(),
    title: 'Tree on road',
    text: 'A tree lies across both lanes.',
    organizationId: 1,
    authorId: 1,
    typeId: 1,
    categoryId: 0,
    status: 1,
    statusSince: 1_700_000_000_000,
    confirmed: 0,
    confirmedComment: '',
    assignedOrganizationId: 0,
    assignedUserId: 0,
    assignedVehicleId: 0,
    restricted: false,
    archived: false,
    isDeleted: false,
    notice: 0,
    date: 1_700_000_000_000,
    updatedAt: 1_700_000_000_000,
    systemData: '',
    address: 'Harbour Road 4',
    point: { lon: 14.5, lat: 35.9, zoom: 16 },
    mainPhoto: null,
    customValues: {},
    photos: 0,
    videos: 0,
    files: 0,
    sounds: 0,
    ...over,
  };
}

/** The plain tables that steps 1 to 8 of the database made. */
const OLDER = new Set([
  'station',
  'heads',
  'counters',
  'uploads',
  'event_checkpoints',
  'mail',
  'post',
  'notice_checkpoints',
  'task_lives',
  'task_turns',
  'event_checkpoints_of_feeds',
  'notice_heads',
  'event_needs',
  'attachment_forms',
  'purges',
]);

/** Makes the tables of a closed store as they were before step 9 of the database. */
export function asBeforeStep9(sql: DatabaseSync): void {
  const tables = sql
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name));
  for (const table of tables)
    if (!OLDER.has(table) && !/^(station\.|sqlite_)/.test(table)) sql.exec(`DROP TABLE "${table}"`);
  for (const table of ['mail', 'post'])
    sql.exec(`
      DROP INDEX ${table}_of_organizations;
      ALTER TABLE ${table} DROP COLUMN organization_id;
      ALTER TABLE ${table} RENAME COLUMN task_id TO message_id;
    `);
  sql.exec(`
    ALTER TABLE station DROP COLUMN first_number;
    ALTER TABLE task_lives RENAME COLUMN task TO message;
    DROP INDEX task_turns_task;
    DROP INDEX task_turns_until;
    ALTER TABLE task_turns RENAME COLUMN task TO message;
    ALTER TABLE task_turns RENAME COLUMN until TO till;
    CREATE INDEX task_turns_message ON task_turns (message);
    CREATE INDEX task_turns_till ON task_turns (vehicle, till);
    ALTER TABLE "station.tasks.4" RENAME TO "station.messages.0";
    ALTER TABLE "station.vehicles.1" RENAME TO "station.vehicles.0";
    UPDATE "station.messages.0" SET data = replace(
      replace(data, '"organizationId"', '"departmentId"'), '"assignedOrganizationId"', '"assignedDepartmentId"'
    );
    PRAGMA user_version = 8;
  `);
}
