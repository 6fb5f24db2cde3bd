import { enableCompileCache, flushCompileCache } from 'node:module';

// As in `import.worker.ts`.
enableCompileCache();
await import('./import-help.ts');
flushCompileCache();
