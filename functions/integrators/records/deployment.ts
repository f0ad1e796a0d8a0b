import * as z from 'zod';
import { extensionRecord, integer, timestamp } from '../../../shared/api/fields.ts';
import { markedSummary } from '../../../shared/data/books/marked-summaries.ts';
import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { summaryOf } from '../../../shared/data/books/summary.ts';
import type { Broker } from '../../../shared/data/brokers/brokers.ts';
import type { Deployment } from '../../../shared/data/deployments/deployments.ts';
import { FREQUENCIES } from '../../../shared/domain/deployments/signal-frequency.ts';
import type { LastPrices } from '../../../shared/domain/ledger/last-prices.ts';
import { liveDeploymentCustomOut, positionOut, presentTrading } from '../../../shared/records/trading.ts';
import { deploymentFields, presentFields } from './deployment-fields.ts';
import { integratorScanner, presentScanner } from './scanner.ts';

const integratorNotificationDeployment = extensionRecord(
  'IntegratorNotificationDeployment',
  z.object({
    ...deploymentFields,
    type: z.literal('notification'),
    frequency: z.enum(FREQUENCIES),
    last_signal: z
      .object({ side: z.enum(['buy', 'sell']), price: z.number().nullable(), at: timestamp() })
      .nullable(),
    signals_count: integer(),
  }),
);

/**
 * Picks the owner's fields that the broker may read. A new field of the owner is hidden until it is picked
 * here.
 */
const tradingFields = liveDeploymentCustomOut.pick({
  deployment_id: true,
  strategy_id: true,
  strategy_name: true,
  symbols: true,
  timeframe: true,
  broker_id: true,
  account_id: true,
  mode: true,
  engine: true,
  status: true,
  phase: true,
  stop_reason: true,
  realized_pnl: true,
  unrealized_pnl: true,
  today_pnl: true,
  total_pnl: true,
  gross_pnl: true,
  fees: true,
  swap: true,
  currency: true,
  starting_capital: true,
  return_pct: true,
  trades_count: true,
  open_orders: true,
  prediction_market: true,
  deployed_at: true,
  started_at: true,
  stopped_at: true,
  expires_at: true,
  updated_at: true,
  as_of: true,
});

const position = positionOut.pick({
  symbol: true,
  side: true,
  quantity: true,
  average_price: true,
  last_price: true,
  unrealized_pnl: true,
  as_of: true,
});

/** Live or paper deployment. The account is present only if it is at the reading broker. */
const integratorLiveDeployment = extensionRecord(
  'IntegratorLiveDeployment',
  z.object({ ...tradingFields.shape, positions: z.array(position), type: z.literal('live') }),
);

/** Deployment of any kind; `type` is the discriminator. */
export const integratorDeployment = z.discriminatedUnion('type', [
  integratorLiveDeployment,
  integratorNotificationDeployment,
  integratorScanner,
]);

/**
 * Presents a deployment to the broker of its owner.
 *
 * @param prices last prices for open positions.
 */
export const presentDeployment = (
  deployment: Deployment,
  reader: Broker,
  prices: LastPrices,
  now: Date,
): z.output<typeof integratorDeployment> => {
  switch (deployment.kind) {
    case 'live': {
      const summary = summaryOf(deployment, unpackLedger(deployment.ledger));
      const shown = presentTrading(markedSummary(summary, prices, now));
      // Real orders of the hub are on an account elsewhere, which the user has connected.
      const isOwn = deployment.broker_id === reader.broker_id && deployment.execution === undefined;
      return { ...shown, type: 'live', account_id: isOwn ? shown.account_id : null };
    }
    case 'scanner':
      return presentScanner(deployment);
    case 'notification':
      return {
        ...presentFields(deployment),
        type: 'notification',
        frequency: deployment.frequency,
        last_signal: deployment.last_signal ?? null,
        signals_count: deployment.signals_count,
      };
    default:
      return deployment satisfies never;
  }
};
