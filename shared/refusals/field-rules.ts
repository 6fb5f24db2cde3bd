import { Refusal } from '../refusal.ts';
import { sentenceOf, type ParamsOf, type RefusalCode, type RefusalParams } from './reason.ts';

type FieldCode = Extract<RefusalCode, `field.${string}`>;

const RULES = new Map<string, { readonly code: FieldCode; readonly params: RefusalParams }>();

/**
 * A rule of a field as the message of a schema: the sentence without the field and the full stop. For schemas
 * that are made once: every rule is kept, so that `refusalOfRule` finds its code again.
 */
export function fieldRule<Code extends FieldCode>(
  code: Code,
  ...[params]: Omit<ParamsOf<Code>, 'field'> extends Record<never, never>
    ? readonly [params?: Omit<ParamsOf<Code>, 'field'>]
    : readonly [params: Omit<ParamsOf<Code>, 'field'>]
): string {
  const given = (params ?? {}) as RefusalParams;
  const rule = sentenceOf({ code, params: { ...given, field: '' } })
    .trimStart()
    .replace(/\.$/, '');
  RULES.set(rule, { code, params: given });
  return rule;
}

/** The refusal of a field that breaks a rule, from the message of its schema. */
export function refusalOfRule(field: string, rule: string): Refusal {
  const { code, params } = RULES.get(rule) ?? { code: 'field.fault' as const, params: { rule } };
  return Refusal.of({ code, params: { ...params, field } });
}
