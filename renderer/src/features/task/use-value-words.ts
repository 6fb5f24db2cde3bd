import type { Geometry } from 'geojson';
import { computed } from 'vue';
import { shortened } from '../../../../shared/text/characters.ts';
import { kindKeyOf } from '../../../../shared/ids.ts';
import type { CustomField, GivenAnswer } from '../../../../shared/records/index.ts';
import { useClock } from '../../lib/stores/clock.ts';
import { useLive } from '../../lib/stores/live.ts';
import { useTasks } from '../../lib/stores/tasks.ts';
import { useVehicles } from '../../lib/stores/vehicles.ts';
import { useLocale } from '../../lib/i18n/index.ts';

const LONGEST = 160;

/**
 * Fields of a task and their values in words. Fields go by the interface's names; custom ones by `custom:`
 * and their id or, as in the history, by `custom_fields.` and their slug.
 */
export function useValueWords() {
  const { records } = useLive();
  const tasks = useTasks();
  const vehicles = useVehicles();
  const clock = useClock();
  const { t, has, moment } = useLocale();

  // Deleted fields too: the history still shows their values.
  const bySlug = computed(() => {
    void records.directories.version.value;
    const fields = [...records.directories.values()].filter(
      ({ kind }) => kind === 'customField',
    ) as unknown as CustomField[];
    return new Map(fields.map((field) => [field.slug, field]));
  });
  const customField = (name: string) => {
    const { id, slug } = /^(?:custom:(?<id>\d+)|custom_fields\.(?<slug>.+))$/.exec(name)?.groups ?? {};
    if (slug !== undefined) return bySlug.value.get(slug);
    return id === undefined
      ? undefined
      : (records.directories.get(kindKeyOf('customField', Number(id))) as unknown as CustomField | undefined);
  };

  function fieldName(name: string): string {
    return customField(name)?.name ?? (has(`task.log.fields.${name}`) ? t(`task.log.fields.${name}`) : name);
  }

  function valueWords(name: string, value: unknown): string {
    if (value === null || value === undefined || value === '') return t('task.fields.none');
    const field = customField(name);
    if (field) return customWords(field, value);
    switch (name) {
      case 'assigned_status':
        return has(`taskStatus.${Number(value)}`) ? t(`taskStatus.${Number(value)}`) : String(value);
      case 'confirmed':
        return t(`task.confirmed.${Number(value)}`);
      case 'notice':
        return t(`task.notice.${Number(value)}`);
      case 'assigned_car_id':
        return named(value, vehicles.nameOf(Number(value)));
      case 'units':
        return crewWords(value as readonly { vehicleId: number; role: string }[]);
      case 'answers':
        return (value as readonly GivenAnswer[]).map((one) => `${one.question} ${one.answer}`).join('; ');
      case 'mergedInto':
        return Number(value) === 0 ? t('task.fields.none') : `#${String(value)}`;
      case 'linkIds':
        return (value as readonly number[]).map((id) => `#${id}`).join(', ') || t('task.fields.none');
      case 'priority':
        return Number(value) === 0 ? t('task.fields.none') : `P${String(value)}`;
      case 'assigned_user_id':
        return named(value, tasks.personName(Number(value)));
      case 'assigned_organization_id':
        return named(value, tasks.organizationName(Number(value)));
      case 'category_id':
        return named(value, records.directories.get(kindKeyOf('category', Number(value)))?.name);
      case 'news_type_id':
        return named(value, records.directories.get(kindKeyOf('type', Number(value)))?.name);
      case 'news_date':
        return moment(Number(value), clock.now);
      case 'num_main_photo':
        return String(Number(value) + 1);
      case 'point':
        return pointWords(value as { lat: number; lon: number });
    }
    if (typeof value === 'boolean') return t(value ? 'task.fields.yes' : 'task.fields.no');
    return shortened(typeof value === 'object' ? JSON.stringify(value) : String(value), LONGEST);
  }

  function crewWords(crews: readonly { vehicleId: number; role: string }[]): string {
    const names = crews.map(
      ({ vehicleId, role }) => named(vehicleId, vehicles.nameOf(vehicleId)) + (role && ` (${role})`),
    );
    return names.length === 0 ? t('task.fields.none') : names.join(', ');
  }

  /** @param value as it is stored */
  function customWords(field: Pick<CustomField, 'format'>, value: unknown): string {
    if (value === null || value === undefined || value === '') return t('task.fields.none');
    if (field.format === 'bool') return t(value === true || value === 't' ? 'task.fields.yes' : 'task.fields.no');
    if (field.format === 'geometry' && typeof value === 'object')
      return t(`task.geometry.types.${(value as Geometry).type}`);
    if (field.format === 'date') return dayWords(String(value));
    return String(value);
  }

  function named(value: unknown, name: string | undefined): string {
    return Number(value) === 0 ? t('task.fields.none') : (name ?? `#${String(value)}`);
  }

  return { fieldName, valueWords, customWords };
}

function pointWords({ lat, lon }: { lat: number; lon: number }): string {
  return `${lat.toFixed(5)}, ${lon.toFixed(5)}`;
}

/** `2026-03-31` as `31.03.2026`, which both languages read. */
function dayWords(iso: string): string {
  return iso.split('-').reverse().join('.');
}
