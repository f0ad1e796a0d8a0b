import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { extra } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { requireOwnSession } from '../../shared/api/own-session.ts';
import { packLedger, unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import { findRunning } from '../../shared/data/books/running-deployments.ts';
import { summaryOf } from '../../shared/data/books/summary.ts';
import type { TradingDeployment } from '../../shared/data/deployments/deployments.ts';
import { replayWrite } from '../../shared/data/deployments/replays.ts';
import { TRADE_MODES, type TradeMode } from '../../shared/data/deployments/trading-record.ts';
import type { Strategy } from '../../shared/data/strategies/strategies.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { parseItem } from '../../shared/data/table/parse-item.ts';
import type { Write } from '../../shared/data/table/writes.ts';
import type { BrokerLink, User } from '../../shared/data/users/users.ts';
import { instrumentSchema } from '../../shared/domain/instruments/instrument-records.ts';
import { hasOwnClock } from '../../shared/domain/instruments/instruments.ts';
import { openLedger } from '../../shared/domain/ledger/ledger-state.ts';
import { decimal, toText } from '../../shared/domain/money.ts';
import { startLimits } from '../../shared/lifecycle/deployment-limits.ts';
import { listedWrite } from '../../shared/lifecycle/trading-change.ts';
import { parseCapital } from '../../shared/records/amounts.ts';
import { liveDeploymentCustomOut, presentTrading } from '../../shared/records/trading.ts';
import { requireUnused } from './accounts/account-use.ts';
import { calendarsOf } from './accounts/calendars.ts';
import { foreignQuotes, parseCurrency, refuseForeignQuotes } from './accounts/currencies.ts';
import { connectionKeys, executionOf, requirePaperDays, shownKeys } from './accounts/execution-account.ts';
import { readAccount, refuseAccount } from './forms/account-form.ts';
import { checkChannels, chosenSymbols, futureTime, parseChannels } from './forms/choices.ts';
import { protectionChoices } from './forms/protection-form.ts';
import { tradingForm } from './forms/trading-form.ts';
import { closingWrites } from './proposals/closing.ts';
import { deploy, requireDeployKey, requireOwnerSession } from './starting/deploy.ts';
import { hubRunOf, setupKeys } from './starting/hub-run.ts';
import { pricesForm, requirePrices } from './starting/prices.ts';
import { realRunOf, requireProtection } from './starting/real-run.ts';
import { askedReplay, prepareReplay, replayForm } from './starting/replay.ts';

/**
 * Tells whether the account's keeper confirmed that it is the user's: the broker, without a later password
 * reset, or the consent at partner C. Any user can type any account number.
 */
const isVouchedFor = (link: BrokerLink, { password_version: version }: User): boolean =>
  link.sign_in_version === version || link.permissions !== undefined;

/** Chooses the account to trade on. Real orders require one. @throws HubError broker_unconnected */
const accountOf = (
  user: User,
  mode: TradeMode,
  brokerId: number | undefined,
  accountId: string | undefined,
): Pick<TradingDeployment, 'broker_id' | 'account_id'> => {
  if (brokerId === undefined) {
    if (mode === 'virtual') return {};
    throw new HubError(
      'broker_unconnected',
      'Real orders need a broker: choose one that you are connected to by broker_id.',
    );
  }
  const link: BrokerLink | undefined = Object.values(user.brokers).find(
    ({ broker_id, connected }) => broker_id === brokerId && connected,
  );
  if (!link) throw new HubError('broker_unconnected', 'No account at this broker is connected.');
  if (mode === 'live' && !isVouchedFor(link, user)) {
    throw new HubError(
      'broker_unconnected',
      'The broker has not confirmed your account. Sign in with a token of the broker to connect it.',
    );
  }
  if (accountId !== undefined && link.account_id !== undefined && accountId !== link.account_id) {
    throw new HubError('broker_unconnected', 'This is not your connected account.');
  }
  const account = link.account_id ?? accountId;
  return { broker_id: brokerId, ...(account !== undefined && { account_id: account }) };
};

export const deployLiveStrategy = defineOperation({
  method: 'POST',
  path: '/deploy_live_strategy',
  name: 'deploy_live_strategy',
  summary: 'Deploy a strategy to trade',
  description:
    'Trades the strategy that the deploy key names, on a connected account or on paper, until it is undeployed or expires. Real orders require the session of the owner, a step-up, and an account that the broker confirmed with a partner token; those of a strategy with rules, or by signals of `/create_signal_hook`, an account of `/connect_execution`, named by `account_id`. `prices=required` refuses symbols of which no bars arrive, with the ways out. On the local service, `replay_from` trades on recorded candles from a time on, which are fed once more under a symbol of their own, `replay_speed` bars a minute; the deployment ends with them. With `proposal_id` it confirms a proposal of `/propose_deployment`, which ends with it. Without that session the answer names no account.',
  caller: 'deploy_key',
  scope: ({ form }) => (form.mode === 'live' ? 'trade:real' : 'trade:paper'),
  // Real orders need the session, which names the user.
  proven: ({ form }) => form.mode === 'live',
  stepUp: ({ form }) => (form.mode === 'live' ? 'always' : 'never'),
  waits: ({ form }) => form.mode === 'live',
  extension: true,
  assistant: {
    title: 'Deploy a strategy on paper',
    description:
      'Trades a strategy on paper with the prices of the market and no money, until it is stopped or expires. Ask the user before you call it. Real money is never traded by a tool.',
    fixed: { mode: 'virtual' },
    without: ['proposal_id'],
    scope: 'trade:paper',
  },
  input: {
    query: z.object({ keygen: z.string() }),
    form: z.object({
      mode: z.enum(TRADE_MODES),
      proposal_id: extra(z.string().max(64).optional()),
      ...tradingForm,
      ...pricesForm,
      ...replayForm,
    }),
  },
  output: liveDeploymentCustomOut,
  errors: [
    'strategy_unknown',
    'proposal_unknown',
    'rules_changed',
    'strategy_unsuitable',
    'strategy_archived',
    'platform_token_insufficient',
    'quota_reached',
    'kill_switch',
    'broker_unconnected',
    'connection_used',
    'channel_unavailable',
    'prices_missing',
    'replay_unavailable',
    'candles_hidden',
    'changed_meanwhile',
  ],
  table: 'write',
  uses: ['feeds', 'marketData', 'replays'],
  recheck: ({ query: { keygen } }, call) => requireDeployKey(call, keygen),
  handler: async ({ query: { keygen }, form }, call) => {
    if (form.mode === 'live') {
      requireOwnSession(
        call,
        'Real orders require the session of the owner. Sign in.',
        'places no real orders',
      );
    }
    // Comparing the account with the owner's would reveal it to a guesser.
    if (form.account_id !== undefined) {
      requireOwnerSession(call, 'Choosing an account requires the session of the owner.');
    }
    const currency = parseCurrency(form.currency);
    const starting_capital = parseCapital(form.starting_capital, currency, ['body', 'starting_capital']);
    const channels = parseChannels(form.channels ?? 'push');
    const expires_at = futureTime(form.expires_at, call.now);
    const protection = protectionChoices(form);
    const asked = askedReplay(call, form);
    const choiceOf = (strategy: Strategy) => ({
      symbols: chosenSymbols('symbols', form.symbols, strategy.symbols),
      timeframe: strategy.timeframe,
      field: 'symbols' as const,
    });
    let closing: readonly Write[] = [];
    const { deployment } = await deploy<TradingDeployment>(
      call,
      {
        keygen,
        kind: 'live',
        // An account at a broker without one of the hub's brokers: the hub itself places the orders there.
        isForSignals: form.mode === 'live' && form.account_id !== undefined && form.broker_id === undefined,
        brokerId: form.broker_id,
        extraReadsFor: (strategy, _items, { isHubRun }) => {
          const proposed = form.proposal_id === undefined ? [] : [keys.proposals(strategy.user_id)];
          if (!isHubRun) return [...proposed, ...strategy.symbols.map(keys.instrument)];
          const wanted = [...proposed, ...setupKeys(strategy, choiceOf(strategy))];
          return form.mode === 'live'
            ? [...wanted, ...connectionKeys(strategy.user_id, form.account_id), ...shownKeys(strategy)]
            : wanted;
        },
        extraWrites: (made) => [
          listedWrite(made.user_id, summaryOf(made, unpackLedger(made.ledger))),
          ...(made.replay ? [replayWrite(made.deployment_id)] : []),
          ...closing,
        ],
      },
      async ({ strategy, user, items: read, isHubRun }, base) => {
        closing = closingWrites(read, user, form, { strategy, now: call.now });
        checkChannels(channels, user);
        const named = choiceOf(strategy);
        const replayed = asked && (await prepareReplay(call, asked, strategy, named, read));
        const items = replayed ? [...read, ...replayed.items] : read;
        const choice = replayed ? { ...named, symbols: [replayed.symbol] } : named;
        const { symbols } = choice;
        if (isHubRun && !replayed && form.prices === 'required') await requirePrices(call, choice, items);
        if (!isHubRun) refuseAccount(form);
        const account = readAccount(form, starting_capital);
        const isReal = isHubRun && form.mode === 'live';
        const source = { items, account, call };
        const hubRun = isReal
          ? () => realRunOf(strategy, choice, source, protection)
          : () => hubRunOf(strategy, choice, source);
        const run = isHubRun ? hubRun() : undefined;
        // The ledger of a paper account lives in the time of bars.
        const isInBars = run !== undefined && !isReal;
        const start = isInBars ? new Date(run.setup.from ?? call.now).toISOString() : base.deployed_at;
        const instruments = (run ? symbols : strategy.symbols).flatMap((symbol) => {
          const item = itemWith(items, keys.instrument(symbol));
          return item ? [parseItem(instrumentSchema, item)] : [];
        });
        const contract_sizes = Object.fromEntries(
          instruments.map(({ symbol, contract_size }) => [symbol, toText(decimal(contract_size))]),
        );
        const quote_currencies = foreignQuotes(instruments, symbols, currency);
        if (run || !form.engine_rates) {
          refuseForeignQuotes(quote_currencies, currency, { isHub: run !== undefined });
        }
        const ledger = openLedger({
          started_at: start,
          starting_capital,
          calendars: run
            ? run.setup.legs.map(({ calendar }) => calendar)
            : calendarsOf(strategy, symbols, instruments, form),
          // The account that the hub trades charges its own financing.
          rolls_over: form.mode === 'virtual' && !run,
          market_time: isInBars,
          symbols,
        });
        const limits = startLimits(form.mode, user, ledger);
        if (isReal) {
          const days = limits.limits?.merged.paper_days;
          requirePaperDays(strategy, items, { days, now: call.now });
        }
        const executed = isReal
          ? executionOf(
              items,
              { userId: strategy.user_id, accountId: form.account_id },
              currency,
              instruments,
            )
          : undefined;
        if (executed && run) {
          const { account_id } = executed.connection;
          // A deployment made meanwhile changes the lists that were read before, so this attempt fails then.
          requireUnused(await findRunning(call.store, user.user_id), account_id, symbols);
          requireProtection(executed.connection, run, protection);
        }
        return {
          deployment: {
            ...base,
            kind: 'live',
            symbols,
            expires_at,
            mode: form.mode,
            ...(executed
              ? {
                  // The adapter places the orders, not the broker that the user is linked to.
                  ...accountOf(user, 'virtual', base.broker_id, undefined),
                  ...executed.fields,
                  unprotected: protection.unprotected,
                }
              : accountOf(user, form.mode, base.broker_id, form.account_id)),
            starting_capital,
            currency,
            prediction_market: form.prediction_market,
            channels,
            contract_sizes,
            quote_currencies,
            ...(instruments.some(({ exchange }) => hasOwnClock(exchange)) && { is_demo: true }),
            ...(replayed && { replay: replayed.replay }),
            ledger: packLedger(ledger),
            ...limits,
            orders_count: 0,
            updated_at: start,
          },
          run,
        };
      },
    );
    const summary = presentTrading(summaryOf(deployment, unpackLedger(deployment.ledger)));
    return call.session ? summary : { ...summary, account_id: null };
  },
});
