import { z } from 'zod';
import { setting } from '../setting.ts';

/** Uploads and their conversion. */
export const FILE_SETTINGS = {
  'uploadLimit': setting({
    schema: z.int().min(1).max(100_000),
    default: 200,
    environment: 'WAYPOST_UPLOAD_LIMIT',
    reason: 'Largest file accepted, in megabytes: some minutes of video from a phone.',
  }),
  'uploadQuota': setting({
    schema: z.int().min(1).max(1_000_000),
    default: 1000,
    environment: 'WAYPOST_UPLOAD_QUOTA',
    reason:
      'Megabytes of one user’s uploads that no record uses yet; they are deleted after a day. One largest file always fits.',
  }),
  'files.scanner': setting({
    schema: z
      .string()
      .max(1000)
      .regex(/^(\/.+|[^\s/]+:\d{1,5})$/, 'must be the path of a socket, or HOST:PORT')
      .nullable(),
    default: null,
    environment: 'WAYPOST_FILES_SCANNER',
    reason:
      'Where clamd of ClamAV listens: `/run/clamav/clamd.ctl`, or HOST:PORT. It scans each file that is sent to this station; files with viruses are refused, and all while it does not answer. Default: none.',
  }),
  'files.store': setting({
    schema: z
      .union([
        z.literal('jetstream'),
        z
          .url({ protocol: /^https?$/, message: 'must be jetstream or an address such as https://s3.example/bucket' })
          .regex(/^https?:\/\/[^/?#]+\/[^/?#]+[^?#]*$/, 'must name a bucket: https://s3.example/bucket')
          .max(1000),
      ])
      .nullable(),
    default: null,
    environment: 'WAYPOST_FILES_STORE',
    reason:
      'Where the station keeps copies of its files, for other stations and in case it is lost: `jetstream`, the NATS servers of its region, or the bucket of an S3 server (https://s3.example/bucket). Default: none.',
  }),
  'files.storeKey': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_FILES_STORE_KEY',
    reason: 'File with the access key of the S3 server: its id in the first line, its secret in the second.',
  }),
  'files.storeRegion': setting({
    schema: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must have small letters, digits and dashes only'),
    default: 'us-east-1',
    environment: 'WAYPOST_FILES_STORE_REGION',
    reason: 'Region of the S3 server; a server with one region takes the default.',
  }),
  'ffmpeg': setting({
    schema: z.string().min(1).max(4096),
    default: 'ffmpeg',
    environment: 'WAYPOST_FFMPEG',
    reason:
      'The program that converts video and sound, found on the PATH. Without it files are kept and served as they were sent. `off`: do not look for it.',
  }),
} as const;
