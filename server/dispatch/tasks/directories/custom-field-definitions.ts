import { byOrder } from '../../../../shared/custom-fields/custom-fields.ts';
import type { CustomField, CustomFieldFormat, TaskType } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { Mutex } from '../../../platform/mutex.ts';
import type { Records, Store } from '../../../store/types.ts';
import {
  changeCustomField,
  createCustomField,
  requireCurrent,
  placesOf,
  restoreCustomField,
  deleteCustomField,
  type CustomFieldOrder,
} from './custom-field-rules.ts';

/** Definitions of the custom fields of tasks. Administrators write them. */
export class CustomFieldDefinitions {
  readonly #store: Store;
  readonly #fields: Records<CustomField>;
  readonly #types: Records<TaskType>;
  /** Serializes writers: slugs must be unique, and an order must name every field. */
  readonly #turns = new Mutex();

  constructor(store: Store) {
    this.#store = store;
    this.#fields = store.kind<CustomField>('directories', 'customField');
    this.#types = store.kind<TaskType>('directories', 'type');
  }

  /** Fields that are not deleted, in their order. */
  all(): CustomField[] {
    return this.#fields
      .all()
      .filter((field) => !field.isDeleted)
      .sort(byOrder);
  }

  /** Throws a not-found Refusal for a missing or deleted field. */
  get(id: number): CustomField {
    const field = this.#fields.get(id);
    requireCurrent(field);
    return field;
  }

  create(order: CustomFieldOrder & { name: string; format: CustomFieldFormat }): Promise<CustomField> {
    return this.#turns.run(async () => {
      this.#requireTypes(order.typeIds);
      const taken = new Set(this.#fields.all().map((field) => field.slug));
      createCustomField(0, order, taken); // checked before an id is used
      return this.#fields.insert(createCustomField(this.#fields.nextId(), order, taken));
    });
  }

  change(id: number, order: CustomFieldOrder): Promise<CustomField> {
    return this.#turns.run(async () => {
      this.get(id);
      this.#requireTypes(order.typeIds);
      return this.#fields.change(id, (field) => changeCustomField(field, order));
    });
  }

  /** The format of a field cannot change: tasks hold values of it. */
  requireFormat(id: number, format: CustomFieldFormat | undefined): void {
    const field = this.get(id);
    if (format !== undefined && format !== field.format)
      throw new Refusal('tasks.formatChange', { field: 'format', name: field.name, format: field.format });
  }

  /** Deletes logically; tasks keep the values. */
  delete(id: number): Promise<unknown> {
    return this.#turns.run(async () => {
      this.get(id);
      return this.#fields.change(id, deleteCustomField);
    });
  }

  restore(id: number): Promise<CustomField> {
    return this.#turns.run(async () => {
      this.#fields.require(id, 'tasks.customFieldGone');
      return this.#fields.change(id, restoreCustomField);
    });
  }

  /** Sorts all current fields in this order. Idempotent. */
  sort(ids: readonly number[]): Promise<CustomField[]> {
    return this.#turns.run(async () => {
      const places = placesOf(ids, this.#fields.all());
      await this.#store.transaction(async () => {
        for (const [id, order] of places)
          await this.#fields.change(id, (field) => (field.order === order ? field : { ...field, order }));
      });
      return this.all();
    });
  }

  #requireTypes(ids: readonly number[] = []): void {
    for (const id of ids)
      if (this.#types.get(id)?.isDeleted !== false)
        throw new Refusal('field.unknownEntry', { field: 'news_type_ids', id });
  }
}
