import { afterAll } from '@jest/globals';
import { synthesize } from './synthesized.ts';

const complete = synthesize();
afterAll(complete.discard);

/** The app of the complete stages, and their templates. Synthesized once for all files that only read them. */
export const { app, stages } = complete;
