/**
 * Photos on a task's sheet. In a file of its own, so that the event loop need not load the code that writes
 * PDF.
 */
export const MAX_PHOTOS = 4;
