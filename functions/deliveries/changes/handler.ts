import { deliverLane } from '../../../shared/deliveries/batch.ts';
import { moveChanges } from '../../../shared/deliveries/changes/move-changes.ts';
import { createSecretlessRuntime } from '../../../shared/runtime.ts';

export const handler = deliverLane(moveChanges, createSecretlessRuntime);
