import { defineStore } from 'pinia';
import { watch } from 'vue';
import type { GivenAnswer, Task } from '../../../../shared/records/index.ts';
import { ASSIGNED } from '../../../../shared/tasks/status.ts';
import { activeUnit, activeUnits, type TaskWithUnits } from '../../../../shared/tasks/units.ts';
import { FREE } from '../../../../shared/fleet/unit-status.ts';
import { ApiError } from '../api/client.ts';
import { i18n } from '../i18n/index.ts';
import { actionProblem } from '../i18n/problem-words.ts';
import type { LocalizedText } from '../i18n/localized-text.ts';
import { useNotices, type Remedy } from './notices.ts';
import { useSession } from './session.ts';
import { useTasks } from './tasks.ts';
import { useVehicles } from './vehicles.ts';

/** A time in the clock of the station. */
export interface DateOrder {
  readonly news_date: string;
  readonly news_hour: number;
  readonly news_minute: number;
}

interface NewTask {
  readonly title: string;
  readonly text: string;
  readonly typeId: number;
  readonly categoryId: number;
  /** 0: as its category says. */
  readonly priority?: number;
  readonly answers?: readonly GivenAnswer[];
  /** Absent: now. */
  readonly date?: DateOrder | undefined;
  readonly address: string;
  readonly point: { readonly lat: number; readonly lon: number; readonly zoom: number } | undefined;
  /** By slug, as the interface takes them. */
  readonly customValues: Readonly<Record<string, unknown>>;
}

/** Readers of a comment. With all false: its author, and the administrators of the task's organization. */
export interface Audience {
  readonly all: boolean;
  readonly author: boolean;
  readonly assignedOrganization: boolean;
  readonly assignedUser: boolean;
}

/** The interface's flags for the readers of the comment of an update; only those that are set. */
export function audienceFlags(audience: Audience): Record<string, true> {
  const flags = {
    updatecomment_visible_all: audience.all,
    updatecomment_visible_user: audience.author,
    updatecomment_visible_assigned_to: audience.assignedOrganization,
    updatecomment_visible_assigned_to_user: audience.assignedUser,
  };
  return Object.fromEntries(Object.entries(flags).filter(([, wanted]) => wanted)) as Record<string, true>;
}

/** ms after its answer in which the replica shows an action. */
const REPLICA_DELAY = 3_000;

/** Whether a claim about reactive state comes true within so many ms. */
function comesTrue(claim: () => boolean, within: number): Promise<boolean> {
  if (claim()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (outcome: boolean) => {
      stop();
      clearTimeout(timer);
      resolve(outcome);
    };
    const stop = watch(claim, (holds) => holds && end(true));
    const timer = setTimeout(() => end(false), within);
  });
}

type NamedRecord = { readonly id: number; readonly name: string };
/** The known fields of a task, also of one that was just saved. */
type Assignable = Pick<Task, 'id' | 'title' | 'status' | 'assignedVehicleId'>;

/**
 * Actions of an operator on tasks and vehicles. Each action goes to the station, reports its outcome and can
 * be taken back for ten seconds.
 */
export const useDispatch = defineStore('dispatch', () => {
  const { client } = useSession();
  const notices = useNotices();
  const tasks = useTasks();
  const vehicles = useVehicles();
  const { t } = i18n.global;

  const update = (id: number, body: Record<string, unknown>) =>
    client.ask(`/news/${id}/update`, { method: 'POST', body });

  /** Runs `work`, and says in words when the station refuses. Gives undefined then. */
  async function attempt<T>(
    work: () => Promise<T>,
    remedy?: (error: ApiError) => Remedy | undefined,
  ): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      notices.show('refused', () => actionProblem(error), undefined, remedy?.(error));
      return undefined;
    }
  }

  /** Actions under way, by their notice text: a second click or key must not send one again. */
  const underWay = new Set<string>();

  /** Runs an action once and offers an undo, unless somebody has changed the record since. */
  async function act(
    work: () => Promise<unknown>,
    done: LocalizedText,
    back: () => Promise<unknown>,
    stillSo: () => boolean = () => true,
    remedy?: (error: ApiError) => Remedy | undefined,
  ): Promise<boolean> {
    const description = done();
    if (underWay.has(description)) return false;
    underWay.add(description);
    const succeeded =
      (await attempt(async () => (await work(), true), remedy).finally(() => underWay.delete(description))) ?? false;
    if (succeeded) offerBack(done, back, stillSo);
    return succeeded;
  }

  /**
   * Reports an action, and offers an undo as `act` does. The replica may show the action later than the station
   * answered; until then nobody else has changed it.
   */
  function offerBack(done: LocalizedText, back: () => Promise<unknown>, stillSo: () => boolean = () => true): void {
    const seen = comesTrue(() => (void tasks.ordered, stillSo()), REPLICA_DELAY); // the list is what is reactive
    notices.show('done', done, async () => {
      await seen;
      await undo(done, back, stillSo);
    });
  }

  async function undo(done: LocalizedText, back: () => Promise<unknown>, stillSo: () => boolean): Promise<void> {
    if (!stillSo()) return notices.show('refused', () => t('notices.changedMeanwhile', { what: done() }));
    if (await attempt(async () => (await back(), true)))
      notices.show('done', () => t('notices.undone', { what: done() }));
  }

  /** Task, vehicle, timers and time stamp change in this one step. */
  function assign(task: Assignable, vehicle: NamedRecord): Promise<boolean> {
    return act(
      () =>
        update(task.id, {
          assigned_car_id: vehicle.id,
          ...(task.status === ASSIGNED ? {} : { assigned_status: ASSIGNED }),
        }),
      () => t('notices.assigned', { vehicle: vehicle.name, id: task.id, title: task.title }),
      () => update(task.id, { assigned_car_id: task.assignedVehicleId, assigned_status: task.status }),
      () => tasks.byId(task.id)?.assignedVehicleId === vehicle.id,
    );
  }

  /** Sends one more vehicle to a task that others serve. */
  function addUnit(task: Pick<Task, 'id' | 'title'>, vehicle: NamedRecord): Promise<boolean> {
    return act(
      () => client.ask(`/news/${task.id}/units`, { method: 'POST', body: { carIds: [vehicle.id] } }),
      () => t('notices.unitSent', { vehicle: vehicle.name, id: task.id, title: task.title }),
      () => client.ask(`/news/${task.id}/units/${vehicle.id}`, { method: 'DELETE' }),
      () => isOn(task.id, vehicle.id),
    );
  }

  /**
   * Sends a vehicle to a task, whether it is the first one there or not. `from`: it leaves that task in the same step;
   * `anyway`: it serves both.
   */
  function send(
    task: TaskWithUnits & Pick<Task, 'id' | 'title'>,
    vehicle: NamedRecord,
    { from, anyway }: { readonly from?: Pick<Task, 'id'>; readonly anyway?: true } = {},
  ): Promise<boolean> {
    const isFirst = activeUnits(task).length === 0;
    const add = (id: number, others: { anyway?: true; from?: readonly number[] }) =>
      client.ask(`/news/${id}/units`, { method: 'POST', body: { carIds: [vehicle.id], ...others } });
    return act(
      () => add(task.id, { ...(from && { from: [from.id] }), ...(anyway && { anyway }) }),
      () =>
        t(isFirst ? 'notices.assigned' : 'notices.unitSent', { vehicle: vehicle.name, id: task.id, title: task.title }),
      () =>
        from
          ? add(from.id, { from: [task.id], anyway: true })
          : client.ask(`/news/${task.id}/units/${vehicle.id}`, { method: 'DELETE' }),
      () => isOn(task.id, vehicle.id),
    );
  }

  /** Sends all of these vehicles to a task, or none. */
  function sendUnits(
    task: Pick<Task, 'id' | 'title'>,
    units: readonly (NamedRecord & { readonly role: string })[],
    move = false,
  ): Promise<boolean> {
    const carIds = units.map(({ id }) => id);
    let left: readonly { readonly newsId: number; readonly carId: number }[] = [];
    const isBusy = ({ reason }: ApiError) =>
      reason?.code === 'tasks.unitUnderWay' || reason?.code === 'tasks.unitThere';
    const names = units.map(({ name }) => name).join(', ');
    return act(
      async () => {
        const body = { carIds, roles: units.map(({ role }) => role), ...(move && { move }) };
        ({ left } = await client.ask<{ left: typeof left }>(`/news/${task.id}/units`, { method: 'POST', body }));
      },
      () => t('notices.unitsSent', { vehicles: names, id: task.id, title: task.title }, units.length),
      async () => {
        for (const { newsId, carId } of left)
          await client.ask(`/news/${newsId}/units`, { method: 'POST', body: { carIds: [carId], anyway: true } });
        await client.ask(`/news/${task.id}/units/release`, { method: 'POST', body: { carIds } });
      },
      () => carIds.every((id) => isOn(task.id, id)),
      (error) =>
        isBusy(error) ? { say: () => t('notices.releaseAndSend'), run: () => sendUnits(task, units, true) } : undefined,
    );
  }

  function releaseUnit(task: Pick<Task, 'id' | 'title'>, vehicle: NamedRecord): Promise<boolean> {
    return act(
      () => client.ask(`/news/${task.id}/units/${vehicle.id}`, { method: 'DELETE' }),
      () => t('notices.unitReleased', { vehicle: vehicle.name, id: task.id, title: task.title }),
      () => client.ask(`/news/${task.id}/units`, { method: 'POST', body: { carIds: [vehicle.id], anyway: true } }),
      () => !isOn(task.id, vehicle.id),
    );
  }

  function isOn(taskId: number, vehicleId: number): boolean {
    const task = tasks.byId(taskId);
    return task !== undefined && activeUnit(task, vehicleId) !== undefined;
  }

  function setStatus(task: Task, status: number): Promise<boolean> {
    return act(
      () => update(task.id, { assigned_status: status }),
      () => t('notices.status', { id: task.id, title: task.title, status: t(`taskStatus.${status}`) }),
      () => update(task.id, { assigned_status: task.status }),
      () => tasks.byId(task.id)?.status === status || tasks.byId(task.id) === undefined,
    );
  }

  function setUnitStatus(vehicle: NamedRecord, status: number): Promise<boolean> {
    const before = vehicles.rows.find((row) => row.vehicle.id === vehicle.id)?.status;
    const put = (value: number, back = false) =>
      client
        .ask(`/cars/${vehicle.id}/status`, { method: 'PUT', body: { status: value, back } })
        .then(() => vehicles.setAhead(vehicle.id, value));
    return act(
      () => put(status),
      () => t('notices.unitStatus', { vehicle: vehicle.name, digit: status, status: t(`unitStatus.${status}`) }),
      () => put(before ?? FREE, true),
    );
  }

  /** Somebody has talked with the crew: the station knows what its status is now. */
  function answerCrew(vehicle: NamedRecord): Promise<boolean> {
    const before = vehicles.rows.find((row) => row.vehicle.id === vehicle.id)?.status;
    const put = async (body: { answered: true } | { status: number; back: true }) => {
      const { unitStatus } = await client.request('put', '/cars/{id}/status', {
        params: { path: { id: vehicle.id } },
        body,
      });
      if (unitStatus !== null) vehicles.setAhead(vehicle.id, unitStatus);
    };
    return act(
      () => put({ answered: true }),
      () => t('notices.crewAnswered', { vehicle: vehicle.name }),
      () => put({ status: before ?? FREE, back: true }),
    );
  }

  /** Gives the id of the new task. */
  async function create(draft: NewTask): Promise<number | undefined> {
    const values = {
      title: draft.title,
      text: draft.text,
      news_type_id: draft.typeId,
      ...(draft.categoryId ? { category: draft.categoryId } : {}),
      ...(draft.priority ? { priority: draft.priority } : {}),
      ...(draft.answers?.length ? { answers: draft.answers } : {}),
      ...draft.date,
      ...(draft.address ? { address: draft.address } : {}),
      custom_fields: JSON.stringify(draft.customValues),
    };
    const place = draft.point ? { point: [draft.point.lon, draft.point.lat], pointZoom: draft.point.zoom } : {};
    const answer = await attempt(() => client.request('post', '/news/', { body: { action: 'put', values, ...place } }));
    if (!answer) return undefined;
    const id = Number(answer.newsId);
    offerBack(
      () => t('notices.created', { id, title: draft.title }),
      () => client.ask(`/news/${id}/`, { method: 'POST', body: { action: 'delete' } }),
    );
    return id;
  }

  /** Writes to the crew of a vehicle. A message that is sent cannot be taken back. */
  async function message(vehicle: NamedRecord, text: string): Promise<boolean> {
    const sent = await attempt(() => client.request('post', '/crews/messages', { body: { carId: vehicle.id, text } }));
    if (sent) notices.show('done', () => t('notices.messageSent', { vehicle: vehicle.name }));
    return sent !== undefined;
  }

  /** Public comments and replies are plain comments; only an update can limit the audience. */
  function comment(
    taskId: number,
    text: string,
    { audience, answers }: { audience: Audience; answers?: number | undefined },
  ): Promise<boolean | undefined> {
    const plain = audience.all || answers !== undefined;
    return attempt(async () => {
      await (plain
        ? client.ask(`/news/${taskId}/comments`, {
            method: 'POST',
            body: { action: 'post', comment: text, ...(answers ? { reference_id: answers } : {}) },
          })
        : update(taskId, { update_comments: text, ...audienceFlags(audience) }));
      return true;
    });
  }

  return {
    assign,
    addUnit,
    send,
    sendUnits,
    releaseUnit,
    setStatus,
    setUnitStatus,
    answerCrew,
    create,
    comment,
    message,
    update,
    attempt,
    act,
    offerBack,
  };
});
