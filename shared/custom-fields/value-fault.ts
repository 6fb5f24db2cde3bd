import { Refusal } from '../refusal.ts';

/** Why a value is invalid, by the rule that it breaks, so that callers can translate it. */
export type ValueFault =
  | { readonly rule: 'needed' | 'whole' | 'number' | 'flag' | 'date' | 'text' | 'oneLine' }
  | { readonly rule: 'oneOf'; readonly values: string }
  /** An example of the pattern, because users cannot be expected to read patterns. */
  | { readonly rule: 'pattern' }
  | { readonly rule: 'example'; readonly example: string }
  | { readonly rule: 'atLeast' | 'atMost'; readonly count: number }
  /** `fault` is in English, from `geometryFault`. */
  | { readonly rule: 'geometry'; readonly fault: string };

/** The refusal of a value: its message names the field, `fault` is the rule alone. */
export class ValueRefusal extends Refusal {
  readonly fault: ValueFault;

  constructor(name: string, fault: ValueFault) {
    super('invalid', `${name} ${inEnglish(fault)}`);
    this.fault = fault;
  }
}

function inEnglish(fault: ValueFault): string {
  switch (fault.rule) {
    case 'needed':
      return 'is needed.';
    case 'whole':
      return 'must be a whole number.';
    case 'number':
      return 'must be a number.';
    case 'flag':
      return 'must be true or false.';
    case 'date':
      return 'must be a date, as 2026-03-31 or 31.03.2026.';
    case 'text':
      return 'must be a text.';
    case 'oneLine':
      return 'must be a text of one line.';
    case 'oneOf':
      return `must be one of: ${fault.values}.`;
    case 'pattern':
      return 'is not written as this field asks.';
    case 'example':
      return `is not written as this field asks, for example ${fault.example}.`;
    case 'atLeast':
      return `must have at least ${fault.count} characters.`;
    case 'atMost':
      return `must have at most ${fault.count} characters.`;
    case 'geometry':
      return `must be GeoJSON: ${fault.fault}.`;
  }
}
