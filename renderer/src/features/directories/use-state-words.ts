import {
  TASK_FIELDS,
  customFieldId,
  customFieldName,
  taskField,
  unixSeconds,
} from '../../../../shared/tasks/state-rules.ts';
import type { StateRule } from '../../../../shared/records/index.ts';
import { minuteText } from '../../lib/time/period.ts';
import { useLive } from '../../lib/stores/live.ts';
import { useLocale } from '../../lib/i18n/index.ts';
import type { FieldChoice } from './fields.ts';
import { useAccountRecords, useDirectoryRecords } from '../../lib/replica/use-records.ts';

/** Fields of a task that a state can be over, by their names in the record; each has a word. */
export const STATE_FIELDS = [
  'status',
  'typeId',
  'categoryId',
  'organizationId',
  'assignedOrganizationId',
  'assignedUserId',
  'assignedVehicleId',
  'authorId',
  'date',
  'updatedAt',
  'statusSince',
  'point',
  'confirmed',
  'restricted',
  'archived',
  'notice',
  'title',
  'address',
  'systemData',
] as const;
/** Fields of the requesting user that a task can be compared with. */
export const PERSON_FIELDS = ['id', 'organizationId', 'roleId', 'name', 'login'] as const;
export const SIGNS = ['=', '!=', 'in', '<', '<=', '>', '>='] as const satisfies readonly StateRule['sign'][];

export type StatedRule = Pick<StateRule, 'field' | 'sign' | 'value' | 'userField'>;

/** The record's own name of a field that may be said by the interface's. */
export const fieldOf = (rule: Pick<StateRule, 'field'>) => taskField(rule.field) ?? rule.field;
/** Dates are chosen as moments, and sent as Unix seconds. */
export const isDateField = (field: string) =>
  taskField(field) !== undefined && TASK_FIELDS[taskField(field)!] === 'date';

/** The values of a rule for `in`, also where they were written as one text. */
export function comparedValues(value: unknown): readonly (string | number)[] {
  const values = Array.isArray(value) ? (value as unknown[]) : typeof value === 'string' ? value.split(',') : [value];
  return values
    .filter((one) => one !== null && one !== undefined && one !== '')
    .map((one) =>
      typeof one === 'boolean'
        ? Number(one)
        : typeof one === 'string' && /^\s*\d+\s*$/.test(one)
          ? Number(one)
          : typeof one === 'number'
            ? one
            : String(one).trim(),
    );
}

/** States of access rules in words: the choices, and the text of a rule. */
export function useStateWords() {
  const { t, has } = useLocale();
  const { records } = useLive();
  const types = useDirectoryRecords('type');
  const categories = useDirectoryRecords('category');
  const organizations = useAccountRecords('organization');
  const people = useAccountRecords('user');
  const customFields = useDirectoryRecords('customField');
  const customField = (field: string) =>
    [...customFields.current.value, ...customFields.deleted.value].find(({ id }) => id === customFieldId(field));
  const flags = (): FieldChoice[] => [
    { value: 0, text: t('directories.no') },
    { value: 1, text: t('directories.yes') },
  ];
  /** Custom fields that a state can be over, as rules name them. */
  const customNames = () =>
    customFields.current.value.filter(({ format }) => format !== 'geometry').map(({ id }) => customFieldName(id));

  const named = (rows: Iterable<{ readonly id: number; readonly name: string }>): FieldChoice[] =>
    [...rows].map(({ id, name }) => ({ value: id, text: name }));
  const none = (): FieldChoice => ({ value: 0, text: t('directories.none') });

  /** Values that a field can have; undefined: anything. */
  function choicesOf(field: string): readonly FieldChoice[] | undefined {
    switch (field) {
      case 'status':
        return [1, 2, 3, 4].map((value) => ({ value, text: t(`taskStatus.${value}`) }));
      case 'typeId':
        return named(types.current.value);
      case 'categoryId':
        return [none(), ...named(categories.current.value)];
      case 'organizationId':
        return named(organizations.current.value);
      case 'assignedOrganizationId':
        return [none(), ...named(organizations.current.value)];
      case 'assignedUserId':
        return [none(), ...named(people.current.value)];
      case 'authorId':
        return named(people.current.value);
      case 'assignedVehicleId':
        return (
          void records.vehicles.version.value,
          [none(), ...named([...records.vehicles.values()].filter((vehicle) => !vehicle.isDeleted))]
        );
      case 'confirmed':
        return [0, 1, 2].map((value) => ({ value, text: t(`access.confirmations.${value}`) }));
      case 'notice':
        return [0, 1, 2].map((value) => ({ value, text: t(`access.notices.${value}`) }));
      case 'restricted':
      case 'archived':
        return flags();
      default: {
        const custom = customField(field);
        return custom?.format === 'bool' ? flags() : custom?.possibleValues?.map((value) => ({ value, text: value }));
      }
    }
  }

  const fieldText = (field: string) =>
    has(`access.fields.${field}`) ? t(`access.fields.${field}`) : (customField(field)?.name ?? field);
  const userFieldText = (field: string) =>
    has(`access.userFields.${field}`) ? t(`access.userFields.${field}`) : field;
  const signText = (sign: StateRule['sign']) => t(`access.signs.${SIGNS.indexOf(sign)}`);

  function valueText(field: string, value: unknown): string {
    const seconds = isDateField(field) ? unixSeconds(value) : undefined;
    if (seconds !== undefined) return minuteText(seconds * 1000);
    if (field === 'point') return t('directories.none');
    const plain =
      value === true || value === 't'
        ? 1
        : value === false || value === 'f' || value === null || value === ''
          ? 0
          : value;
    return choicesOf(field)?.find((choice) => String(choice.value) === String(plain))?.text ?? String(value ?? '');
  }

  /** "Status is one of New, Assigned" */
  function sayRule(rule: StatedRule): string {
    const field = fieldOf(rule);
    const with_ = rule.userField
      ? userFieldText(rule.userField)
      : rule.sign === 'in'
        ? comparedValues(rule.value)
            .map((value) => valueText(field, value))
            .join(', ')
        : valueText(field, rule.value);
    return t('access.rule', { field: fieldText(field), sign: signText(rule.sign), value: with_ });
  }

  return { choicesOf, customNames, fieldText, userFieldText, signText, sayRule };
}
