import { networkInterfaces } from 'node:os';

/** ms between two looks */
const INTERVAL = 5_000;
/** A timer that is late by more than this many ms: the machine slept. */
const SLEPT = 20_000;

/**
 * Notices that the machine slept, that its clock jumped, or that its network changed: connections may be dead,
 * and stations that were away may be there. Node has no events for this. Returns the function that stops it.
 */
export function watchSurroundings(changed: (what: 'slept' | 'network') => void): () => void {
  let lookedAt = Date.now();
  let addresses = addressesHere();
  const timer = setInterval(() => {
    const now = Date.now();
    const late = Math.abs(now - lookedAt - INTERVAL);
    lookedAt = now;
    const before = addresses;
    addresses = addressesHere();
    if (late > SLEPT) changed('slept');
    else if (before !== addresses) changed('network');
  }, INTERVAL);
  timer.unref();
  return () => clearInterval(timer);
}

function addressesHere(): string {
  return Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .map(({ address }) => address)
    .sort()
    .join();
}
