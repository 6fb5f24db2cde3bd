import { z } from 'zod';
import { setting } from '../setting.ts';

/** Uploads and their conversion. */
export const FILE_SETTINGS = {
  uploadLimit: setting({
    schema: z.int().min(1).max(100_000),
    default: 200,
    environment: 'WAYPOST_UPLOAD_LIMIT',
    reason: 'Largest file that is taken in, in megabytes: some minutes of video from a phone.',
  }),
  uploadQuota: setting({
    schema: z.int().min(1).max(1_000_000),
    default: 1000,
    environment: 'WAYPOST_UPLOAD_QUOTA',
    reason:
      'Megabytes of one user’s uploads that no record names yet; they are cleared after a day. A largest file always has room.',
  }),
  ffmpeg: setting({
    schema: z.string().min(1).max(4096),
    default: 'ffmpeg',
    environment: 'WAYPOST_FFMPEG',
    reason:
      'The program that converts video and sound, found on the PATH. Where there is none, what was sent is kept and served as it is; `off` looks for none.',
  }),
} as const;
