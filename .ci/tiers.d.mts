/** The slow files that each run takes: paths from the root. */
export const ESSENTIAL: readonly string[];

/** Files of the other projects that a short run leaves out unless they differ. */
export const LONG: readonly string[];

/** The commit to compare with: where the branch left main, and on main the commit before. */
export function comparedCommit(root: string): string;

/** The files below `folders` that differ from `comparedCommit`, those that git does not know yet, too. */
export function changedFiles(root: string, folders: readonly string[]): string[];

/** The slow and long files that a short run takes, and those that it leaves out: paths from `root`. */
export function tiersOf(root: string): { taken: string[]; left: string[] };

/** Which project of the test runner a slow file belongs to. */
export function projectOf(file: string): 'browser' | 'looks' | 'stations' | 'unit' | 'http';
