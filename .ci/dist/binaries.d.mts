export interface Binary {
  readonly format: 'ELF' | 'PE' | 'Mach-O' | 'DOS';
  readonly cpu?: string;
  readonly libc?: 'glibc' | 'musl' | undefined;
  readonly needs?: readonly string[];
  readonly symbols?: readonly string[];
}
export function readBinary(path: string): Binary | undefined;
export function requireBinariesFor(system: string, folder: string): (Binary & { readonly path: string })[];
