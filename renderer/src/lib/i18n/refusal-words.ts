import type { Reason, RefusalParam } from '../../../../shared/refusals/reason.ts';
import { i18n } from './index.ts';
import { FIELD_NAMES, TERMS } from './refusal-terms.ts';

/**
 * A refusal in the operator's language. `field` is the interface's name of the field that it is about; then
 * `rule` is the text for a form that shows the field itself.
 */
export interface RefusalWords {
  readonly sentence: string;
  readonly field?: string;
  readonly rule: string;
}

/** Words a reason; undefined: this console has no text for its code. */
export function refusalWords({ code, params }: Reason): RefusalWords | undefined {
  const { t, te, locale } = i18n.global;
  const key = `refusal.${code}`;
  if (!te(key, 'en')) return undefined;
  const worded = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, paramWords(name, value)]));
  const text = t(key, worded);
  const { field } = params;
  if (typeof field !== 'string') return { sentence: text, rule: text };
  if (locale.value === 'ru') return { sentence: `${FIELD_NAMES[field] ?? field}: ${text}`, field, rule: text };
  return {
    sentence: text,
    field,
    rule: text.startsWith(field) ? text.slice(field.length).replace(/^[\s:]+/, '') : text,
  };
}

function paramWords(name: string, value: RefusalParam): string | number {
  if (typeof value === 'object') return refusalWords(value)?.sentence ?? '';
  if (typeof value === 'number' || i18n.global.locale.value !== 'ru') return value;
  return (name === 'other' ? FIELD_NAMES : TERMS[name])?.[value] ?? value;
}
