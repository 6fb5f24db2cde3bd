export function unitAt(home: string): string;
