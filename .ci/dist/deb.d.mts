import type { Binary } from './binaries.mjs';
export function dependsOn(binaries: readonly (Partial<Binary> & { readonly path: string })[]): string[];
