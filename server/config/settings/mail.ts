import { z } from 'zod';
import { setting } from '../setting.ts';

/** Mail and letters. */
export const MAIL_SETTINGS = {
  smtpUrl: setting({
    schema: z.url({ protocol: /^smtps?$/, message: 'must be an address such as smtp://mail.example:587' }).nullable(),
    default: null,
    environment: 'WAYPOST_SMTP_URL',
    reason: 'Mail server for notices. If not set: nothing is sent, and the queue says why.',
  }),
  mailFrom: setting({
    schema: z.string().min(3).max(320),
    default: 'Waypost <waypost@localhost>',
    environment: 'WAYPOST_MAIL_FROM',
    reason: 'Sender of notices. Most mail servers accept only addresses that they know.',
  }),
  mailDays: setting({
    schema: z.int().min(1).max(3650),
    default: 90,
    environment: 'WAYPOST_MAIL_DAYS',
    reason:
      'Days that mail is kept after it was sent or given up, and letters after they were printed, so that people can look up who was notified.',
  }),
} as const;
