/** How many test files run at once. With three on two cores, tests of real time limits failed now and then. */
export const WORKERS = 2;
