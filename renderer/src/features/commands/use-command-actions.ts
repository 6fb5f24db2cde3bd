import { useRouter } from 'vue-router';
import { useLocale } from '../../lib/i18n/index.ts';
import { useBoard } from '../../lib/stores/board.ts';
import { useDispatch } from '../../lib/stores/dispatch.ts';
import { useLive } from '../../lib/stores/live.ts';
import { useNotices } from '../../lib/stores/notices.ts';
import { useSession } from '../../lib/stores/session.ts';
import { useTasks } from '../../lib/stores/tasks.ts';
import { useVehicles } from '../../lib/stores/vehicles.ts';
import { useCarry } from '../carry/carry-store.ts';
import { useQueue } from '../queue/queue-store.ts';
import { useClosures } from '../routes/closures/closures-store.ts';
import { freshDraft } from '../routes/closures/closures.ts';
import { useDraft } from '../task/editor/draft.ts';
import type { Command } from './commands.ts';

/** Carries out commands. */
export function useCommandActions() {
  const { client } = useSession();
  const board = useBoard();
  const carry = useCarry();
  const { positions } = useLive();
  const tasks = useTasks();
  const vehicles = useVehicles();
  const dispatch = useDispatch();
  const notices = useNotices();
  const closures = useClosures();
  const queue = useQueue();
  const router = useRouter();
  const { draft } = useDraft();
  const { t, locale } = useLocale();

  /** The map is on the board. */
  const onBoard = async () => {
    if (!['/', '/map'].includes(router.currentRoute.value.path)) await router.push('/');
  };

  /** False: it was refused. */
  async function execute(command: Command): Promise<unknown> {
    switch (command.kind) {
      case 'assign':
        return withTask(command.task.id, (task) =>
          carry.asks(task, command.vehicle.id) ? true : dispatch.assign(task, command.vehicle),
        );
      case 'done':
        return withTask(command.task.id, (task) => dispatch.setStatus(task, 4));
      case 'feedback':
        return withTask(command.task.id, (task) => dispatch.setStatus(task, 3));
      case 'reopen':
        return withTask(command.task.id, (task) => dispatch.setStatus(task, task.assignedVehicleId ? 2 : 1));
      case 'unitStatus':
        return dispatch.setUnitStatus(command.vehicle, command.status);
      case 'comment':
        return comment(command.task.id, command.text);
      case 'message':
        return dispatch.message(command.vehicle, command.text);
      case 'filter':
        await onBoard();
        return queue.narrow({ words: command.words });
      case 'closure':
        return beginClosure(command.name);
      case 'openTask':
        return withTask(command.task.id, (task) => board.openTask(task.id, task.point ?? undefined));
      case 'showVehicle':
        return showVehicle(command.vehicle.id);
      case 'new':
        draft.title ||= command.title;
        return board.startWriting();
      case 'go':
        return go(command.query);
    }
  }

  async function comment(id: number, text: string): Promise<boolean> {
    const audience = { all: true, author: false, assignedOrganization: false, assignedUser: false };
    if (!(await dispatch.comment(id, text, { audience }))) return false;
    notices.show('done', () => t('command.commented', { id }));
    return true;
  }

  async function beginClosure(name: string): Promise<void> {
    const fresh = freshDraft();
    const started = closures.drafts.get('new') ?? { base: fresh, draft: fresh };
    closures.drafts.set('new', { base: started.base, draft: { ...started.draft, name: name || started.draft.name } });
    closures.chosen = 'new';
    closures.sought = name;
    await router.push('/routes?view=closures');
  }

  function withTask<T>(id: number, then: (task: NonNullable<ReturnType<typeof tasks.byId>>) => T): T | undefined {
    const task = tasks.byId(id);
    return task && then(task);
  }

  function showVehicle(id: number): boolean {
    const vehicle = vehicles.byId(id);
    const fix = vehicle && positions.legs.get(vehicle.glonassId)?.fix;
    if (!vehicle) return false;
    board.chosenVehicle = vehicle.glonassId;
    if (fix) board.lookAt({ lat: fix.lat, lon: fix.lon, zoom: 16 });
    else notices.show('refused', () => t('vehicles.neverSeenNamed', { vehicle: vehicle.name }));
    return fix !== undefined;
  }

  async function go(query: string): Promise<boolean> {
    const params = { query: { query, limit: 1, lang: locale.value } };
    const groups = await client.request('get', '/geocoding', { params }).catch(() => []);
    const place = groups[0]?.items[0];
    if (place) board.lookAt({ lat: place.point.lat, lon: place.point.lon, zoom: place.zoom });
    else notices.show('refused', () => t('command.nowhere', { query }));
    return place !== undefined;
  }

  return { execute, onBoard, showVehicle };
}
