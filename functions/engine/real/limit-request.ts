import type { TradingDeployment } from '../../../shared/data/deployments/deployments.ts';
import type { RealRequest } from '../../../shared/domain/engine/running/real-requests.ts';
import type { Ledger } from '../../../shared/domain/ledger/ledger-state.ts';
import { decimal } from '../../../shared/domain/money.ts';
import { exactAmount } from '../../../shared/domain/risk/amount.ts';
import { checkEntry } from '../../../shared/domain/risk/check-entry.ts';
import { positionValues } from '../../../shared/domain/risk/equity.ts';
import { exceededText } from '../../../shared/domain/risk/limit-texts.ts';
import { checkOverall } from '../../../shared/domain/risk/overall.ts';
import type { Totals } from '../../../shared/domain/risk/overall-records.ts';
import { overallText } from '../../../shared/domain/risk/overall-texts.ts';
import { expectEntry, startRisk } from '../../../shared/domain/risk/state.ts';

type EntryRequest = Extract<RealRequest, { readonly kind: 'entry' }>;

const entryOf = ({ contract_sizes }: TradingDeployment, request: EntryRequest, now: Date) => {
  const { symbol, quantity, price, trigger_price, expected_price } = request;
  const value = decimal(quantity)
    .times(price ?? trigger_price ?? expected_price)
    .times(contract_sizes[symbol] ?? '1')
    .abs();
  return { symbol, at: now.getTime(), value: exactAmount(value) };
};

/**
 * Returns a request as the risk limits of its deployment, and those over all deployments, allow it: an entry that would exceed one is dropped with the
 * reason. Exits and cancels always pass.
 */
export const limited = (
  deployment: TradingDeployment,
  request: RealRequest,
  { ledger, totals }: { readonly ledger: Ledger; readonly totals: Totals | undefined },
  now: Date,
): RealRequest => {
  const { limits, risk, currency } = deployment;
  if (request.kind !== 'entry' || !limits) return request;
  const entry = entryOf(deployment, request, now);
  const { at, value } = entry;
  const overall = limits.all && checkOverall(limits.all, totals, { currency, value: value.exact(), at });
  if (overall) {
    const status_message = overallText(overall, limits.all?.currency ?? currency);
    return { ...request, kind: 'dropped', status_message };
  }
  const exceeded = checkEntry(
    limits.merged,
    risk ?? startRisk(ledger, entry.at),
    positionValues(ledger),
    entry,
  );
  if (!exceeded) return request;
  return { ...request, kind: 'dropped', status_message: exceededText(exceeded, deployment.currency) };
};

/** Counts an entry that is requested as a position, so that entries requested together cannot all pass. */
export const withEntering = (
  deployment: TradingDeployment,
  request: RealRequest,
  now: Date,
): TradingDeployment => {
  const { limits, risk } = deployment;
  if (request.kind !== 'entry' || !limits || !risk) return deployment;
  const { symbol, value } = entryOf(deployment, request, now);
  return { ...deployment, risk: expectEntry(risk, request.client_order_id, { symbol, value }) };
};
