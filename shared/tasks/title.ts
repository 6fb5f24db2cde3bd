/** Most characters of a task's title. */
export const LONGEST_TITLE = 255;
