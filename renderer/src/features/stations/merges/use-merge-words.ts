import { kindKeyOf } from '../../../../../shared/ids.ts';
import { useClock } from '../../../lib/stores/clock.ts';
import { useLive } from '../../../lib/stores/live.ts';
import { useTasks } from '../../../lib/stores/tasks.ts';
import { useVehicles } from '../../../lib/stores/vehicles.ts';
import { useLocale } from '../../../lib/i18n/index.ts';
import { useValueWords } from '../../task/use-value-words.ts';
import type { MergeItem, WrittenValue } from '../answers.ts';

/** Kinds of records that the interface calls otherwise. */
const KINDS: Readonly<Record<string, string>> = {
  newstype: 'type',
  newstype_group: 'typeGroup',
  custom_field: 'customField',
  state: 'stateRule',
  right: 'role',
  mark: 'make',
  car_group: 'group',
  car_tag: 'tag',
  car_field: 'vehicleField',
};

/** One vehicle was sent to two tasks: both stay, until one of them releases it. */
export const isVehicleTwice = ({ rule }: MergeItem) => rule === 'vehicle-twice';

/** Merges in words: of which record they are, of which field, and both values. */
export function useMergeWords() {
  const { records } = useLive();
  const tasks = useTasks();
  const vehicles = useVehicles();
  const clock = useClock();
  const { t, has, moment } = useLocale();
  const values = useValueWords();

  /** Its title or name; empty: this console does not hold the record. */
  function title(merge: MergeItem): string {
    const { collection, recordId } = merge;
    const id = Number(recordId);
    if (isVehicleTwice(merge)) return vehicles.nameOf(Number(merge.kept.value)) ?? '';
    switch (collection) {
      case 'message':
        return tasks.byId(id)?.title ?? '';
      case 'car':
        return vehicles.nameOf(id) ?? '';
      case 'user':
        return tasks.personName(id) ?? '';
      case 'organization':
        return tasks.organizationName(id) ?? '';
    }
    const key = kindKeyOf((KINDS[collection] ?? collection) as never, id);
    const named = (records.fleet.get(key) ?? records.directories.get(key) ?? records.accounts.get(key)) as
      { readonly name?: string } | undefined;
    return named?.name ?? '';
  }

  function record({ collection, recordId }: MergeItem): string {
    const key = `stations.merges.kinds.${collection}`;
    return has(key) ? t(key, { id: recordId }) : `${collection} ${recordId}`;
  }

  function field(merge: MergeItem): string {
    if (merge.rule !== '')
      return has(`stations.merges.rules.${merge.rule}`) ? t(`stations.merges.rules.${merge.rule}`) : merge.rule;
    if (merge.field === 'deleted') return t('stations.merges.deletion');
    const key = `stations.merges.fields.${merge.field}`;
    return has(key) ? t(key) : values.fieldName(merge.field);
  }

  function value(merge: MergeItem, side: 'kept' | 'lost'): string {
    const { field: name } = merge;
    const { value: written } = merge[side];
    if (isVehicleTwice(merge)) {
      const task = taskOf(merge, side)!;
      const titled = tasks.byId(task)?.title;
      return [t('stations.merges.kinds.message', { id: task }), titled].filter(Boolean).join(', ');
    }
    if (name === 'deleted') return t(written === true ? 'stations.merges.deleted' : 'stations.merges.notDeleted');
    return values.valueWords(name, written);
  }

  function writer({ user, station, time }: WrittenValue): string {
    const written = {
      station: station.name ?? t('task.log.station', { number: String(station.number) }),
      time: moment(time, clock.now, true),
    };
    return user
      ? t('stations.merges.writtenBy', { person: user.name, ...written })
      : t('stations.merges.writtenAt', written);
  }

  /** The task that a value is about, or undefined. */
  function taskOf(merge: MergeItem, side: 'kept' | 'lost'): number | undefined {
    if (isVehicleTwice(merge)) return Number(side === 'kept' ? merge.recordId : merge.otherId);
    return merge.message ?? undefined;
  }

  return { title, record, field, value, writer, taskOf };
}
