import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { AuditEntry } from '../../../shared/audit.ts';
import { PROGRAM } from '../../support/program.ts';
import { serve } from '../harness/served.ts';

test('a backup by the command is in the audit trail, whether the station runs or not', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'waypost-recorded-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const data = join(parent, 'data');
  const waypost = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words, '--data', data], {
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    return stdout + stderr;
  };
  const station = await serve(data);
  const [running, stopped] = [join(parent, 'running.zip'), join(parent, 'stopped.zip')];
  waypost('backup', running);
  await station.end('SIGTERM');
  expect(waypost('backup', stopped, '--without-territory')).not.toContain('audit trail');
  expect(waypost('audit', 'verify')).toContain('entries are sound');

  const again = await serve(data);
  const entries = (await again.ask('GET', '/audit?kind=backup')) as unknown as AuditEntry[];
  expect(entries.map(({ action, way, details }) => ({ action, way, ...details }))).toEqual([
    { action: 'done', way: 'command', file: stopped, territory: false },
    { action: 'done', way: 'command', file: running, territory: true },
  ]);
  await again.end('SIGTERM');
});
