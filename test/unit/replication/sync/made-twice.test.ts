import { expect, test } from 'vitest';
import { FIRST_RENUMBERED, type Store } from '../../../../server/store/index.ts';
import type { MergeRecord, Task } from '../../../../shared/records/index.ts';
import { comment, draftTask } from '../../store/open-store.ts';
import { MeetingStations } from './two-stations.ts';

const commentsOf = (store: Store, task: number) =>
  store
    .records('comments')
    .all()
    .filter(({ taskId }) => taskId === task)
    .map(({ text }) => text);

test('[sync 102] of two tasks that a station made with one id the later one is renumbered, with what follows it', async () => {
  const stations = new MeetingStations(3);
  const putBack = stations.save(1);
  const first = await stations.at(1, async (store) => {
    const task = await store.records('tasks').insert(draftTask(store, { title: 'First' }));
    await store.records('comments').insert(comment(store, { taskId: task.id, text: 'Of the first' }));
    return task;
  });
  await stations.meet();
  putBack();
  const second = await stations.at(1, async (store) => {
    const task = await store.records('tasks').insert(draftTask(store, { title: 'Second' }));
    await store.records('tasks').change(task.id, (now) => ({ ...(now as Task), address: 'Quay 2' }));
    const draft = comment(store, { taskId: task.id, text: 'Of the second' });
    await store.records('comments').insert(draft);
    const answer = comment(store, { taskId: task.id, parentId: draft.id, text: 'An answer to it' });
    await store.records('comments').insert(answer);
    return task;
  });
  expect(second.id).toBe(first.id);
  await stations.at(2, (store) =>
    store.records('tasks').change(first.id, (now) => ({ ...now, title: 'First, later' })),
  );
  await stations.meet();
  for (const station of [1, 2, 3])
    await stations.at(station, async (store) => {
      const tasks = store.records('tasks').all() as Task[];
      expect(tasks.map(({ title, address }) => [title, address])).toEqual([
        ['First, later', first.address],
        ['Second', 'Quay 2'],
      ]);
      const renumbered = tasks[1]!;
      expect(renumbered.id).toBeGreaterThanOrEqual(FIRST_RENUMBERED);
      expect(commentsOf(store, first.id)).toEqual(['Of the first']);
      expect(commentsOf(store, renumbered.id).sort()).toEqual(['An answer to it', 'Of the second']);
      const comments = store.records('comments').all();
      const [answer, answered] = ['An answer to it', 'Of the second'].map((text) =>
        comments.find((one) => one.text === text),
      );
      expect(answer!.parentId).toBe(answered!.id);
      const said = (store.records('merges').all() as MergeRecord[]).filter(
        ({ recordCollection }) => recordCollection === 'tasks',
      );
      expect(said.map(({ field, kept, lost }) => [field, kept.value, lost.value])).toEqual([
        ['id', renumbered.id, first.id],
      ]);
    });
  // What is written about it later finds it; nothing is made again.
  await stations.at(2, async (store) => {
    const id = (store.records('tasks').all() as Task[])[1]!.id;
    await store.records('tasks').change(id, (now) => ({ ...now, title: 'Second, later' }));
  });
  await stations.meet();
  await stations.at(1, async (store) => {
    expect((store.records('tasks').all() as Task[]).map(({ title }) => title)).toEqual([
      'First, later',
      'Second, later',
    ]);
    const next = await store.records('tasks').insert(draftTask(store));
    expect(next.id).toBe(first.id + 1);
  });
});

test('[sync 105] a station that was set back while its clock was behind gives no stamp twice', async () => {
  const stations = new MeetingStations();
  const task = await stations.at(1, (store) => store.records('tasks').insert(draftTask(store, { title: 'First' })));
  await stations.meet();
  stations.setClockBack(60_000);
  const putBack = stations.save(1);
  const rename = (title: string) =>
    stations.at(1, (store) => store.records('tasks').change(task.id, (now) => ({ ...now, title })));
  const before = await rename('Before');
  await stations.meet();
  putBack();
  const after = await rename('After');
  expect(after.hlc.fields['title']).not.toBe(before.hlc.fields['title']);
  await stations.meet();
});
