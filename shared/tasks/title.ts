/** Characters that the title of a task has at most. */
export const LONGEST_TITLE = 255;
