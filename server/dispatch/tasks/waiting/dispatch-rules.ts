import { administers, type Actor } from '../../../../shared/access.ts';
import type { DispatchSettings } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { DEFAULT_WAITING_RULES, type WaitingRules } from '../../../../shared/tasks/response-targets.ts';
import { Mirror } from '../../fleet/index.ts';
import type { Records, Store } from '../../../store/types.ts';

/** How soon somebody should be sent, by organization. */
export class DispatchRules {
  readonly #records: Records<DispatchSettings>;
  readonly #mirror: Mirror<DispatchSettings>;

  constructor(store: Store) {
    this.#records = store.kind<DispatchSettings>('fleet', 'dispatchSettings');
    this.#mirror = new Mirror(this.#records);
  }

  of(organizationId: number): WaitingRules {
    return this.#mirror.get(organizationId) ?? DEFAULT_WAITING_RULES;
  }

  async set(by: Actor, organizationId: number, rules: WaitingRules): Promise<WaitingRules> {
    if (!administers(by, organizationId)) throw new Refusal('tasks.settingsByAdministrator');
    if (this.#records.get(organizationId))
      await this.#records.change(organizationId, (settings) => ({ ...settings, ...rules }));
    else
      await this.#records.insert({
        ...{ id: organizationId, kind: 'dispatchSettings', name: '', isDeleted: false, organizationId },
        ...rules,
      });
    return rules;
  }

  /** Calls the listener when the rules of organizations changed. Returns the unsubscription. */
  onChange(listener: () => void): () => void {
    return this.#records.watch(listener);
  }

  close(): void {
    this.#mirror.close();
  }
}
