import type { RefusalKind } from './refusals/kinds.ts';
import {
  plain,
  refusalEntry,
  sentenceOf,
  type ParamsArgument,
  type Reason,
  type RefusalCode,
  type RefusalParams,
} from './refusals/reason.ts';

export type { RefusalKind } from './refusals/kinds.ts';

/**
 * A refusal is an expected answer to a request that is not allowed; anything else thrown is a bug. It is a code
 * of the catalogue (`shared/refusals`) with its parameters, so that every program words it in its own language.
 * The message is the English sentence.
 */
export class Refusal<Code extends RefusalCode = RefusalCode> extends Error implements Reason {
  override readonly name = 'Refusal';
  readonly kind: RefusalKind;
  readonly code: RefusalCode;
  readonly params: RefusalParams;

  constructor(code: Code, ...[params, options]: readonly [...ParamsArgument<Code>, options?: ErrorOptions]) {
    const filled = plain((params ?? {}) as RefusalParams);
    super(sentenceOf({ code, params: filled }), options as ErrorOptions | undefined);
    this.kind = refusalEntry(code)!.kind;
    this.code = code;
    this.params = filled;
  }

  /** The refusal of a reason that came from a thread or another program. */
  static of({ code, params }: Reason, options?: ErrorOptions): Refusal {
    return new Refusal(code, params as never, options);
  }
}
