import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hasAuditTable, verifyTable } from '../access/audit/index.ts';
import { InvalidSetting } from '../config/index.ts';
import { Refusal } from '../../shared/refusal.ts';
import { dataDirectoryOf, commandWords } from './words.ts';

const USAGE = 'Usage: waypost audit verify [--noted ID:HASH] [--data DIR].';
const FAULTS = {
  'missing': 'is missing',
  'changed': 'was changed',
  'end-missing': 'and what came after it are missing',
  'anchor': 'is the first one here, and no entry says that those before it were removed',
};

/** `waypost audit verify`: checks the chain of the audit trail, also while the station runs. */
export async function run(words: string[]): Promise<void> {
  const { values, positionals } = commandWords(words, USAGE, { noted: { type: 'string' } });
  const noted = values.noted === undefined ? undefined : /^(\d{1,15}):([0-9a-f]{64})$/.exec(values.noted);
  if (positionals.join(' ') !== 'verify' || noted === null) throw new InvalidSetting(USAGE);
  const path = join(dataDirectoryOf(values.data), 'station.db');
  if (!existsSync(path)) throw new InvalidSetting(`There is no station in ${dataDirectoryOf(values.data)}.`);
  const sql = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    if (!hasAuditTable(sql)) throw new Refusal('commands.noAudit');
    const { entries, head, broken } = await verifyTable(sql, async () => undefined);
    if (broken) throw new Refusal('commands.auditBroken', { id: broken.id, fault: FAULTS[broken.fault], entries });
    if (noted) {
      const found = sql.prepare('SELECT hash FROM audit WHERE id = ?').get(Number(noted[1]))?.['hash'];
      if (found !== noted[2]) throw new Refusal('commands.auditOther', { id: Number(noted[1]) });
    }
    console.log(`${entries} entries are sound. The last one is ${head.id}:${head.hash}`);
  } finally {
    sql.close();
  }
}
