/** The statuses of messages, by the numbers that the interface gives them. */
export const NEW = 1;
export const ASSIGNED = 2;
export const FEEDBACK = 3;
export const DONE = 4;
