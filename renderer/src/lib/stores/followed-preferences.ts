import { ApiError, type Client } from '../api/client.ts';

/** Values by the name of the preference, as JSON has them. */
export type PreferenceValues = Readonly<Record<string, unknown>>;

interface FollowedOptions {
  readonly client: Client;
  /** The values of this console that follow the person. */
  local(): PreferenceValues;
  /** Takes up values that the person chose elsewhere. */
  apply(values: PreferenceValues): unknown;
  /** Those of a console in which nobody has chosen anything. */
  defaults(): PreferenceValues;
  /** The values that this console and the station last had in common; undefined: they have not met. */
  known(): PreferenceValues | undefined;
  keep(known: PreferenceValues): void;
  /** Values on their way to the station: a page that is left does not hear whether they arrived. */
  sent(): PreferenceValues;
  keepSent(values: PreferenceValues): void;
}

const pick = (values: PreferenceValues, names: readonly string[]): PreferenceValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
export const isSameValue = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Returns the function that synchronizes both. It runs once at a time: a second run would take values that
 * the first is still writing for the choice of another console.
 */
export function follower(options: FollowedOptions): () => Promise<void> {
  let last = Promise.resolve();
  const bring = () => bringTogether(options);
  return () => (last = last.then(bring, bring));
}

/**
 * Brings a person's preferences together with those at the station. What was changed here since both agreed goes there;
 * of the rest the station's values count. A station that cannot be reached, or takes no changes, is asked another time.
 */
async function bringTogether(options: FollowedOptions): Promise<void> {
  const { client, local, apply, defaults, known, keep, sent, keepSent } = options;
  try {
    const { values: there } = (await client.request('get', '/auth/preferences')) as { values: PreferenceValues };
    const here = local();
    // At first the station's values apply; values that it lacks come from here.
    const arrived = Object.entries(sent()).filter(([name, value]) => isSameValue(value, there[name]));
    const agreed = {
      ...(known() ?? { ...defaults(), ...pick(here, Object.keys(there)) }),
      ...Object.fromEntries(arrived),
    };
    const changed = Object.fromEntries(
      Object.entries(here).filter(
        ([name, value]) => !isSameValue(value, agreed[name]) && !isSameValue(value, there[name]),
      ),
    );
    const taken = Object.fromEntries(
      Object.entries(there).filter(
        ([name, value]) => name in here && !(name in changed) && !isSameValue(value, here[name]),
      ),
    );
    if (Object.keys(taken).length > 0) apply(taken);
    keep({ ...agreed, ...there });
    keepSent(changed);
    if (Object.keys(changed).length === 0) return;
    await client.request('put', '/auth/preferences', { body: { values: changed as never } });
    keep({ ...agreed, ...there, ...changed });
    keepSent({});
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
