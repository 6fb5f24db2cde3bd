export { Files, type FilesOptions, type Upload } from './uploads.ts';
export { Attachments, type AttachOrder, type Prepared } from './attachments.ts';
export { Conversions } from './conversions.ts';
export {
  COUNTED,
  fileNameOf,
  storedForm,
  mainPhotoAfter,
  UPLOAD_PLACES,
  readFileName,
  type AttachmentKindName as AttachmentKindName,
} from './attach.ts';
export { Blobs, type Blob } from './blobs.ts';
export { kindOf, type FileKind } from './kinds.ts';
export { VirusScanner } from './virus-scanner.ts';
export { extensionOf, safeName } from './names.ts';
export type { PictureSize, Scaled } from './pictures.ts';
