/** The statuses of tasks, by the numbers of the interface. */
export const NEW = 1;
export const ASSIGNED = 2;
export const FEEDBACK = 3;
export const DONE = 4;
