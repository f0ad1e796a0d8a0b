import { createSecretlessRuntime } from '../../shared/runtime.ts';
import { deliverLane } from '../deliveries/batch.ts';
import { moveChanges } from './move-changes.ts';

export const handler = deliverLane(moveChanges, createSecretlessRuntime);
