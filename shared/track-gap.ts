/**
 * ms. Longer than this between two positions, nobody knows what the vehicle did: neither the card of its
 * track nor a report counts it as driving or standing.
 */
export const SILENCE_MS = 5 * 60_000;
