import { createRuntime } from '../../shared/runtime.ts';
import { deliverLane } from './batch.ts';
import { deliver } from './deliver.ts';

export const handler = deliverLane(deliver, createRuntime);
