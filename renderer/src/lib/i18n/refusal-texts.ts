import { REFUSALS } from '../../../../shared/refusals/catalogue.ts';
import { dispatch } from './refusals/dispatch.ts';
import { requests } from './refusals/interface.ts';
import { station } from './refusals/station.ts';
import { territory } from './refusals/territory.ts';
import type { RefusalTextsOf } from './refusals/texts-of.ts';
import { tracking } from './refusals/tracking.ts';

/** One text for each refusal of the catalogue, by room and name. */
type RefusalTexts = RefusalTextsOf<keyof typeof REFUSALS>;

/** The sentences of the catalogue. */
export const en = Object.fromEntries(
  Object.entries(REFUSALS).map(([room, entries]) => [
    room,
    Object.fromEntries(Object.entries(entries as Entries).map(([name, { text }]) => [name, text])),
  ]),
) as RefusalTexts;
type Entries = Readonly<Record<string, { readonly text: string }>>;

/** Texts about `{field}` leave out its name: a form shows it above, other places before the text. */
export const ru: RefusalTexts = { ...dispatch, ...requests, ...station, ...territory, ...tracking };
