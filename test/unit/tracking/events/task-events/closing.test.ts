import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const SERVER = new URL('../../../../../server/', import.meta.url).href;

test('a station that stops while its thread works on tasks closes whole, though nothing else keeps its process', () => {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-closing-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const script = `
    const { openStore } = await import('${SERVER}store/index.ts');
    const { HistoryStore, TaskEvents } = await import('${SERVER}tracking/events/index.ts');
    const fail = (error) => { throw error; };
    const store = await openStore({ directory: ${JSON.stringify(directory)} });
    const history = new HistoryStore({ store, now: Date.now, report: fail });
    const nothing = () => undefined;
    const events = new TaskEvents({
      ...{ store, history, now: Date.now, placeAt: nothing, requestsChange: nothing, requestsChanged: nothing },
      ...{ revised: nothing, report: fail, warn: nothing },
    });
    events.start();
    const note = { id: 1, kind: 'posting', name: 'posting', isDeleted: false };
    await store.kind('fleet', 'posting').insert({ ...note, versions: [{ validFrom: 0, organizationId: 1, userIds: [] }] });
    await new Promise((turn) => setImmediate(turn));
    if (!events.working) throw new Error('nothing is worked on');
    await events.close();
    history.close();
    await store.close();
    console.log('closed');
  `;
  const words = ['--input-type=module', '-e', script];
  expect(execFileSync(process.execPath, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })).toBe(
    'closed\n',
  );
});
