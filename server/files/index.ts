export { Files, type FilesOptions, type Upload } from './uploads.ts';
export { Blobs, type Blob } from './blobs.ts';
export { kindOf, KIND_BYTES, type Kind } from './kinds.ts';
export { extensionOf, safeName } from './names.ts';
export type { Scaled } from './pictures.ts';
