import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openStore } from '../../../server/store/index.ts';
import type { Draft, Records, Store, StoreOptions } from '../../../server/store/index.ts';
import type { Category, Comment, Message } from '../../../shared/records/index.ts';

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
  const visibleTo = { all: true, author: false, assignedDepartment: false, assignedUser: false };
  return {
    id: store.records('comments').nextId(),
    messageId: 1,
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

export function message(store: Store, over: Partial<Message> = {}): Draft<Message> {
  return {
    id: store.records('messages').nextId(),
    title: 'Tree on road',
    text: 'A tree lies across both lanes.',
    departmentId: 1,
    authorId: 1,
    typeId: 1,
    categoryId: 0,
    status: 1,
    statusSince: 1_700_000_000_000,
    confirmed: 0,
    confirmedComment: '',
    assignedDepartmentId: 0,
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
