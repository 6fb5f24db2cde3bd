// Vitest runs this before each test file of the projects that share a process.
import { afterAll } from 'vitest';
import { finishFile } from '../support/after-file.ts';

afterAll(finishFile);
