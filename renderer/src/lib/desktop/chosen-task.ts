import type { RouteLocationNormalizedLoaded } from 'vue-router';

/** The page with only the card. */
export const CARD = '/card';

/** The task that an address names: `/card?task=168`. */
export function taskIn({ query }: Pick<RouteLocationNormalizedLoaded, 'query'>): number | undefined {
  const stated = query['task'];
  return typeof stated === 'string' && /^[1-9]\d{0,15}$/.test(stated) ? Number(stated) : undefined;
}
