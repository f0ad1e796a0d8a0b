import type { ExecutionRuntime } from '../../../shared/broker-orders/execution-runtime.ts';
import { takeRequest as entry } from '../../../shared/broker-orders/take-request.ts';
import type { AdapterName } from '../../../shared/domain/deployments/event-source.ts';
import { inRole } from '../roles.ts';

const ENTRIES: Readonly<Record<AdapterName, typeof entry>> = {
  alpaca: inRole('broker-orders', entry),
  binance: inRole('binance-orders', entry),
};

export const takeRequest = (work: ExecutionRuntime, event: unknown): Promise<void> =>
  ENTRIES[work.adapter.name](work, event);
