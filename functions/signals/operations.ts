import type { Operation } from '../../shared/api/operation.ts';
import { createSignalHook } from './create-signal-hook.ts';
import { getSignalHook } from './get-signal-hook.ts';
import { receiveSignal } from './receive-signal.ts';
import { revokeSignalHook } from './revoke-signal-hook.ts';

/** Operations on signals that come from outside, such as alerts of TradingView. */
export const signalsOperations: readonly Operation[] = [
  createSignalHook,
  getSignalHook,
  revokeSignalHook,
  receiveSignal,
];
