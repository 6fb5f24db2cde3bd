import { workAndReport } from './import-work.ts';

await workAndReport();
