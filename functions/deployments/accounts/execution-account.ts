import { HubError } from '../../../shared/api/errors.ts';
import { asDeployment, type TradingDeployment } from '../../../shared/data/deployments/deployments.ts';
import { asConnection, type ExecutionConnection } from '../../../shared/data/execution/connections.ts';
import type { Strategy } from '../../../shared/data/strategies/strategies.ts';
import { type Items, itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import { type AdapterName, sourceOfAdapter } from '../../../shared/domain/deployments/event-source.ts';
import type { Instrument } from '../../../shared/domain/instruments/instrument-records.ts';
import { hasOwnClock } from '../../../shared/domain/instruments/instruments.ts';
import { ADAPTER_FACTS } from '../../../shared/domain/orders/execution-adapters.ts';

const unconnected = (detail: string): HubError => new HubError('broker_unconnected', detail);

/** Returns the key of the connected account that is to execute orders. */
export const connectionKeys = (userId: string, accountId: string | undefined): Key[] =>
  accountId === undefined ? [] : [keys.executionConnection(userId, accountId)];

/** Refuses instruments that a broker does not trade. @throws HubError strategy_unsuitable */
const requireTradable = (adapter: AdapterName, instruments: readonly Instrument[]): void => {
  const { instrumentAt } = ADAPTER_FACTS[adapter];
  for (const instrument of instruments) {
    const { symbol, exchange } = instrument;
    const traded = hasOwnClock(exchange) ? 'its prices are not those of a market.' : instrumentAt(instrument);
    if (typeof traded !== 'string') continue;
    throw new HubError('strategy_unsuitable', `The hub places no real orders for ${symbol}: ${traded}`);
  }
};

/** Refuses a currency in which an account has no money. @throws HubError strategy_unsuitable */
const requireCurrency = (connection: ExecutionConnection, currency: string): void => {
  const { currencies = [connection.currency] } = ADAPTER_FACTS[connection.adapter];
  if (currencies.includes(currency)) return;
  throw new HubError('strategy_unsuitable', `The account at the broker is in ${currencies.join(', ')}.`);
};

/** A connected account, with the fields of a deployment on it. */
interface ExecutionAccount {
  readonly connection: ExecutionConnection;
  readonly fields: Pick<TradingDeployment, 'account_id' | 'execution' | 'is_simulated'>;
}

/**
 * Returns the account that executes the orders of a deployment that the hub runs.
 *
 * @param items read at {@link connectionKeys}.
 * @throws HubError broker_unconnected, strategy_unsuitable
 */
export const executionOf = (
  items: Items,
  { userId, accountId }: { readonly userId: string; readonly accountId: string | undefined },
  currency: string,
  instruments: readonly Instrument[],
): ExecutionAccount => {
  if (accountId === undefined) {
    throw unconnected(
      'Real orders of the hub need a connected account: connect one by /connect_execution, and name it by account_id.',
    );
  }
  const connection = asConnection(itemWith(items, keys.executionConnection(userId, accountId)));
  if (!connection) throw unconnected('This account is not connected. Connect it by /connect_execution.');
  if (connection.status !== 'connected') {
    throw unconnected('The broker refuses the keys of this account. Connect it again.');
  }
  const { adapter, environment } = connection;
  requireCurrency(connection, currency);
  requireTradable(adapter, instruments);
  return {
    connection,
    fields: {
      account_id: accountId,
      execution: { adapter, source: sourceOfAdapter(adapter), account: accountId },
      ...(environment === 'paper' && { is_simulated: true }),
    },
  };
};

const DAY_MS = 86_400_000;

/** Returns the key of the deployment whose results the cards of a strategy show. */
export const shownKeys = ({ performance }: Strategy): Key[] =>
  performance.deployment_id === undefined ? [] : [keys.deployment(performance.deployment_id)];

/**
 * Refuses real orders of a strategy that has not traded on paper for the days that the limits of its owner demand. The
 * deployment that its cards show counts.
 *
 * @param items read at {@link shownKeys}.
 * @throws HubError strategy_unsuitable
 */
export const requirePaperDays = (
  strategy: Strategy,
  items: Items,
  { days, now }: { readonly days: number | undefined; readonly now: Date },
): void => {
  if (days === undefined) return;
  const [key] = shownKeys(strategy);
  const shown = key && asDeployment(itemWith(items, key));
  if (shown?.kind === 'live' && shown.user_id === strategy.user_id) {
    // Real orders were allowed before.
    if (shown.mode === 'live' && !shown.is_simulated) return;
    const end = shown.stopped_at === undefined ? now.getTime() : Date.parse(shown.stopped_at);
    if (end - Date.parse(shown.deployed_at) >= days * DAY_MS) return;
  }
  throw new HubError(
    'strategy_unsuitable',
    `The risk limits allow real orders of a strategy after ${days} days on paper.`,
  );
};
