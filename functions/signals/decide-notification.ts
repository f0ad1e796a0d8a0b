import type { Call } from '../../shared/api/call.ts';
import { invalidValue } from '../../shared/api/refusals.ts';
import type { NotificationDeployment } from '../../shared/data/deployments/deployments.ts';
import { InstrumentMemory } from '../../shared/data/instruments/instrument-memory.ts';
import type { Effect } from '../../shared/lifecycle/effect.ts';
import { applyStatusReport } from '../../shared/lifecycle/reports/apply-status.ts';
import { catalogueCalendars, readNotifiedPeriod } from '../../shared/lifecycle/reports/notified-period.ts';
import { SIGNAL_RAISED } from '../../shared/lifecycle/reports/report.ts';
import type { Alert } from './alert.ts';

const SIDES = { buy: 'Buy', sell: 'Sell' } as const;

/** Decides the notification of a signal. @throws ValidationError for an action that only orders have */
export const decideNotification = async (
  { store }: Call,
  deployment: NotificationDeployment,
  { action, symbol, price, message, digests: [digest] }: Alert,
  now: Date,
): Promise<Effect | undefined> => {
  if (action !== 'buy' && action !== 'sell') {
    const msg = 'a notification deployment takes buy and sell only';
    throw invalidValue(['body', 'action'], msg, 'type_error.enum', { enum_values: ['buy', 'sell'] });
  }
  const report = SIGNAL_RAISED.ofHub({
    deployment_id: deployment.deployment_id,
    occurred_at: now.toISOString(),
    symbol,
    side: action,
    ...(price !== undefined && { price }),
    title: `${SIDES[action]} ${symbol}`,
    body: message ?? `${deployment.strategy_name}: a signal from outside.`,
  });
  const findCalendarId = catalogueCalendars(store, new InstrumentMemory(), now);
  const period = await readNotifiedPeriod(store, deployment, report, { findCalendarId, now });
  return applyStatusReport(deployment, report, { digest, item: undefined, period, now });
};
