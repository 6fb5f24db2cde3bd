import { definedFields } from '../../../../shared/defined-fields.ts';
import type { CustomField, StateRule, TaskType } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Draft } from '../../../store/types.ts';
import { checkedRule } from './state-rule-check.ts';

/** Attributes of a type; a missing one gets its default or stays. */
export interface TypeOrder {
  name?: string | undefined;
  /** 0 removes the type from its group. */
  groupId?: number | undefined;
  icon?: string | undefined;
  /** The further icon files, by their names in the interface. */
  icons?: Readonly<Record<string, string>> | undefined;
  isDefault?: boolean | undefined;
  reviewSeconds?: number | undefined;
  organizationIds?: readonly number[] | undefined;
}

/** There is only one way of counting deadlines. */
const FROM_UPDATE = 1;

export function createType(id: number, order: TypeOrder & { name: string }): Draft<TaskType> {
  const fresh: Draft<TaskType> = {
    id,
    kind: 'type',
    name: '',
    isDeleted: false,
    groupId: 0,
    icon: '',
    isDefault: false,
    reviewSeconds: 0,
    deadlineKind: FROM_UPDATE,
    organizationIds: [],
    icons: {},
  };
  return changeType(fresh, order);
}

export function changeType<T extends Draft<TaskType>>(type: T, { icons, organizationIds, ...plain }: TypeOrder): T {
  const next: T = {
    ...type,
    ...definedFields(plain),
    icons: { ...type.icons, ...icons },
    organizationIds: organizationIds ? [...new Set(organizationIds)] : type.organizationIds,
  };
  return { ...next, name: requireName(next.name) };
}

/** Attributes of a rule over the fields of a task. */
export interface StateOrder {
  name?: string | undefined;
  field?: string | undefined;
  sign?: StateRule['sign'] | undefined;
  value?: unknown;
  /** A field of the current user to compare with; empty: compare with the value. */
  userField?: string | undefined;
}

export function createState(
  id: number,
  order: StateOrder & { name: string; field: string },
  customFields: readonly CustomField[],
): Draft<StateRule> {
  return changeState<Draft<StateRule>>(
    { id, kind: 'stateRule', name: '', isDeleted: false, field: '', sign: '=', value: null, userField: '' },
    order,
    customFields,
  );
}

/** Refuses a rule that matches nothing or everything: it would silently lock users out or let them in. */
export function changeState<T extends Draft<StateRule>>(
  state: T,
  order: StateOrder,
  customFields: readonly CustomField[],
): T {
  const next: T = { ...state, ...definedFields(order) };
  return { ...next, ...checkedRule(next, customFields), name: requireName(next.name) };
}

export function requireName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw new Refusal('field.empty', { field: 'name' });
  return trimmed;
}
