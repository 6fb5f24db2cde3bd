import { administers, type Actor } from '../../../../shared/access.ts';
import type { AlarmRule, AlarmRules } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Records, Store } from '../../../store/types.ts';
import { DEFAULT_RULES } from './default-rules.ts';

const MAX_RULES = 100;

/** The alarm rules of each organization. */
export class AlarmRuleStore {
  readonly #records: Records<AlarmRules>;

  constructor(store: Store) {
    this.#records = store.kind<AlarmRules>('fleet', 'alarmRules');
  }

  of(organizationId: number): readonly AlarmRule[] {
    return this.#records.get(organizationId)?.rules ?? DEFAULT_RULES;
  }

  /** The rule for an event: one that names its subject comes first, then the most severe. */
  forEvent(organizationId: number, type: number, subject: string): AlarmRule | undefined {
    return this.of(organizationId)
      .filter(
        ({ enabled, source }) =>
          enabled &&
          source.kind === 'event' &&
          source.type === type &&
          (source.subject === '' || source.subject === subject),
      )
      .sort((a, b) => Number(subjectOf(a) === '') - Number(subjectOf(b) === '') || a.priority - b.priority)[0];
  }

  forUnitStatus(organizationId: number, status: number): AlarmRule | undefined {
    return this.of(organizationId).find(
      ({ enabled, source }) => enabled && source.kind === 'unit-status' && source.status === status,
    );
  }

  /** The most severe rule for new tasks of a category of this importance. */
  forTask(organizationId: number, importance: number): (AlarmRule & { source: { kind: 'message' } }) | undefined {
    return this.of(organizationId)
      .filter(
        (rule): rule is AlarmRule & { source: { kind: 'message'; importance: number; afterSeconds: number } } =>
          rule.enabled && rule.source.kind === 'message' && importance <= rule.source.importance,
      )
      .sort((a, b) => a.priority - b.priority || a.source.afterSeconds - b.source.afterSeconds)[0];
  }

  /** Replaces the whole list. */
  async replace(by: Actor, organizationId: number, rules: readonly AlarmRule[]): Promise<readonly AlarmRule[]> {
    if (!administers(by, organizationId)) throw new Refusal('alarms.rulesByAdministrator');
    const checked = checkedRules(rules);
    const fields = {
      id: organizationId,
      kind: 'alarmRules' as const,
      name: 'alarm rules',
      isDeleted: false,
      organizationId,
      rules: checked,
    };
    if (this.#records.get(organizationId))
      await this.#records.change(organizationId, (record) => ({ ...record, ...fields }));
    else await this.#records.insert(fields);
    return checked;
  }
}

function subjectOf({ source }: AlarmRule): string {
  return source.kind === 'event' ? source.subject : '';
}

function checkedRules(rules: readonly AlarmRule[]): AlarmRule[] {
  if (rules.length > MAX_RULES) throw new Refusal('alarms.tooManyRules', { most: MAX_RULES });
  const seen = new Set<string>();
  return rules.map((rule) => {
    if (seen.has(rule.id)) throw new Refusal('alarms.ruleTwice', { id: rule.id });
    seen.add(rule.id);
    const [name, response] = [bothOf(rule.name), bothOf(rule.response)];
    if (name.en === '') throw new Refusal('alarms.ruleName', { field: 'name', id: rule.id });
    if (response.en === '') throw new Refusal('alarms.ruleResponse', { field: 'response', id: rule.id });
    return { ...rule, name, response };
  });
}

/** A text in one language serves for both. */
function bothOf({ en, ru }: { en: string; ru: string }): { en: string; ru: string } {
  return { en: en.trim() || ru.trim(), ru: ru.trim() || en.trim() };
}
