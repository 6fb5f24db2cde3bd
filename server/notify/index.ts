export { mailOfWaiting } from './told-of-waiting.ts';
export { MailQueue, type Mail } from './mail-queue.ts';
export { Notices, type People } from './notices.ts';
export { PostQueue, type PostItem } from './post-queue.ts';
export { SentSweep } from './sent-sweep.ts';
export type { Recipient } from './compose.ts';
