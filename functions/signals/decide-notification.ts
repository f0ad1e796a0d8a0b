import type { Call } from '../../shared/api/call.ts';
import { invalidValue } from '../../shared/api/refusals.ts';
import type { NotificationDeployment } from '../../shared/data/deployments/deployments.ts';
import { InstrumentMemory } from '../../shared/data/instruments/instrument-memory.ts';
import { HUB_SOURCE } from '../../shared/domain/deployments/event-source.ts';
import { decimal } from '../../shared/domain/money.ts';
import type { Effect } from '../../shared/lifecycle/deployment-change.ts';
import { applyEvent } from '../../shared/lifecycle/reports/apply-status.ts';
import { catalogueCalendars, readNotifiedPeriod } from '../../shared/lifecycle/reports/notified-period.ts';
import type { Alert } from './alert.ts';

const SIDES = { buy: 'Buy', sell: 'Sell' } as const;

/** Decides the notification of a signal. @throws ValidationError for an action that only orders have */
export const decideNotification = async (
  { store }: Call,
  deployment: NotificationDeployment,
  { action, symbol, price, message, digests: [digest] }: Alert,
  now: Date,
): Promise<Effect | undefined> => {
  if (action === 'close') {
    const msg = 'a notification deployment takes buy and sell only';
    throw invalidValue(['body', 'action'], msg, 'type_error.enum', { enum_values: ['buy', 'sell'] });
  }
  const detail = {
    version: 1 as const,
    deployment_id: deployment.deployment_id,
    occurred_at: now.toISOString(),
    symbol,
    side: action,
    ...(price !== undefined && { price: decimal(price).toNumber() }),
    title: `${SIDES[action]} ${symbol}`,
    body: message ?? `${deployment.strategy_name}: a signal from outside.`,
  };
  const event = { 'detail-type': 'Signal Raised' as const, source: HUB_SOURCE, detail };
  const findCalendarId = catalogueCalendars(store, new InstrumentMemory(), now);
  const period = await readNotifiedPeriod(store, deployment, event, { findCalendarId, now });
  return applyEvent(deployment, event, { digest, item: undefined, period, now });
};
