export { FileCopies } from './file-copies.ts';
export { JetStreamObjects } from './jetstream-objects.ts';
export { S3Objects } from './s3-objects.ts';
export type * from './types.ts';
