import { isLonger } from '../../../../shared/text/characters.ts';
import { minuteTime } from '../../lib/time/period.ts';
import type { RefusalWords } from '../../lib/i18n/refusal-words.ts';

/** The draft of a form: one flat object, in the console's own terms. */
export type FormDraft = object;

export interface FieldChoice {
  readonly value: number | string;
  readonly text: string;
}

interface FieldFrame<D extends FormDraft> {
  readonly key: keyof D & string;
  readonly label: string;
  readonly hint?: string;
  /** In its place when it depends on the draft. */
  readonly hintOf?: (draft: D) => string;
  /** In its place while the record is new. */
  readonly hintOfNew?: string;
  /** Names by which the station calls it when it refuses a value, beside the key itself. */
  readonly wire?: readonly string[];
  readonly required?: boolean;
  /** Hidden where it does not apply; its value stays. */
  readonly shown?: (draft: D) => boolean;
  /** To be read, not changed. */
  readonly fixed?: (draft: D, isNew: boolean) => boolean;
  /** Fields of one section are grouped under its heading, in the order of its first field. */
  readonly section?: string;
  /** Two such fields beside each other share a line. */
  readonly half?: boolean;
  /** The stored value is unknown here, so its change cannot be undone. */
  readonly unknown?: boolean;
}

/** One control of a form. `custom` ones are drawn by the page, in the slot `field-<key>`. */
export type Field<D extends FormDraft> = FieldFrame<D> &
  (
    | {
        readonly kind: 'text';
        readonly type?: 'text' | 'email' | 'tel' | 'password' | 'url';
        readonly rows?: number;
        readonly longest?: number;
        readonly autocomplete?: string;
      }
    /** A number or null. */
    | {
        readonly kind: 'number';
        readonly least?: number;
        readonly most?: number;
        readonly whole?: boolean;
        readonly unit?: string;
      }
    /** Texts, one on each line. */
    | { readonly kind: 'lines'; readonly rows?: number }
    /** Seconds, written as 1:30 (hours and minutes) or 1:30:15; 0 is empty. */
    | { readonly kind: 'period' }
    /**
     * A minute of this machine's zone, as `MomentField` has it, or empty. `after` names a field that it must
     * follow; `future`: it must be in the future.
     */
    | { readonly kind: 'moment'; readonly after?: keyof D & string; readonly future?: boolean }
    | { readonly kind: 'choice'; readonly choices: readonly FieldChoice[] }
    /** Values of several choices. */
    | { readonly kind: 'several'; readonly choices: readonly FieldChoice[] }
    | { readonly kind: 'flag' }
    /** The name of one of a few colours; each is drawn in the CSS colour that it has here. */
    | { readonly kind: 'colour'; readonly colours: readonly (FieldChoice & { readonly colour: string })[] }
    | { readonly kind: 'custom' }
  );

/** A fault that validation finds before any request, as a code that the form words. */
type FieldFault = 'needed' | 'tooLong' | 'notANumber' | 'outOfBounds' | 'notAPeriod' | 'notATime' | 'notAfter' | 'past';

export function faultOf<D extends FormDraft>(field: Field<D>, draft: D, now = Date.now()): FieldFault | undefined {
  const value: unknown = draft[field.key];
  if (
    field.required &&
    (value === '' ||
      value === null ||
      value === undefined ||
      (typeof value === 'string' && value.trim() === '') ||
      (Array.isArray(value) && value.length === 0))
  )
    return 'needed';
  if (field.required && field.kind === 'choice' && value === 0) return 'needed';
  if (field.kind === 'text' && typeof value === 'string' && isLonger(value, field.longest ?? Infinity))
    return 'tooLong';
  if (field.kind === 'number' && value !== null) {
    if (typeof value !== 'number' || !Number.isFinite(value) || (field.whole && !Number.isInteger(value)))
      return 'notANumber';
    if (value < (field.least ?? -Infinity) || value > (field.most ?? Infinity)) return 'outOfBounds';
  }
  if (field.kind === 'period' && typeof value !== 'number') return 'notAPeriod';
  if (field.kind === 'moment' && value !== '') {
    const at = minuteTime(String(value));
    if (at === undefined) return 'notATime';
    if (field.future && at <= now) return 'past';
    const start = field.after && minuteTime(String(draft[field.after]));
    if (typeof start === 'number' && at <= start) return 'notAfter';
  }
  return undefined;
}

/**
 * Assigns a refusal to the field that it names, with the rule alone as its text. `min_length` is also the
 * field of `min_length.0`. Without a field it is for the whole form.
 */
export function placeRefusal<D extends FormDraft>(
  { sentence, field: named, rule }: RefusalWords,
  fields: readonly Field<D>[],
): { readonly key?: keyof D & string; readonly text: string } {
  const found =
    named === undefined
      ? undefined
      : fields.find(({ key, wire = [] }) => [key, ...wire].some((name) => name === named || isPart(named, name)));
  return found ? { key: found.key, text: rule.charAt(0).toUpperCase() + rule.slice(1) } : { text: sentence };
}

function isPart(named: string, name: string): boolean {
  return named.startsWith(name) && !/[\p{L}\p{N}_]/u.test(named.charAt(name.length));
}

/** Whether two values of a draft say the same. */
export function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Changes that were typed while `saved` was on its way. */
export function changesSince<D extends FormDraft>(saved: D, changes: Partial<D> = {}): Partial<D> {
  const later = Object.entries(changes).filter(([key, value]) => !same(value, saved[key as keyof D]));
  return Object.fromEntries(later) as Partial<D>;
}

/** Seconds as 1:30 or 1:30:15; 0 is empty. */
export function periodText(seconds: number): string {
  if (seconds === 0) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  const rest = seconds % 60;
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}${rest ? `:${two(rest)}` : ''}`;
}

/** Parses `periodText`; undefined for other text. */
export function periodSeconds(text: string): number | undefined {
  if (text.trim() === '') return 0;
  const found = /^\s*(\d{1,5}):([0-5]?\d)(?::([0-5]?\d))?\s*$/.exec(text);
  return found ? Number(found[1]) * 3600 + Number(found[2]) * 60 + Number(found[3] ?? 0) : undefined;
}
