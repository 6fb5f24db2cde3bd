import type { Kept, QueueStorage } from './action-queue.ts';

const DATABASE = 'waypost-crew';
const QUEUE = 'queue';
const VALUES = 'values';

/** Content of the telephone's storage: the queue, and values such as the last state. */
export interface PhoneStorage {
  readonly queue: QueueStorage;
  get<T>(name: string): Promise<T | undefined>;
  set(name: string, value: unknown): Promise<void>;
  /** Forgets everything but what waits. */
  forget(): Promise<void>;
}

export async function openPhoneStorage(): Promise<PhoneStorage> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore(QUEUE, { keyPath: 'no' });
      opening.result.createObjectStore(VALUES);
    };
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error!);
  });
  const read = <T>(store: string, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const asked = ask(database.transaction(store).objectStore(store));
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error!);
    });
  const write = (store: string, change: (store: IDBObjectStore) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction(store, 'readwrite', { durability: 'strict' });
      change(transaction.objectStore(store));
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error!);
    });
  return {
    queue: {
      all: () => read(QUEUE, (store) => store.getAll() as IDBRequest<Kept[]>),
      put: (kept) => write(QUEUE, (store) => void store.put(kept)),
      delete: (no) => write(QUEUE, (store) => void store.delete(no)),
    },
    get: <T>(name: string) => read(VALUES, (store) => store.get(name) as IDBRequest<T | undefined>),
    set: (name, value) => write(VALUES, (store) => void store.put(value, name)),
    forget: () => write(VALUES, (store) => void store.clear()),
  };
}
