import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serve } from '../harness/served.ts';

/**
 * Looks on from within: which files the station's own thread loads, and how much memory the young generation
 * of each other thread takes.
 */
const LOOK_ON = (loaded: string, threads: string) => `
  const { appendFileSync } = require('node:fs');
  const { registerHooks } = require('node:module');
  const { isMainThread, threadId } = require('node:worker_threads');
  const { getHeapSpaceStatistics } = require('node:v8');
  const say = (file, line) => appendFileSync(file, line + '\\n');
  if (isMainThread) registerHooks({ load: (url, context, next) => (say(${JSON.stringify(loaded)}, url), next(url, context)) });
  else setInterval(() => {
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').physical_space_size;
    say(${JSON.stringify(threads)}, JSON.stringify({ id: threadId, script: String(process.argv[1]), at: Date.now(), young }));
  }, 500).unref();
`;

interface Look {
  readonly id: number;
  readonly script: string;
  readonly at: number;
  readonly young: number;
}

/** Where the built program lists the packages of each of its files; the sources have none. */
const DIST = join(import.meta.dirname, '../../../dist');
const OF_FILES = join(DIST, 'packages-of-files.json');

/** The packages of these files, with those that were bundled into them. */
function packagesIn(urls: readonly string[]): Set<string> {
  const bundled = existsSync(OF_FILES) ? (JSON.parse(readFileSync(OF_FILES, 'utf8')) as Record<string, string[]>) : {};
  return new Set(
    urls
      .filter((url) => url.startsWith('file:'))
      .map((url) => fileURLToPath(url))
      .flatMap((path) => [path, ...(bundled[relative(DIST, path)] ?? [])])
      .flatMap((path) => path.match(/(?<=node_modules\/)(?:@[^/]+\/)?[^/]+/g) ?? []),
  );
}

test('an idle station has not loaded what nobody needs yet, and its only thread gives back what it does not use', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-idle-'));
  const [loaded, threads, script] = ['loaded.txt', 'threads.txt', 'look-on.cjs'].map((name) =>
    join(directory, name),
  ) as [string, string, string];
  writeFileSync(script, LOOK_ON(loaded, threads));
  const station = await serve(join(directory, 'data'), {
    NODE_OPTIONS: `--require ${script}`,
    WAYPOST_SMTP_URL: undefined,
  });
  onTestFinished(async () => {
    await station.end('SIGTERM');
    rmSync(directory, { recursive: true });
  });

  const packages = packagesIn(readFileSync(loaded, 'utf8').trim().split('\n'));
  expect(packages).toContain('express');
  for (const later of [
    'nodemailer',
    'pdfkit',
    'fontkit',
    'sharp',
    '@nats-io/transport-node',
    '@nats-io/jetstream',
    'mqtt',
    'imapflow',
    'mailparser',
    'undici',
    'openid-client',
    'ldapts',
  ])
    expect(packages).not.toContain(later);

  await vi.waitFor(
    () => {
      const looks = existsSync(threads)
        ? readFileSync(threads, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as Look)
        : [];
      const last = [...new Map(looks.map((look) => [look.id, look])).values()].filter(
        ({ at }) => at > Date.now() - 2_000,
      );
      expect(last.map(({ script }) => basename(script).split('.')[0])).toEqual(['writer']);
      expect(last.filter(({ young }) => young > 1_000_000)).toEqual([]);
    },
    { timeout: 60_000, interval: 250 },
  );
}, 120_000);
