import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import type { Task } from '../../../../shared/records/index.ts';
import { i18n } from '../../lib/i18n/index.ts';
import { useDispatch } from '../../lib/stores/dispatch.ts';
import { useNotices } from '../../lib/stores/notices.ts';
import { useTasks } from '../../lib/stores/tasks.ts';
import { useVehicles, type VehicleRecord } from '../../lib/stores/vehicles.ts';
import { asksFirst, sendStep, type SendStep } from './send-step.ts';

/** A unit that is carried to a task, or a task that is carried to a unit; by id. */
export interface CarryThing {
  readonly kind: 'unit' | 'task';
  readonly id: number;
}

/** A decision that sending needs. */
interface SendQuestion {
  readonly task: Task;
  readonly vehicle: VehicleRecord;
  readonly step: SendStep;
}

/** Finds what lies at a point of the window, on a surface that has no elements for it. */
type Finder = (x: number, y: number, kind: CarryThing['kind']) => number | undefined;

/** The unit or task that is being dragged, by pointer or by keys, and the target under it. */
export const useCarry = defineStore('carry', () => {
  const tasks = useTasks();
  const vehicles = useVehicles();
  const dispatch = useDispatch();
  const notices = useNotices();
  const carried = shallowRef<CarryThing>();
  /** Id of the drop target, which is of the other kind. */
  const over = ref<number>();
  /** Pixels of the window; undefined: it is carried by keys. */
  const at = shallowRef<{ readonly x: number; readonly y: number }>();
  /** An element under the pointer shows the effect of dropping there. */
  const overElement = ref(false);
  const question = shallowRef<SendQuestion>();
  const finders = new Set<Finder>();

  function take(thing: CarryThing, point?: { readonly x: number; readonly y: number }): void {
    carried.value = thing;
    at.value = point;
    over.value = undefined;
  }

  function move(x: number, y: number): void {
    const thing = carried.value;
    if (!thing) return;
    at.value = { x, y };
    const wanted = thing.kind === 'unit' ? 'task' : 'unit';
    const element = document.elementFromPoint(x, y)?.closest<HTMLElement>(`[data-${wanted}]`);
    overElement.value = element?.dataset['says'] !== undefined;
    over.value = element
      ? Number(element.dataset[wanted])
      : [...finders].map((find) => find(x, y, wanted)).find((id) => id !== undefined);
  }

  function leave(): void {
    carried.value = at.value = over.value = undefined;
  }

  /** Sends the unit that is carried, or carried to, as far as nobody has to be asked. */
  async function drop(): Promise<void> {
    const pair = paired(carried.value, over.value);
    leave();
    if (pair) await send(pair.task, pair.vehicle);
  }

  async function send(task: Task, vehicle: VehicleRecord): Promise<boolean> {
    const step = stepOf(task, vehicle);
    const { t } = i18n.global;
    if (asksFirst(step)) {
      question.value = { task, vehicle, step };
      return false;
    }
    if (step.kind === 'send') return dispatch.send(task, vehicle);
    const names = { vehicle: vehicle.name, id: task.id, title: task.title };
    notices.show('refused', () => t(`units.refused.${step.kind}`, names));
    return false;
  }

  /**
   * Whether somebody has to decide before a vehicle is sent; the question is then on the screen. For senders that have
   * their own way to send.
   */
  function asks(task: Task, vehicleId: number): boolean {
    const vehicle = vehicles.byId(vehicleId);
    const step = vehicle && stepOf(task, vehicle);
    if (!vehicle || !step || !asksFirst(step)) return false;
    question.value = { task, vehicle, step };
    return true;
  }

  function stepOf(task: Task, vehicle: VehicleRecord): SendStep {
    const { status, task: served, unit } = vehicles.rowOf(vehicle);
    const serving = served && unit && { task: served, unit };
    return sendStep(task, vehicles.unitsOn(task), { id: vehicle.id, status, serving });
  }

  function paired(thing: CarryThing | undefined, other: number | undefined) {
    if (!thing || other === undefined) return undefined;
    const task = tasks.byId(thing.kind === 'task' ? thing.id : other);
    const vehicle = vehicles.byId(thing.kind === 'unit' ? thing.id : other);
    return task && vehicle && { task, vehicle };
  }

  /** The effect of dropping here; undefined: nothing is carried over a target. */
  const step = computed(() => {
    const pair = paired(carried.value, over.value);
    return pair && { ...pair, step: stepOf(pair.task, pair.vehicle) };
  });

  /** Gives the way to take the finder away again. */
  function addFinder(find: Finder): () => void {
    finders.add(find);
    return () => finders.delete(find);
  }

  return { carried, over, overElement, at, question, step, take, move, leave, drop, send, asks, addFinder };
});
