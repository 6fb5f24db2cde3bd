import type { PersonPreferences, User } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { Mutex } from '../../platform/mutex.ts';
import type { Records, Store } from '../../store/types.ts';

/** Most preferences of a person, and characters of the JSON of all of them. */
const MOST = 60;
const LONGEST = 200_000;

/** The preferences of people, as JSON values by name. The station only keeps them. */
export class Preferences {
  readonly #records: Records<PersonPreferences>;
  readonly #turns = new Mutex();

  constructor(store: Store) {
    this.#records = store.kind<PersonPreferences>('accounts', 'preferences');
  }

  of(userId: number): Record<string, unknown> {
    const values = this.#records.get(userId)?.values ?? {};
    return Object.fromEntries(
      Object.entries(values).flatMap(([name, text]) => {
        try {
          return [[name, JSON.parse(text) as unknown]];
        } catch {
          return []; // another station sent it
        }
      }),
    );
  }

  /** Sets the named ones; null takes one away. Refuses more than a person needs. */
  set(user: Pick<User, 'id' | 'organizationId'>, changed: Readonly<Record<string, unknown>>): Promise<void> {
    return this.#turns.run(async () => {
      const known = this.#records.get(user.id);
      const texts = Object.entries(changed).map(([name, value]) => [name, JSON.stringify(value)] as const);
      const values = Object.fromEntries(
        [...Object.entries(known?.values ?? {}).filter(([name]) => !(name in changed)), ...texts].filter(
          ([, text]) => text !== 'null',
        ),
      );
      const length = Object.values(values).reduce((sum, text) => sum + text.length, 0);
      if (Object.keys(values).length > MOST || length > LONGEST) throw new Refusal('accounts.manyPreferences');
      const { organizationId } = user;
      // Empty at first, and from no time, so that each name has a stamp of its own: another station may make the same.
      if (!known)
        await this.#records.insert(
          { ...{ id: user.id, kind: 'preferences', name: '', isDeleted: false, organizationId }, values: {} },
          'seed',
        );
      await this.#records.change(user.id, (record) => ({ ...record, organizationId, values }));
    });
  }
}
