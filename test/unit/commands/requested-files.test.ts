import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requireReadable } from '../../../server/commands/requested-files.ts';

test('a file that is missing, or may not be read, is named before a command begins', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-requested-'));
  try {
    const file = join(folder, 'town.osm.pbf');
    writeFileSync(file, '');
    await requireReadable([file]);
    await expect(requireReadable([file, `${file}x`])).rejects.toThrow(`There is no file ${file}x.`);
    await expect(requireReadable([join(file, 'inside')])).rejects.toThrow('There is no file');
    chmodSync(file, 0);
    // Root reads everything.
    if (process.getuid?.() !== 0) await expect(requireReadable([file])).rejects.toThrow(`may not read ${file}.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
