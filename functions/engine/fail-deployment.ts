import * as z from 'zod';
import { type Sub, subWrites } from '../../shared/data/engine/subscriptions.ts';
import { TransactionRefusedError } from '../../shared/data/table/store.ts';
import { HUB_SOURCE } from '../../shared/domain/deployments/event-source.ts';
import { MalformedEventError } from '../execution-events/events.ts';
import { takeEvent } from '../execution-events/take-event.ts';
import type { EngineRuntime } from './engine-runtime.ts';

const MAX_REASON = 500;

/** Tells failures that no retry mends: data of the deployment, or a refusal of its ledger. */
export const isPermanent = (error: unknown): error is Error =>
  error instanceof MalformedEventError || error instanceof z.ZodError || error instanceof RangeError;

/** Marks a subscription and its deployment as failed. The deployment is skipped from now on. */
export const failDeployment = async (
  engine: EngineRuntime,
  sub: Sub,
  at: number,
  error: Error,
): Promise<void> => {
  const { store, log } = engine;
  const { deployment_id, symbol } = sub;
  const reason = error instanceof z.ZodError ? 'the stored account cannot be read' : error.message;
  log.error('a deployment of the engine failed', { deployment_id, reason });
  await takeEvent(engine, {
    'detail-type': 'Deployment Error',
    source: HUB_SOURCE,
    detail: {
      version: 1,
      deployment_id,
      occurred_at: new Date(at).toISOString(),
      message: `${symbol}: ${reason}`.slice(0, MAX_REASON),
    },
  });
  const failed: Sub = sub.kind === 'N' ? { ...sub, error: reason } : { ...sub, kind: 'F', error: reason };
  try {
    await store.transact(subWrites(sub, failed));
  } catch (refusal) {
    if (!(refusal instanceof TransactionRefusedError)) throw refusal;
  }
};
