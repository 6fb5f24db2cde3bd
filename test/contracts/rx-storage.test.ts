import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { openDatabase } from '../../server/store/database.ts';
import { sqliteStorage } from '../../server/store/storage/storage.ts';
import { keepsRxStorageContract } from './rx-storage.ts';

keepsRxStorageContract('our SQLite storage', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-contract-'));
  const database = await openDatabase(join(directory, 'station.db'));
  return {
    storage: sqliteStorage(database) as never,
    async close() {
      await database.close();
      rmSync(directory, { recursive: true });
    },
  };
});

keepsRxStorageContract(
  "RxDB's memory storage",
  async () => ({ storage: getRxStorageMemory() as never, close: async () => undefined }),
  [
    'queries sort, skip and limit; a limit of 0 finds nothing', // its count knows no limit
    'an attachment that comes without its data, and is not stored, is refused', // it throws
  ],
);
