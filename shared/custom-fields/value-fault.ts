import { Refusal } from '../refusal.ts';
import { reason, type Reason } from '../refusals/reason.ts';

/** Why a value is invalid, by the rule that it breaks, so that callers can translate it. */
export type ValueFault =
  | { readonly rule: 'needed' | 'whole' | 'number' | 'flag' | 'date' | 'text' | 'oneLine' }
  | { readonly rule: 'oneOf'; readonly values: string }
  /** An example of the pattern, because users cannot be expected to read patterns. */
  | { readonly rule: 'pattern' }
  | { readonly rule: 'example'; readonly example: string }
  | { readonly rule: 'atLeast' | 'atMost'; readonly count: number }
  /** `fault` is from `geometryFault`. */
  | { readonly rule: 'geometry'; readonly fault: Reason };

/** The refusal of a value: its message names the field, `fault` is the rule alone. */
export class ValueRefusal extends Refusal {
  readonly fault: ValueFault;

  constructor(name: string, fault: ValueFault) {
    const { code, params } = reasonOf(name, fault);
    super(code, params as never);
    this.fault = fault;
  }
}

function reasonOf(field: string, fault: ValueFault): Reason {
  switch (fault.rule) {
    case 'needed':
      return reason('field.needed', { field });
    case 'whole':
      return reason('field.type', { field, expected: 'a whole number' });
    case 'number':
      return reason('field.type', { field, expected: 'a number' });
    case 'flag':
      return reason('field.type', { field, expected: 'true or false' });
    case 'date':
      return reason('field.date', { field });
    case 'text':
      return reason('field.type', { field, expected: 'a text' });
    case 'oneLine':
      return reason('field.type', { field, expected: 'a text of one line' });
    case 'oneOf':
      return reason('field.oneOfList', { field, values: fault.values });
    case 'pattern':
      return reason('field.pattern', { field });
    case 'example':
      return reason('field.example', { field, example: fault.example });
    case 'atLeast':
      return reason('field.tooShort', { field, least: fault.count });
    case 'atMost':
      return reason('field.tooLong', { field, most: fault.count });
    case 'geometry':
      return reason('field.notGeoJson', { field, fault: fault.fault });
  }
}
