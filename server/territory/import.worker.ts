import { enableCompileCache, flushCompileCache } from 'node:module';

// To load its code takes a thread as long as to read a small country; compiled code that is kept from last time takes a tenth of that.
enableCompileCache();
const { workAndTell } = await import('./import-work.ts');
flushCompileCache();
await workAndTell();
