import { workAndTell } from './import-work.ts';

await workAndTell();
