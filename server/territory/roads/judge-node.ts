import type { Tags } from '../extract.ts';
import { accessValue, exceedsLimits } from './judge-way.ts';
import type { Profile } from './profile.ts';

/** Whether a node cannot be driven through. An access tag decides before the kind of barrier does. */
export function isBarrier(tags: Tags, profile: Profile): boolean {
  if (exceedsLimits(tags, profile)) return true;
  if (!profile.barriers.obeyed) return false;
  const access = accessValue(tags, profile);
  if (access !== undefined) return profile.access.denied.includes(access);
  const barrier = tags.barrier;
  if (!barrier) return false;
  return !profile.barriers.passable.includes(barrier) && tags.bollard !== 'rising';
}

export function isSignal(tags: Tags): boolean {
  return tags.highway === 'traffic_signals';
}
