/** A position older than this (ms) is shown as old: hollow, with its age. */
export const STALE_MS = 2 * 60_000;
