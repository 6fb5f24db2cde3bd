export function lint(folder: string, path: string): Promise<string>;
export function lintComponents(home: string): Promise<string>;
