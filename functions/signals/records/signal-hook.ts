import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';
import type { Deployment } from '../../../shared/data/deployments/deployments.ts';
import type { SignalHook } from '../../../shared/data/signals/signal-hooks.ts';
import { placesRealOrders } from '../real-terms.ts';

const SIGNAL_EFFECTS = ['order', 'notification'] as const;

const hookFields = {
  deployment_id: integer(),
  effect: z.enum(SIGNAL_EFFECTS),
  created_at: timestamp(),
  signalled_at: timestamp().nullable(),
  is_real: z.boolean(),
  max_quantity: z.string().nullable(),
};

export const signalHookOut = extensionRecord('SignalHook', z.object(hookFields));

const refusedOut = extensionRecord(
  'RefusedAlert',
  z.object({ at: timestamp(), code: z.string(), reason: z.string(), text: z.string() }),
);

/** A hook with the alerts that were refused last. */
export const shownHookOut = extensionRecord(
  'ShownSignalHook',
  z.object({ ...hookFields, refused: z.array(refusedOut) }),
);

/** A hook with its address, which is shown once. */
export const newSignalHookOut = extensionRecord(
  'NewSignalHook',
  z.object({ ...hookFields, url: z.string(), template: z.string() }),
);

/** Presents a hook to the owner, without its token. */
export const presentHook = (
  { deployment_id, created_at, signalled_at, max_quantity }: Omit<SignalHook, 'token_hash' | 'rev'>,
  deployment: Deployment,
): z.output<typeof signalHookOut> => ({
  deployment_id,
  effect: deployment.kind === 'live' ? 'order' : 'notification',
  created_at,
  signalled_at: signalled_at ?? null,
  is_real: placesRealOrders(deployment),
  max_quantity: max_quantity ?? null,
});
