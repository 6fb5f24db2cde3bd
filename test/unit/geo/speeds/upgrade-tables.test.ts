import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { upgradeTables } from '../../../../server/geo/speeds/upgrade-tables.ts';

const FIRST = 'CREATE TABLE IF NOT EXISTS roads (id INTEGER PRIMARY KEY);';
const WIDER = 'CREATE TABLE IF NOT EXISTS roads (id INTEGER PRIMARY KEY, name TEXT);';
const UPGRADE = "ALTER TABLE roads ADD COLUMN name TEXT; UPDATE roads SET name = 'unnamed';";

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), 'waypost-upgrade-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Opens, upgrades, and returns the rows. */
function rowsAfter(file: string, schema: string, upgrades: readonly string[], insert?: string): unknown[] {
  const db = new DatabaseSync(file);
  try {
    upgradeTables(db, file, schema, upgrades);
    if (insert !== undefined) db.exec(insert);
    return db.prepare('SELECT * FROM roads').all();
  } finally {
    db.close();
  }
}

test('learned speeds of an older program are copied before they are converted; a newer file is refused', () => {
  const home = directory();
  const file = join(home, 'speeds.db');
  rowsAfter(file, FIRST, [], 'INSERT INTO roads VALUES (7)');
  rowsAfter(file, FIRST, []);
  expect(readdirSync(home)).toEqual(['speeds.db']);
  expect(rowsAfter(file, WIDER, [UPGRADE])).toEqual([{ id: 7, name: 'unnamed' }]);
  expect(readdirSync(home).sort()).toEqual(['speeds.before-step-2.db', 'speeds.db']);
  // With the copy in its place the older program starts again.
  expect(rowsAfter(join(home, 'speeds.before-step-2.db'), FIRST, [])).toEqual([{ id: 7 }]);
  expect(() => rowsAfter(file, FIRST, [])).toThrow(expect.objectContaining({ code: 'store.newer' }) as Error);
});

test('an upgrade that fails leaves the file as it was', () => {
  const file = join(directory(), 'speeds.db');
  rowsAfter(file, FIRST, [], 'INSERT INTO roads VALUES (7)');
  expect(() => rowsAfter(file, WIDER, [`${UPGRADE} INSERT INTO nowhere VALUES (1);`])).toThrow('nowhere');
  expect(rowsAfter(file, FIRST, [])).toEqual([{ id: 7 }]);
});
