/** `WAYPOST_LONG=1` runs tests with random data, and tests that kill processes, at full length: for hours. */
export const LONG = process.env['WAYPOST_LONG'] === '1';

/** How often a test repeats: `usual` in each run, `long` in the long form. */
export const times = (usual: number, long: number): number => (LONG ? long : usual);
