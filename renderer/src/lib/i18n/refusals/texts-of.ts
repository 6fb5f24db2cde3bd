import type { REFUSALS } from '../../../../../shared/refusals/catalogue.ts';

/** One text for each refusal of these rooms, by room and name. */
export type RefusalTextsOf<Rooms extends keyof typeof REFUSALS> = {
  readonly [Room in Rooms]: { readonly [Name in keyof (typeof REFUSALS)[Room]]: string };
};
