import type { Tags } from '../../extract/extract.ts';
import { accessOf, type OnUnreadableLimit } from './classify-way.ts';
import type { Profile } from '../profiles/profile.ts';
import { fitOf } from './vehicle-limits.ts';

/**
 * Whether a node blocks the vehicle. An access tag decides before the kind of barrier, unless it does not
 * apply to this vehicle. An unreadable limit blocks and is passed to `doubt`.
 */
export function isBarrier(tags: Tags, profile: Profile, doubt?: OnUnreadableLimit): boolean {
  const fit = fitOf(tags, profile);
  if (fit === 'exceeds') return true;
  if (isShut(tags, profile)) return true;
  if (fit === 'fits') return false;
  doubt?.(fit.unreadable);
  return true;
}

function isShut(tags: Tags, profile: Profile): boolean {
  if (!profile.barriers.obeyed) return false;
  const access = accessOf(tags, profile);
  if (access !== undefined && access !== 'overruled') return access === 'denied';
  const barrier = tags.barrier;
  if (!barrier) return false;
  return !profile.barriers.passable.includes(barrier) && tags.bollard !== 'rising';
}

export function isSignal(tags: Tags): boolean {
  return tags.highway === 'traffic_signals';
}
