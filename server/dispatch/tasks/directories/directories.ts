import { definedFields } from '../../../../shared/defined-fields.ts';
import type {
  Category,
  CustomField,
  Organization,
  Role,
  StateRule,
  StatusName,
  TaskType,
  TypeGroup,
} from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { Mutex } from '../../../platform/mutex.ts';
import type { Records, Store } from '../../../store/types.ts';
import {
  changeState,
  changeType,
  createState,
  createType,
  requireName,
  type StateOrder,
  type TypeOrder,
} from './directory-rules.ts';

interface CategoryOrder {
  name?: string | undefined;
  icon?: string | undefined;
  /** The bytes of the icon; null: only a file name. */
  picture?: Category['picture'] | undefined;
  importance?: number | undefined;
}

/**
 * The reference lists of tasks, which administrators write. Deleted entries stay with the tasks that have
 * them.
 */
export class Directories {
  readonly #store: Store;
  readonly #categories: Records<Category>;
  readonly #types: Records<TaskType>;
  readonly #typeGroups: Records<TypeGroup>;
  readonly #statuses: Records<StatusName>;
  readonly #states: Records<StateRule>;
  readonly #customFields: Records<CustomField>;
  /** Serializes writers: one default type and no type in a deleted group are rules over several records. */
  readonly #turns = new Mutex();

  constructor(store: Store) {
    this.#store = store;
    this.#categories = store.kind<Category>('directories', 'category');
    this.#types = store.kind<TaskType>('directories', 'type');
    this.#typeGroups = store.kind<TypeGroup>('directories', 'typeGroup');
    this.#statuses = store.kind<StatusName>('directories', 'status');
    this.#states = store.kind<StateRule>('directories', 'stateRule');
    this.#customFields = store.kind<CustomField>('directories', 'customField');
  }

  createCategory({
    name,
    icon = '',
    picture = null,
    importance = 0,
  }: CategoryOrder & { name: string }): Promise<Category> {
    return this.#categories.insert({
      id: this.#categories.nextId(),
      kind: 'category',
      isDeleted: false,
      name: requireName(name),
      icon,
      picture,
      importance,
    });
  }

  /** Categories that are not deleted, by id. */
  category(id: number): Category {
    return current(this.#categories, id, 'category');
  }

  /**
   * The picture of the category whose icon has this file name; of deleted ones too, because tasks keep them.
   */
  categoryPicture(icon: string): Category['picture'] {
    return this.#categories.all().find((category) => category.icon === icon && category.picture)?.picture;
  }

  /** Whether the icon of a category has these bytes. */
  shows(sha256: string): boolean {
    return this.#categories.all().some(({ picture }) => picture?.sha256 === sha256);
  }

  changeCategory(id: number, order: CategoryOrder): Promise<Category> {
    return this.#changeCurrent(this.#categories, id, 'category', (category) => ({
      ...category,
      ...definedFields(order),
      name: requireName(order.name ?? category.name),
    }));
  }

  /** Tasks keep it; no other task can get it. */
  deleteCategory(id: number): Promise<unknown> {
    return this.#changeCurrent(this.#categories, id, 'category', asDeleted);
  }

  /** The four statuses are fixed; only their names and display change. */
  changeStatus(id: number, order: { name?: string | undefined; visible?: boolean | undefined }): Promise<StatusName> {
    return this.#changeCurrent(this.#statuses, id, 'status', (status) => ({
      ...status,
      ...definedFields(order),
      name: requireName(order.name ?? status.name),
    }));
  }

  /** Types that are not deleted, by id. */
  type(id: number): TaskType {
    return current(this.#types, id, 'type');
  }

  createType(order: TypeOrder & { name: string }): Promise<TaskType> {
    return this.#turns.run(async () => {
      this.#requireReferences(order);
      const draft = createType(this.#types.nextId(), order);
      return this.#withOneDefault(draft, () => this.#types.insert(draft));
    });
  }

  changeType(id: number, order: TypeOrder): Promise<TaskType> {
    return this.#turns.run(async () => {
      const type = this.type(id);
      this.#requireReferences(order);
      return this.#withOneDefault(changeType(type, order), () =>
        this.#types.change(id, (now) => changeType(now, order)),
      );
    });
  }

  /** Refused while tasks have it. */
  deleteType(id: number): Promise<unknown> {
    return this.#turns.run(async () => {
      const { name } = this.type(id);
      const used = this.#store.sql
        .prepare(
          `SELECT 1 FROM ${this.#store.table('tasks')} WHERE deleted=0 AND isDeleted=0 AND archived IN (0,1) AND typeId=? LIMIT 1`,
        )
        .get(id);
      if (used) throw new Refusal('tasks.typeInUse', { name });
      return this.#types.change(id, asDeleted);
    });
  }

  groups(): TypeGroup[] {
    return this.#typeGroups
      .all()
      .filter((group) => !group.isDeleted)
      .sort((a, b) => a.id - b.id);
  }

  group(id: number): TypeGroup {
    return current(this.#typeGroups, id, 'type group');
  }

  createGroup(name: string): Promise<TypeGroup> {
    return this.#typeGroups.insert({
      id: this.#typeGroups.nextId(),
      kind: 'typeGroup',
      isDeleted: false,
      name: requireName(name),
    });
  }

  renameGroup(id: number, name: string | undefined): Promise<TypeGroup> {
    return this.#changeCurrent(this.#typeGroups, id, 'type group', (group) => ({
      ...group,
      name: requireName(name ?? group.name),
    }));
  }

  /** Removes the group from its types. */
  deleteGroup(id: number): Promise<void> {
    return this.#turns.run(async () => {
      this.group(id);
      await this.#store.transaction(async () => {
        for (const type of this.#types.all().filter(({ groupId }) => groupId === id))
          await this.#types.change(type.id, (now) => ({ ...now, groupId: 0 }));
        await this.#typeGroups.change(id, asDeleted);
      });
    });
  }

  /** State rules that are not deleted, by id. */
  stateRules(): StateRule[] {
    return this.#states
      .all()
      .filter((state) => !state.isDeleted)
      .sort((a, b) => a.id - b.id);
  }

  createState(order: StateOrder & { name: string; field: string }): Promise<StateRule> {
    const customFields = this.#customFields.all();
    createState(0, order, customFields); // checked before an id is used
    return this.#states.insert(createState(this.#states.nextId(), order, customFields));
  }

  changeState(id: number, order: StateOrder): Promise<StateRule> {
    return this.#changeCurrent(this.#states, id, 'state', (state) =>
      changeState(state, order, this.#customFields.all()),
    );
  }

  /** Refused while an access rule of a role names it: the permissions of that role would be undefined. */
  deleteState(id: number): Promise<unknown> {
    const user = this.#store
      .kind<Role>('accounts', 'role')
      .all()
      .find((role) => !role.isDeleted && role.accesses.some(({ stateIds }) => stateIds?.includes(id)));
    if (user) throw new Refusal('tasks.stateInUse', { name: user.name });
    return this.#changeCurrent(this.#states, id, 'state', asDeleted);
  }

  #changeCurrent<T extends { id: number; isDeleted: boolean }>(
    records: Records<T>,
    id: number,
    what: string,
    rule: (record: T) => T,
  ): Promise<T> {
    current(records, id, what);
    return records.change(id, (record) => {
      if (record.isDeleted) throw new Refusal('record.missing', { what, id });
      return rule(record);
    });
  }

  #requireReferences({ groupId, organizationIds = [] }: TypeOrder): void {
    if (groupId && this.#typeGroups.get(groupId)?.isDeleted !== false)
      throw new Refusal('field.unknown', { field: 'group_id', id: groupId });
    const organizations = this.#store.kind<Organization>('accounts', 'organization');
    for (const id of organizationIds)
      if (organizations.get(id)?.isDeleted !== false)
        throw new Refusal('field.unknownEntry', { field: 'departments', id });
  }

  /** A new default type takes the flag from the former one. */
  #withOneDefault(type: Pick<TaskType, 'id' | 'isDefault'>, write: () => Promise<TaskType>): Promise<TaskType> {
    return this.#store.transaction(async () => {
      const former = type.isDefault ? this.#types.all().filter(({ id, isDefault }) => isDefault && id !== type.id) : [];
      for (const { id } of former) await this.#types.change(id, (now) => ({ ...now, isDefault: false }));
      return write();
    });
  }
}

function current<T extends { id: number; isDeleted: boolean }>(records: Records<T>, id: number, what: string): T {
  const record = records.get(id);
  if (!record || record.isDeleted) throw new Refusal('record.missing', { what, id });
  return record;
}

function asDeleted<T extends { isDeleted: boolean }>(record: T): T {
  return { ...record, isDeleted: true };
}
