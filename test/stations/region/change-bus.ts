import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTask, createTaskWithFile, fileOfTask } from '../harness/files-of-tasks.ts';
import { TestStation } from '../harness/test-station.ts';

/** A way in which stations replicate, as a test sets it up and breaks it. */
export interface ChangeBus {
  /** Nothing goes from one station to another until `join`. */
  cut(): Promise<void>;
  join(): Promise<void>;
  /** Like `cut`, but what carries the changes has forgotten them all. */
  lose(): Promise<void>;
  /** Waits until both have the same records, and say so. */
  areEqual(): Promise<void>;
}

interface SeenTask {
  readonly id: number;
  readonly title: string;
  readonly text: string;
}

async function task(station: TestStation, id: number): Promise<SeenTask | undefined> {
  return station.ask<{ news_data: SeenTask }>('GET', `/news/${id}`).then(
    ({ news_data: data }) => data,
    () => undefined,
  );
}

/**
 * What replication promises, whatever carries it: links between stations, or the stream of a region.
 * @param open joins the two stations, which run
 */
export function carriesChanges(
  name: string,
  environment: () => NodeJS.ProcessEnv,
  open: (a: TestStation, b: TestStation) => Promise<ChangeBus>,
): void {
  describe(name, () => {
    let a: TestStation;
    let b: TestStation;
    let bus: ChangeBus;
    let before: number;

    beforeAll(async () => {
      [a, b] = [new TestStation(1, environment()), new TestStation(2, environment())];
      await Promise.all([a.start(), b.start()]);
      before = await createTask(a, 'Before they met');
      bus = await open(a, b);
    });
    afterAll(async () => {
      for (const station of [a, b]) {
        await station.end('SIGKILL');
        rmSync(station.directory, { recursive: true, force: true });
      }
    });

    test('what one station had before they met is at the other one', async () => {
      await expect.poll(() => task(b, before)).toMatchObject({ title: 'Before they met' });
      await bus.areEqual();
    });

    test('what is written at one station is at the other one, and both say that they are equal', async () => {
      const id = await createTask(b, 'Tree on road');
      await expect.poll(() => task(a, id)).toMatchObject({ title: 'Tree on road' });
      await a.ask('POST', `/news/${id}/comments`, { comment: 'On scene' });
      await a.ask('POST', `/news/${id}/update`, { text: 'Two lanes' });
      await a.ask('POST', '/category', { name: 'Storm' });
      await bus.areEqual();
      expect(await task(b, id)).toMatchObject({ text: 'Two lanes' });
      for (const path of [`/news/${id}/comments`, `/news/${id}/history`, '/category', '/users'])
        expect(await b.ask('GET', path), path).toEqual(await a.ask('GET', path));
    });

    test('edits on both sides of a break are on both sides after it, also after a kill', async () => {
      const id = await createTask(a, 'Tree on road');
      await bus.areEqual();
      await bus.cut();
      await a.ask('POST', `/news/${id}/update`, { text: 'Two lanes' });
      await b.ask('POST', `/news/${id}/update`, { title: 'Tree on Harbour Road' });
      const made = await createTask(b, 'Made apart');
      await b.end('SIGKILL');
      await b.start();
      await bus.join();
      await expect.poll(() => task(a, made)).toMatchObject({ title: 'Made apart' });
      await bus.areEqual();
      for (const station of [a, b])
        expect(await task(station, id)).toMatchObject({ title: 'Tree on Harbour Road', text: 'Two lanes' });
    });

    test('of two edits of one field the later one holds, and the other one stands in the merges of both', async () => {
      const id = await createTask(a, 'Tree on road');
      await bus.areEqual();
      await bus.cut();
      await a.ask('POST', `/news/${id}/update`, { text: 'One lane' });
      await b.ask('POST', `/news/${id}/update`, { text: 'Two lanes' });
      await bus.join();
      await bus.areEqual();
      expect(await task(a, id)).toMatchObject({ text: 'Two lanes' });
      expect(await task(b, id)).toEqual(await task(a, id));
      const merges = await a.ask<{ merges: unknown[] }>('GET', '/merges');
      expect(merges).toEqual(await b.ask('GET', '/merges'));
      expect(JSON.stringify(merges)).toContain('One lane');
    });

    test('many records written at both stations at once are all at both', async () => {
      const ids = await Promise.all(
        Array.from({ length: 60 }, (_, at) => createTask(at % 2 === 0 ? a : b, `Task ${at}`)),
      );
      const shared = ids[0]!;
      await expect.poll(() => task(b, shared)).toBeDefined();
      await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          (at % 2 === 0 ? a : b).ask('POST', `/news/${shared}/comments`, { comment: `Comment ${at}` }),
        ),
      );
      await bus.areEqual();
      for (const [at, id] of ids.entries()) expect(await task(a, id)).toMatchObject({ title: `Task ${at}` });
      const comments = await b.ask<{ comments: unknown[] }>('GET', `/news/${shared}/comments`);
      expect(comments).toEqual(await a.ask('GET', `/news/${shared}/comments`));
    });

    test('the bytes of a file follow the record that names it', async () => {
      const bytes = randomBytes(900_000);
      const id = await createTaskWithFile(a, 'With a plan', bytes);
      await expect.poll(async () => (await fileOfTask(b, id).catch(() => undefined))?.equals(bytes)).toBe(true);
      await bus.areEqual();
    });

    test('what carries the changes may lose them all: the stations have them', async () => {
      await bus.areEqual();
      await bus.lose();
      const made = await createTask(a, 'Made meanwhile');
      await bus.join();
      await expect.poll(() => task(b, made)).toMatchObject({ title: 'Made meanwhile' });
      await bus.areEqual();
    });
  });
}
