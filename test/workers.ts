/** How many test files run at once: one more than the smallest machine has cores, since tests often wait. */
export const WORKERS = 3;
