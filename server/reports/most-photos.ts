/**
 * Photos on a task's sheet. In a file of its own: the event loop asks for it, and need not load what writes
 * PDF.
 */
export const MOST_PHOTOS = 4;
