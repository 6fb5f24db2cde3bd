import { byOrder } from '../../../shared/custom-fields/custom-fields.ts';
import type { CustomField, CustomFieldFormat, TaskType } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { Mutex } from '../../platform/mutex.ts';
import type { Records, Store } from '../../store/types.ts';
import {
  changeCustomField,
  createCustomField,
  demandCurrent,
  placesOf,
  restoreCustomField,
  deleteCustomField,
  type CustomFieldOrder,
} from './custom-field-rules.ts';

/** The definitions of the fields that messages have besides their own. Administrators write them. */
export class CustomFieldDefinitions {
  readonly #store: Store;
  readonly #fields: Records<CustomField>;
  readonly #types: Records<TaskType>;
  /** Translits are unique and an order names all fields: neither holds for two writers at once. */
  readonly #turns = new Mutex();

  constructor(store: Store) {
    this.#store = store;
    this.#fields = store.kind<CustomField>('directories', 'customField');
    this.#types = store.kind<TaskType>('directories', 'type');
  }

  /** Those that are not deleted, in their order. */
  all(): CustomField[] {
    return this.#fields
      .all()
      .filter((field) => !field.isDeleted)
      .sort(byOrder);
  }

  /** Throws a not-found Refusal when it is missing or deleted. */
  get(id: number): CustomField {
    const field = this.#fields.get(id);
    demandCurrent(field);
    return field;
  }

  create(order: CustomFieldOrder & { name: string; format: CustomFieldFormat }): Promise<CustomField> {
    return this.#turns.run(async () => {
      this.#demandTypes(order.typeIds);
      const taken = new Set(this.#fields.all().map((field) => field.slug));
      createCustomField(0, order, taken); // refused before it has cost an id
      return this.#fields.insert(createCustomField(this.#fields.nextId(), order, taken));
    });
  }

  change(id: number, order: CustomFieldOrder): Promise<CustomField> {
    return this.#turns.run(async () => {
      this.get(id);
      this.#demandTypes(order.typeIds);
      return this.#fields.change(id, (field) => changeCustomField(field, order));
    });
  }

  /** Refuses to make another format of a field: messages hold values of the one it has. */
  demandFormat(id: number, format: CustomFieldFormat | undefined): void {
    const field = this.get(id);
    if (format !== undefined && format !== field.format)
      throw new Refusal('invalid', `format cannot change: ${field.name} is ${field.format}.`);
  }

  /** Deletes logically: values in messages are kept. */
  delete(id: number): Promise<unknown> {
    return this.#turns.run(async () => {
      this.get(id);
      return this.#fields.change(id, deleteCustomField);
    });
  }

  restore(id: number): Promise<CustomField> {
    return this.#turns.run(async () => {
      this.#fields.demand(id, `custom field ${id}`);
      return this.#fields.change(id, restoreCustomField);
    });
  }

  /** Puts all current fields into this order, which can be done again. */
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

  #demandTypes(ids: readonly number[] = []): void {
    for (const id of ids)
      if (this.#types.get(id)?.isDeleted !== false)
        throw new Refusal('invalid', `news_type_ids: ${id} does not exist.`);
  }
}
