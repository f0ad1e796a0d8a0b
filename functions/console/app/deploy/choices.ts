import type {
  GetExecutionConnectionsOutput,
  GetUniversesOutput,
  VerifyUserOutput,
} from '../../../../infra/client/package/src/index.ts';
import { DEMO_EXCHANGE } from '../../../../shared/domain/instruments/instruments.ts';
import { hub, ME } from '../hub.ts';
import { type Deployable, MAX_SYMBOLS } from './form.ts';
import type { Instruments } from './prices.ts';

/** All that a person chooses from when deploying a strategy. */
export interface Choices {
  readonly strategy: Deployable;
  readonly plan: VerifyUserOutput['subscription']['plan'];
  /** Deployments that run now, and the most that the plan allows. */
  readonly used: number;
  readonly limit: number;
  readonly hasEmail: boolean;
  readonly hasPhone: boolean;
  readonly connections: GetExecutionConnectionsOutput['connections'];
  readonly universes: GetUniversesOutput['universes'];
  /** Currency in which the first symbol is quoted. */
  readonly currency: string;
  /** True if the first symbol is one of the demo market. */
  readonly isDemo: boolean;
  readonly instruments: Instruments;
  /** True if the service can replay recorded candles. */
  readonly canReplay: boolean;
  /** True if the service has feeds of public prices that a user can switch. */
  readonly hasFeeds: boolean;
}

const CURRENCY = 'USD';

const instrumentOf = async (
  symbol: string,
  type: Parameters<typeof hub.getInstrumentSuggestionsV2>[0]['type'],
  signal: AbortSignal,
) => {
  const input = { user_id: ME, instrument: symbol, type, any_type: type === undefined, with_candles: true };
  const found = await hub.getInstrumentSuggestionsV2(input, { signal });
  return found.find((one) => one.symbol === symbol);
};

/** Loads what the deploying dialog offers. */
export const loadChoices = async (strategy_id: number, signal: AbortSignal): Promise<Choices> => {
  const [strategy, user, { connections }, { universes }, prices] = await Promise.all([
    hub.getStrategy({ user_id: ME, strategy_id }, { signal }),
    hub.verifyUser({}, { signal }),
    hub.getExecutionConnections({ user_id: ME }, { signal }),
    hub.getUniverses({ user_id: ME }, { signal }),
    hub.getPriceFeeds({ user_id: ME }, { signal }),
  ]);
  const { asset_class, symbols } = strategy;
  const type = asset_class === 'multi' ? undefined : asset_class;
  const { plan, deploy_used: used, deploy_limit: limit } = user.subscription;
  const found = await Promise.all(
    symbols.slice(0, MAX_SYMBOLS).map((symbol) => instrumentOf(symbol, type, signal)),
  );
  const [instrument] = found;
  return {
    strategy,
    plan,
    used,
    limit,
    hasEmail: user.email_verified,
    hasPhone: user.ph_verified && plan !== 'free',
    connections: connections.filter(({ status }) => status === 'connected'),
    universes,
    currency: instrument?.quote_currency ?? CURRENCY,
    isDemo: instrument?.exchange === DEMO_EXCHANGE,
    instruments: new Map(found.flatMap((one) => (one ? [[one.symbol, one]] : []))),
    canReplay: prices.can_replay,
    hasFeeds: prices.feeds.length > 0,
  };
};
