export const NODE: { readonly version: string };
export function rowsFor(system: string, options: { node: boolean }): Promise<Record<string, { version: string }>>;
