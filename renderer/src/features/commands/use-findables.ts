import { computed, onScopeDispose, watch, type ComputedRef } from 'vue';
import { useRouter } from 'vue-router';
import type { Task } from '../../../../shared/records/index.ts';
import { useFleetRecords } from '../../lib/replica/use-records.ts';
import { useBoard } from '../../lib/stores/board.ts';
import { useTasks } from '../../lib/stores/tasks.ts';
import { useVehicles } from '../../lib/stores/vehicles.ts';
import { useQueue } from '../queue/queue-store.ts';
import { useLocale } from '../../lib/i18n/index.ts';
import { VERBS, type Verb } from './commands.ts';
import { findable, type Findable } from './ranking.ts';

/** A page of the console that this person may open. */
export interface NamedPage {
  readonly path: string;
  readonly title: string;
}

/** Everything in the replica that can be found, and the action that opens it. Words of a record are folded once. */
export function useFindables(pages: () => readonly NamedPage[]): {
  readonly entries: ComputedRef<readonly Findable[]>;
  readonly act: (entry: Findable) => void;
} {
  const tasks = useTasks();
  const vehicles = useVehicles();
  const board = useBoard();
  const queue = useQueue();
  const router = useRouter();
  const drivers = useFleetRecords('driver');
  const { t } = useLocale();

  const ofTask = new WeakMap<Task, Findable>();
  function taskEntry(task: Task): Findable {
    let entry = ofTask.get(task);
    if (!entry) {
      const { id, title, address, text } = task;
      entry = findable({ kind: 'task', id, title, detail: address, number: id, weight: 0.5 }, text);
      ofTask.set(task, entry);
    }
    return entry;
  }
  const ofTasks = computed(() => tasks.ordered.map(({ task }) => taskEntry(task)));
  // The first letter of a search must not wait until thousands of texts are folded: that is done in idle time.
  let [folded, idle] = [0, 0];
  watch(() => tasks.ordered, foldInIdleTime, { immediate: true });
  onScopeDispose(() => cancelIdleCallback(idle));
  function foldInIdleTime() {
    folded = 0;
    if (idle === 0) idle = requestIdleCallback(foldNext);
  }
  function foldNext(deadline: IdleDeadline) {
    const rows = tasks.ordered;
    while (folded < rows.length && deadline.timeRemaining() > 2)
      for (const end = Math.min(rows.length, folded + 20); folded < end; folded++) taskEntry(rows[folded]!.task);
    idle = folded < rows.length ? requestIdleCallback(foldNext) : 0;
  }
  const ofUnits = computed(() =>
    vehicles.all.map((vehicle) =>
      findable(
        { kind: 'unit', id: vehicle.id, title: vehicle.name, detail: vehicles.groupName(vehicle) ?? '', weight: 0.4 },
        [vehicle.plate, ...vehicles.driverNames(vehicle)].join(' '),
      ),
    ),
  );
  const ofPeople = computed(() => {
    const unitOf = new Map(vehicles.all.flatMap(({ name, driverIds }) => driverIds.map((id) => [id, name] as const)));
    return [
      ...drivers.current.value.map(({ id, name, phone }) =>
        findable({ kind: 'person', id: `driver ${id}`, title: name, detail: unitOf.get(id) ?? '' }, phone),
      ),
      ...tasks.people.map(({ id, name }) => findable({ kind: 'person', id: `user ${id}`, title: name })),
    ];
  });
  const ofPages = computed(() => pages().map(({ path, title }) => findable({ kind: 'page', id: path, title })));
  const ofCommands = computed(() =>
    (Object.keys(VERBS) as Verb[]).map((verb) =>
      findable({ kind: 'command', id: verb, title: t(`command.verbs.${verb}`), detail: VERBS[verb] }),
    ),
  );
  const entries = computed(() => [
    ...ofTasks.value,
    ...ofUnits.value,
    ...ofPeople.value,
    ...ofPages.value,
    ...ofCommands.value,
  ]);

  function act(entry: Findable): void {
    if (entry.kind === 'task') {
      board.openTask(Number(entry.id), tasks.byId(Number(entry.id))?.point ?? undefined);
      if (router.currentRoute.value.path !== '/') void router.push('/');
    } else if (entry.kind === 'page') void router.push(String(entry.id));
    else if (entry.kind === 'person') openPerson(entry);
  }

  /** A driver is shown with a vehicle; for a user, the tasks that mention them are shown. */
  function openPerson({ id, title }: Findable): void {
    const [kind, number] = String(id).split(' ');
    const vehicle = kind === 'driver' && vehicles.all.find(({ driverIds }) => driverIds.includes(Number(number)));
    if (vehicle) return void router.push(`/vehicles/${vehicle.id}`);
    queue.narrow({ words: title });
    if (router.currentRoute.value.path !== '/') void router.push('/');
  }

  return { entries, act };
}
