// Generated from the OpenAPI document by `npm run client`. Do not edit.

import { type FollowOptions, followEvents } from './events.ts';
import { PageRequest } from './pages.ts';
import { type CallOptions, type ClientOptions, Transport } from './transport.ts';

/** Codes of the service's errors. It may add codes. */
export type ErrorCode =
  | "access_token_invalid"
  | "account_taken"
  | "address_refused"
  | "answer_shown_once"
  | "authorization_code_invalid"
  | "backtest_unknown"
  | "body_too_large"
  | "broker_account_blocked"
  | "broker_keys_refused"
  | "broker_secret_invalid"
  | "broker_suspended"
  | "broker_taken"
  | "broker_unapproved"
  | "broker_unconnected"
  | "broker_unknown"
  | "candles_changed"
  | "candles_hidden"
  | "candles_unknown"
  | "challenge_refused"
  | "changed_meanwhile"
  | "channel_unavailable"
  | "client_key_invalid"
  | "code_invalid"
  | "connection_unknown"
  | "connection_used"
  | "consent_denied"
  | "credentials_invalid"
  | "cross_site_refused"
  | "cursor_expired"
  | "delivery_unknown"
  | "deployment_unknown"
  | "email_taken"
  | "email_unverified"
  | "endpoint_disabled"
  | "endpoint_unknown"
  | "engine_external"
  | "hook_unknown"
  | "id_token_invalid"
  | "internal"
  | "kill_switch"
  | "name_taken"
  | "newer_version"
  | "order_unknown"
  | "partner_account_unlinked"
  | "partner_token_invalid"
  | "partner_token_used"
  | "platform_token_insufficient"
  | "position_closed"
  | "provider_unknown"
  | "query_too_long"
  | "quota_reached"
  | "rate_limited"
  | "request_in_flight"
  | "risk_limit"
  | "rules_changed"
  | "rules_closed"
  | "rules_version_unknown"
  | "scope_insufficient"
  | "session_invalid"
  | "session_mismatch"
  | "session_required"
  | "signal_refused"
  | "state_conflict"
  | "state_invalid"
  | "strategy_archived"
  | "strategy_unknown"
  | "strategy_unsuitable"
  | "sweep_unknown"
  | "too_many_attempts"
  | "too_many_codes"
  | "too_many_signals"
  | "unavailable"
  | "universe_unknown"
  | "upstream_failed"
  | "user_unknown"
  | "work_exhausted";

/** Access token of an integrator (RFC 6749, section 5.1). */
export type AccessToken = {
  /** Access token (JWT). Send it as `Authorization: Bearer`. */
  readonly access_token: string;
  /** Type of the token. */
  readonly token_type: "Bearer";
  /** Seconds until expiry. */
  readonly expires_in: number;
  /** Granted scope. */
  readonly scope: ("broker:read" | "broker:read broker:risk" | "broker:read broker:webhooks" | "broker:read broker:risk broker:webhooks");
};

/** Deletion of an account that has begun. */
export type AccountDeletion = {
  /** Identifier of the deletion of an account. Operators follow it by this id. */
  readonly deletion_id: string;
  /** Time of the request. ISO-8601 UTC. */
  readonly requested_at: string;
};

/** Equity, exposure and number of a user’s deployments. */
export type AccountOverview = {
  /** Sums by mode and currency; real money first. */
  readonly accounts: readonly OverviewAccount[];
  /** Open positions by mode, currency and symbol. */
  readonly exposure: readonly OverviewExposure[];
  /** Number of deployments by mode and status. */
  readonly deployments: {
    /** Deployments with real money. */
    readonly live: Readonly<Record<string, number>>;
    /** Deployments on paper. */
    readonly virtual: Readonly<Record<string, number>>;
  };
  /** Use of the risk limits by deployment, the highest first. Deployments without limits are omitted. */
  readonly risk: readonly OverviewRisk[];
  /** Time of the oldest price behind these figures. ISO-8601 UTC; null without a price. */
  readonly as_of: (string | null);
};

/** Body of the GA4 Measurement Protocol, at most 130,000 bytes. */
export type AnalyticsEvent = {
  /** GA4 client id of the browser or app. */
  readonly client_id: string;
  /** Id of the user. It is forwarded as a pseudonym. */
  readonly user_id?: string | undefined;
  /** Time of the events, in microseconds since 1970-01-01 UTC. Now when absent. */
  readonly timestamp_micros?: number | undefined;
  /** Properties of the user, as the GA4 Measurement Protocol defines them. */
  readonly user_properties?: Readonly<Record<string, unknown>> | undefined;
  /** Consent settings of the event. */
  readonly consent?: {
    /** Consent to the use of user data for advertising. */
    readonly ad_user_data?: ("GRANTED" | "DENIED") | undefined;
    /** Consent to personalised advertising. */
    readonly ad_personalization?: ("GRANTED" | "DENIED") | undefined;
  } | undefined;
  /** Events, at most 25. */
  readonly events: readonly {
    /** Name of the event: letters, digits and underscores, at most 40, from a letter. */
    readonly name: string;
    /** Parameters of the event, at most 25. */
    readonly params?: Readonly<Record<string, unknown>> | undefined;
  }[];
};

/** Entry of the audit trail of a user. */
export type AuditEntry = {
  /** Id of the entry. */
  readonly audit_id: number;
  /** Time of the action by the clock. ISO-8601 UTC. */
  readonly at: string;
  /** Recorded action. */
  readonly action: ("deployment_paused" | "deployment_resumed" | "deployment_halted" | "deployment_stop_requested" | "deployment_stopped" | "risk_limits_set" | "risk_limit_tripped" | "kill_switch_thrown" | "kill_switch_re_armed" | "execution_connected" | "execution_disconnected" | "signal_hook_created" | "split_booked" | "other");
  /** Actor: `user`, `broker`, `operator`, or a `risk_limit` or `kill_switch` that was set before; `engine` for its engine. */
  readonly by: ("user" | "broker" | "operator" | "risk_limit" | "kill_switch" | "engine");
  /** Reason that was given. */
  readonly reason: string;
  /** Deployment; null for actions on the account of the user. */
  readonly deployment_id: (number | null);
  /** Kind of the deployment; null without one. */
  readonly deployment_type: ("notification" | "scanner" | "live" | null);
  /** Strategy of the deployment; null without one. */
  readonly strategy_id: (number | null);
  /** Further facts, by action. */
  readonly details: Readonly<Record<string, unknown>>;
};

/** Author of a strategy, as everybody sees it. */
export type Author = {
  /** Public id of the user. */
  readonly user_key: string;
  /** Name of the author. */
  readonly name: string;
  /** Address of the profile picture. */
  readonly avatar_url: (string | null);
};

/** Terms of the account of a backtest. Costs are zero by default. */
export type BacktestAccount = {
  /** Capital above zero, in the quote currency of the symbols. */
  readonly starting_capital?: (number | string) | undefined;
  /** Commission of each entry and exit, as a part of the value. */
  readonly commission_rate?: (number | string) | undefined;
  /** Commission of each entry and exit, in the currency of the account. */
  readonly commission_fixed?: (number | string) | undefined;
  /** Commission per unit of quantity at each entry and exit, in the currency of the account. */
  readonly commission_per_unit?: (number | string) | undefined;
  /** Smallest commission of an entry or exit, in the currency of the account. */
  readonly commission_min?: (number | string) | undefined;
  /** Part of the price by which entries are worse. */
  readonly spread_rate?: (number | string) | undefined;
  /** Part of the price by which market and stop fills are worse. */
  readonly slippage_rate?: (number | string) | undefined;
  /** Part of the value of a trade that it ties up; the leverage is 1 / margin. */
  readonly margin?: (number | string) | undefined;
  /** Part of the value of the position at which equity ends it (reason `liquidated`). */
  readonly maintenance?: (number | string) | undefined;
  /** Smallest step of a quantity. That of the instrument when absent. */
  readonly size_step?: (number | string) | undefined;
  /** Swap of open trades: `instrument` charges the rates of the instrument after 17:00 New York, `none` charges none. */
  readonly financing?: ("instrument" | "none") | undefined;
  /** Fill of market orders: `next_open` at the open of the next bar, `signal_close` at the close of the signal bar. */
  readonly fill_at?: ("next_open" | "signal_close") | undefined;
  /** Price that stops and targets are measured from: the `fill`, or the close of the signal bar (`signal_close`). */
  readonly stop_basis?: ("fill" | "signal_close") | undefined;
  /** Fills within a bar: `worst` fills what the bar makes certain, lets smaller stored bars decide the rest, and decides against the trader without them; `next_bar` is the convention of backtesting.py: stops and targets of limit and stop entries work from the next bar on. */
  readonly entry_bar?: ("worst" | "next_bar") | undefined;
  /** Open trades at the end of the data: `mark` leaves them open at the last close, `last_open` closes them at the open of the last bar. */
  readonly close_at_end?: ("mark" | "last_open") | undefined;
};

/** Terms of the account of a backtest. */
export type BacktestAccountOut = {
  /** Capital at deploying, in `currency`. Decimal. */
  readonly starting_capital: number;
  /** Commission of each entry and exit, as a part of the value. */
  readonly commission_rate: number;
  /** Commission of each entry and exit, in the currency of the account. */
  readonly commission_fixed: number;
  /** Commission per unit of quantity at each entry and exit, in the currency of the account. */
  readonly commission_per_unit: number;
  /** Smallest commission of an entry or exit, in the currency of the account. */
  readonly commission_min: number;
  /** Part of the price by which entries are worse. */
  readonly spread_rate: number;
  /** Part of the price by which market and stop fills are worse. */
  readonly slippage_rate: number;
  /** Part of the value of a trade that it ties up; the leverage is 1 / margin. */
  readonly margin: number;
  /** Part of the value of the position at which equity ends it (reason `liquidated`). */
  readonly maintenance: number;
  /** Smallest step of a quantity. That of the instrument when absent. */
  readonly size_step: number;
  /** Swap of open trades: `instrument` charges the rates of the instrument after 17:00 New York, `none` charges none. */
  readonly financing: ("instrument" | "none");
  /** Fill of market orders: `next_open` at the open of the next bar, `signal_close` at the close of the signal bar. */
  readonly fill_at: ("next_open" | "signal_close");
  /** Price that stops and targets are measured from: the `fill`, or the close of the signal bar (`signal_close`). */
  readonly stop_basis: ("fill" | "signal_close");
  /** Fills within a bar: `worst` fills what the bar makes certain, lets smaller stored bars decide the rest, and decides against the trader without them; `next_bar` is the convention of backtesting.py: stops and targets of limit and stop entries work from the next bar on. */
  readonly entry_bar: ("worst" | "next_bar");
  /** Open trades at the end of the data: `mark` leaves them open at the last close, `last_open` closes them at the open of the last bar. */
  readonly close_at_end: ("mark" | "last_open");
};

/** Buying and holding, for comparison. */
export type BacktestBenchmark = {
  /** Return of holding, in percent points; null if no bar was evaluated. */
  readonly return_pct: (number | null);
  /** Largest fall of the equity of holding, in percent points. */
  readonly max_drawdown_pct: number;
  /** Equity of holding, oldest first. */
  readonly equity: readonly BenchmarkEquity[];
};

/** A backtest has ended. */
export type BacktestChange = {
  /** Id of the event; the same in every feed and webhook. */
  readonly id: string;
  /** Time of the event. ISO-8601 UTC. */
  readonly at: string;
  /** Deployment id. */
  readonly deployment_id?: number | undefined;
  /** Number of the event among those of the deployment, without gaps; absent without a deployment. */
  readonly sequence?: number | undefined;
  /** Type of the event. */
  readonly type: "backtest.done";
  /** Values of the change; the keys depend on `type`. */
  readonly data: {
    /** Id of the backtest. */
    readonly backtest_id: number;
    /** Strategy id. */
    readonly strategy_id: (number | null);
    /** Status of the deployment. */
    readonly status: ("done" | "failed");
    /** Reason of the failure; null without one. */
    readonly error: (string | null);
    readonly [name: string]: unknown;
  };
  readonly [name: string]: unknown;
};

/** Fall of equity below a peak. */
export type BacktestDrawdown = {
  /** Start of the last bar at the peak. ISO-8601 UTC. */
  readonly from: string;
  /** Start of the bar at the deepest point. ISO-8601 UTC. */
  readonly trough: string;
  /** Start of the bar that regains the peak. ISO-8601 UTC; null if none does. */
  readonly to: (string | null);
  /** Largest fall below the peak, in percent points. */
  readonly depth_pct: number;
};

/** Equity at the close of a bar. */
export type BacktestEquity = {
  /** Start of the bar. ISO-8601 UTC. */
  readonly at: string;
  /** Equity at the close of the bar, in the currency of the backtest. */
  readonly equity: number;
  /** Fall of equity below its peak, in percent points. */
  readonly drawdown_pct: number;
};

/** Request to run a backtest. */
export type BacktestIn = {
  /** Strategy of the user whose rules to test. Leave out with `rules`. */
  readonly strategy_id?: number | undefined;
  /** Rules to test. Leave out for those of a strategy. */
  readonly rules?: Rules | undefined;
  /** Symbol, or several separated by commas. Those of the strategy when absent. */
  readonly symbol?: string | undefined;
  /** Symbols, as a list instead of `symbol`. The capital is shared by the weights of the strategy, else equally. */
  readonly symbols?: readonly string[] | undefined;
  /** Length of a bar. That of the strategy when absent. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** First bar that may be evaluated; bars before it warm the indicators up. ISO-8601 with a time zone, or a day in UTC. The first stored bar when absent. */
  readonly from?: string | undefined;
  /** Time before which bars start. ISO-8601 with a time zone, or a day in UTC. The end of the candles when absent. */
  readonly to?: string | undefined;
  /** Terms of the account. */
  readonly account?: BacktestAccount | undefined;
  /** Values of the parameters of the rules, by name. Their defaults when absent. */
  readonly params?: Readonly<Record<string, number>> | undefined;
};

/** Stored backtest with its main figures. */
export type BacktestItem = {
  /** Id of the backtest. */
  readonly backtest_id: number;
  /** Strategy of the rules; null for rules of a request. */
  readonly strategy_id: (number | null);
  /** `queued`, `running`, `done`, or `failed`. */
  readonly status: ("queued" | "running" | "done" | "failed");
  /** Part that is done, from 0 to 1. */
  readonly progress: number;
  /** Reason of a failure; null without one. */
  readonly error: (string | null);
  /** Symbols, separated by commas. */
  readonly symbol: string;
  /** Symbols of the instruments. */
  readonly symbols: readonly string[];
  /** Length of a bar. */
  readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
  /** SHA-256 of the canonical rules. Equal rules have equal hashes. */
  readonly rules_hash: string;
  /** Time of creation. ISO-8601 UTC. */
  readonly created_at: string;
  /** Time at which the backtest was done or failed. ISO-8601 UTC; null before. */
  readonly finished_at: (string | null);
  /** Main figures; null before the backtest is done. */
  readonly summary: (BacktestSummary | null);
};

/** Trade that is open at the end of a backtest. */
export type BacktestOpenTrade = {
  /** Symbol of the instrument. */
  readonly symbol: string;
  /** Direction. */
  readonly side: ("long" | "short");
  /** Quantity, in lots of the instrument. Decimal. */
  readonly quantity: number;
  /** Start of the bar of the entry. ISO-8601 UTC. */
  readonly entry_at: string;
  /** Price of the entry. In the quote currency of the symbol. */
  readonly entry_price: number;
  /** Last close. In the quote currency of the symbol. */
  readonly mark: number;
  /** Result at the last close, after the fee of the entry and swap, in `currency`. */
  readonly pnl: number;
};

/** Backtest with its result, which is empty before it is done. */
export type BacktestOut = {
  /** Id of the backtest. */
  readonly backtest_id: number;
  /** Strategy of the rules; null for rules of a request. */
  readonly strategy_id: (number | null);
  /** `queued`, `running`, `done`, or `failed`. */
  readonly status: ("queued" | "running" | "done" | "failed");
  /** Part that is done, from 0 to 1. */
  readonly progress: number;
  /** Reason of a failure; null without one. */
  readonly error: (string | null);
  /** Symbols, separated by commas. */
  readonly symbol: string;
  /** Symbols of the instruments. */
  readonly symbols: readonly string[];
  /** Length of a bar. */
  readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
  /** SHA-256 of the canonical rules, with the values of parameters filled in. */
  readonly rules_hash: string;
  /** Time of creation. ISO-8601 UTC. */
  readonly created_at: string;
  /** Time at which the backtest was done or failed. ISO-8601 UTC; null before. */
  readonly finished_at: (string | null);
  readonly rules: Rules;
  /** Values of the parameters of the rules, by name. */
  readonly params: Readonly<Record<string, number>>;
  /** Description of the rules, with the values of parameters filled in. */
  readonly sentence: string;
  /** First time that may be evaluated. ISO-8601 UTC; null for the first bar. */
  readonly from: (string | null);
  /** Time before which bars start. ISO-8601 UTC. */
  readonly to: string;
  /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
  readonly currency: string;
  readonly account: BacktestAccountOut;
  /** Start of the first bar, the warm-up left out. ISO-8601 UTC; null without bars. */
  readonly first_bar: (string | null);
  /** Start of the last bar. ISO-8601 UTC; null without bars. */
  readonly last_bar: (string | null);
  /** Start of the first bar at which all indicators have values. ISO-8601 UTC; null without one. */
  readonly first_evaluated_bar: (string | null);
  /** Bars of the result, the warm-up left out. */
  readonly bars: number;
  /** Figures of the backtest; null before it is done and without bars. */
  readonly statistics: (BacktestStatistics | null);
  /** Equity at the closes of bars, at most 500 points, oldest first; every bar with `full`. */
  readonly equity: readonly BacktestEquity[];
  /** Buying before the first evaluated bar and holding; null before the backtest is done. */
  readonly benchmark: (BacktestBenchmark | null);
  /** Returns of months, oldest first. */
  readonly monthly_returns: readonly MonthlyReturn[];
  /** The five deepest drawdowns, deepest first. */
  readonly drawdowns: readonly BacktestDrawdown[];
  /** Trades that are open at the end. */
  readonly open_trades: readonly BacktestOpenTrade[];
  /** Remarks on the result. */
  readonly warnings: readonly BacktestWarning[];
  /** Version of the engine; null before the backtest is done. */
  readonly engine_version: (number | null);
  /** Hash of all candles that were read, those of the warm-up included; null before the backtest is done. */
  readonly candles_hash: (string | null);
  /** Closed trades in `/get_backtest_trades`. */
  readonly trades_count: number;
};

/** Figures of a backtest. Null if undefined. */
export type BacktestStatistics = {
  /** Total return, in percent points of the starting capital. */
  readonly total_return_pct: (number | null);
  /** Compound annual growth rate, in percent points. Calendar time. */
  readonly cagr_pct: (number | null);
  /** Annualised standard deviation of daily returns, in percent points. */
  readonly volatility_pct: (number | null);
  /** Annualised Sharpe ratio of daily returns (252 days, crypto 365). Risk-free rate 0. */
  readonly sharpe_ratio: (number | null);
  /** Annualised Sortino ratio of daily returns (252 days, crypto 365). Target 0. */
  readonly sortino_ratio: (number | null);
  /** `cagr_pct` divided by `max_drawdown_equity_pct`. */
  readonly calmar_ratio: (number | null);
  /** Largest fall of closed-trade equity from its peak, in percent points. */
  readonly max_drawdown_pct: (number | null);
  /** Largest fall of closed-trade equity from its peak, in `currency`. Decimal. */
  readonly max_drawdown_abs: (number | null);
  /** Largest fall of the equity of bars from its peak, in percent points. */
  readonly max_drawdown_equity_pct: (number | null);
  /** Mean of the deepest points of all drawdowns, in percent points; null without one. */
  readonly avg_drawdown_pct: (number | null);
  /** Longest time from the last bar at a peak to the bar that regains it, or to the last bar, in seconds. */
  readonly max_drawdown_s: (number | null);
  /** Equity at the last bar, in `currency`. */
  readonly final_equity: number;
  /** Highest equity, in `currency`. */
  readonly equity_peak: number;
  /** Return of holding from the close before the first evaluated bar to the last close, in percent points. */
  readonly buy_and_hold_pct: (number | null);
  /** Share of time with an open position, in percent points. */
  readonly exposure_pct: (number | null);
  /** Closed trades with a profit, in percent points of all; null without any. */
  readonly win_rate_pct: (number | null);
  /** Closed trades. */
  readonly trades_count: number;
  /** Number with a profit. */
  readonly wins: number;
  /** Number with a loss. */
  readonly losses: number;
  /** Closed trades without profit or loss. */
  readonly breakeven: number;
  /** Sum of profits divided by the sum of losses; null without losses. */
  readonly profit_factor: (number | null);
  /** Mean profit of winning trades, in `currency`. Decimal. */
  readonly avg_win: (number | null);
  /** Mean loss of losing trades, in `currency`. Decimal; negative. */
  readonly avg_loss: (number | null);
  /** `avg_win` divided by the size of `avg_loss`; null without losses. */
  readonly payoff_ratio: (number | null);
  /** Mean profit or loss per closed trade, in `currency`. Decimal. */
  readonly expectancy: (number | null);
  /** (1 + `payoff_ratio`) × win rate − 1, as a fraction. */
  readonly expectancy_ratio: (number | null);
  /** Largest profit of a closed trade, in `currency`. Decimal. */
  readonly largest_win: (number | null);
  /** Largest loss of a closed trade, in `currency`. Decimal; negative. */
  readonly largest_loss: (number | null);
  /** Longest run of winning trades. */
  readonly max_consecutive_wins: number;
  /** Longest run of losing trades. */
  readonly max_consecutive_losses: number;
  /** Mean duration of closed trades, in seconds. */
  readonly avg_duration_s: (number | null);
  /** Net profit divided by `max_drawdown_abs`. */
  readonly recovery_factor: (number | null);
  /** True if there are at least 30 closed trades. */
  readonly sample_sufficient: boolean;
  /** Largest return of a closed trade, in percent points. */
  readonly best_trade_pct: (number | null);
  /** Smallest return of a closed trade, in percent points. */
  readonly worst_trade_pct: (number | null);
  /** Geometric mean of the returns of closed trades, in percent points. */
  readonly avg_trade_pct: (number | null);
  /** Mean of the returns of closed trades, in percent points. */
  readonly expectancy_pct: (number | null);
  /** System quality number: √n · mean / standard deviation of the results of closed trades. */
  readonly sqn: (number | null);
  /** Part of the capital that maximises growth by the results of closed trades; null without wins or losses. */
  readonly kelly: (number | null);
  /** Commissions, in the currency of the backtest. */
  readonly fees: number;
  /** Bars that left a fill open which no smaller bars decided: each was decided against the trader. */
  readonly ambiguous_bars: number;
  /** Bars that left a fill open which smaller bars decided. */
  readonly resolved_bars: number;
  /** Start of the period that the figures cover. ISO-8601 UTC. */
  readonly period_start: string;
  /** End of the period that the figures cover. ISO-8601 UTC. */
  readonly period_end: string;
};

/** Main figures of a backtest. */
export type BacktestSummary = {
  /** Total return, in percent points of the starting capital. */
  readonly total_return_pct: (number | null);
  /** Largest fall of the equity of bars from its peak, in percent points. */
  readonly max_drawdown_equity_pct: (number | null);
  /** Annualised Sharpe ratio of daily returns (252 days, crypto 365). Risk-free rate 0. */
  readonly sharpe_ratio: (number | null);
  /** Closed trades with a profit, in percent points of all; null without any. */
  readonly win_rate_pct: (number | null);
  /** Closed trades. */
  readonly trades_count: number;
  /** Equity at the last bar, in `currency`. */
  readonly final_equity: number;
};

/** Closed trade of a backtest, or a closed part of one. */
export type BacktestTrade = {
  /** Number of the trade, from 1, in the order of closing. */
  readonly number: number;
  /** Symbol of the instrument. */
  readonly symbol: string;
  /** Direction. */
  readonly side: ("long" | "short");
  /** Quantity, in lots of the instrument. Decimal. */
  readonly quantity: number;
  /** Start of the bar of the entry. ISO-8601 UTC. */
  readonly entry_at: string;
  /** Price of the entry. In the quote currency of the symbol. */
  readonly entry_price: number;
  /** Start of the bar of the exit. ISO-8601 UTC. */
  readonly exit_at: string;
  /** Price of the exit. In the quote currency of the symbol. */
  readonly exit_price: number;
  /** Cause of the exit: `exit`, `reverse`, `stop_loss`, `take_profit`, `trailing_stop`, `square_off`, `end_of_data`, or `ruin`. */
  readonly exit_reason: string;
  /** Result after fees and swap, in the currency of the backtest. */
  readonly pnl: number;
  /** Commissions of entry and exit, in the currency of the backtest. */
  readonly fees: number;
  /** Result over the value at the entry, in percent points. */
  readonly return_pct: number;
  /** Bars from the entry to the exit. */
  readonly bars: number;
};

/** Remark on the result of a backtest. */
export type BacktestWarning = {
  /** Kind of the remark, for programs. */
  readonly code: string;
  /** Explanation. */
  readonly message: string;
  /** Symbols that the remark is about. */
  readonly symbols?: readonly string[] | undefined;
  /** Number of cases. */
  readonly count?: number | undefined;
};

/** Equity of holding at the close of a bar. */
export type BenchmarkEquity = {
  /** Start of the bar. ISO-8601 UTC. */
  readonly at: string;
  /** Equity of holding at the close of the bar. */
  readonly equity: number;
};

export type BodyDeployLiveStrategyDeployLiveStrategyPost = {
  /** `live` trades real money, `virtual` trades on paper. */
  readonly mode: ("live" | "virtual");
  /** Capital above zero as decimal text, in `currency`. */
  readonly starting_capital: string;
  /** Currency of the deployment: ISO 4217, or a crypto symbol. */
  readonly currency?: string | undefined;
  /** Broker to trade at. When absent, that of the strategy if the user is connected to it, else the only white-label broker that the user is connected to, else the only broker. */
  readonly broker_id?: number | undefined;
  /** Account to trade on. The connected account when absent. */
  readonly account_id?: string | undefined;
  /** Symbols of the strategy to trade, separated by commas. All when absent. */
  readonly symbols?: string | undefined;
  /** Channels for notifications, separated by commas: `push`, `email`, `sms`. `push` when absent. */
  readonly channels?: string | undefined;
  /** Time of expiry in the future. ISO-8601 with a time zone; never when absent. */
  readonly expires_at?: string | undefined;
  /** True if the deployment trades on a prediction market. */
  readonly prediction_market?: boolean | undefined;
  /** True if the engine reports exchange rates to `currency` for symbols quoted in another currency. Without them such symbols are refused. */
  readonly engine_rates?: boolean | undefined;
  /** Commission of each entry and exit, as a part of the value. 0 when absent. */
  readonly commission_rate?: (number | string) | undefined;
  /** Commission of each entry and exit, in `currency`. 0 when absent. For strategies with rules only, as all fields of the account. */
  readonly commission_fixed?: (number | string) | undefined;
  /** Commission of each entry and exit per unit traded, in `currency`. 0 when absent. */
  readonly commission_per_unit?: (number | string) | undefined;
  /** Smallest commission of an entry or exit, in `currency`. 0 when absent. */
  readonly commission_min?: (number | string) | undefined;
  /** Part of the price by which entries are worse. */
  readonly spread_rate?: (number | string) | undefined;
  /** Part of the price by which market and stop fills are worse. */
  readonly slippage_rate?: (number | string) | undefined;
  /** Part of the value of a trade that it ties up; the leverage is 1 / margin. */
  readonly margin?: (number | string) | undefined;
  /** Part of the value of the position at which equity ends it (reason `liquidated`). */
  readonly maintenance?: (number | string) | undefined;
  /** Smallest step of a quantity. That of the instrument when absent. */
  readonly size_step?: (number | string) | undefined;
  /** Swap of open trades: `instrument` charges the rates of the instrument after 17:00 New York, `none` charges none. */
  readonly financing?: ("instrument" | "none") | undefined;
  /** Fill of market orders: `next_open` at the open of the next bar, `signal_close` at the close of the signal bar. */
  readonly fill_at?: ("next_open" | "signal_close") | undefined;
  /** Price that stops and targets are measured from: the `fill`, or the close of the signal bar (`signal_close`). */
  readonly stop_basis?: ("fill" | "signal_close") | undefined;
  /** Fills within a bar: `worst` fills what the bar makes certain, lets smaller stored bars decide the rest, and decides against the trader without them; `next_bar` is the convention of backtesting.py: stops and targets of limit and stop entries work from the next bar on. */
  readonly entry_bar?: ("worst" | "next_bar") | undefined;
};

export type BodyDeployNotificationStrategyDeployNotificationStrategyPost = {
  /** Symbols of the strategy to watch, separated by commas. All when absent. */
  readonly symbol?: string | undefined;
  /** Length of a bar. That of the strategy when absent. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Channels for notifications, separated by commas: `push`, `email`, `sms`. `push` when absent. */
  readonly channels?: string | undefined;
  /** Time of expiry in the future. ISO-8601 with a time zone; never when absent. */
  readonly expires_at?: string | undefined;
  /** Limit on how often a signal notifies: `once_per_bar` and `once_per_day` notify of the first signal of each symbol in a bar or day of its exchange. `every_signal` when absent. */
  readonly frequency?: ("every_signal" | "once_per_bar" | "once_per_day") | undefined;
};

export type BodyLoginLoginPost = {
  /** Always `password`. */
  readonly grant_type?: string | undefined;
  /** E-mail address of the user. */
  readonly username: string;
  /** Password of the user. */
  readonly password: string;
  /** Accepted for OAuth 2.0 clients and not used. */
  readonly scope?: string | undefined;
  /** Accepted for OAuth 2.0 clients and not used. */
  readonly client_id?: string | undefined;
  /** Accepted for OAuth 2.0 clients and not used. */
  readonly client_secret?: string | undefined;
};

export type BodyOauthTokenOauthTokenPost = {
  /** Always `client_credentials`. */
  readonly grant_type?: "client_credentials" | undefined;
  /** Scope to ask for. `broker:read` when absent. `broker:risk` lets the broker throw kill switches, `broker:webhooks` set up webhooks. */
  readonly scope?: ("broker:read" | "broker:read broker:risk" | "broker:read broker:webhooks" | "broker:read broker:risk broker:webhooks") | undefined;
  /** GUID of the broker, unless HTTP Basic carries it. */
  readonly client_id?: string | undefined;
  /** Secret of the broker, unless HTTP Basic carries it. */
  readonly client_secret?: string | undefined;
};

export type BodyRegisterLoginRegisterLoginPost = {
  /** E-mail address. Compared without regard to case. */
  readonly email: string;
  /** Password, 8 to 1,024 characters. */
  readonly password: string;
  /** Name for people. */
  readonly name?: string | undefined;
  /** Phone number, E.164. */
  readonly ph_number?: string | undefined;
  /** Country code, ISO 3166-1 alpha-2 in capitals. */
  readonly country?: string | undefined;
  /** Referral code. */
  readonly referral_code?: string | undefined;
  /** Sub-domain of the white-label broker. */
  readonly broker_domain?: string | undefined;
};

export type BodyRegisterUserBrokerRegisterUserBrokerPost = {
  /** E-mail address. Compared without regard to case. */
  readonly email: string;
  /** Password, 8 to 1,024 characters. */
  readonly password: string;
  /** Sub-domain of the white-label broker. */
  readonly broker_domain: string;
  /** Name for people. */
  readonly name?: string | undefined;
  /** Phone number, E.164. */
  readonly ph_number?: string | undefined;
  /** Account number at the broker. */
  readonly account_id?: string | undefined;
  /** Id of the trading server of the account. */
  readonly server_id?: number | undefined;
  /** Partner token, from `/generate_partnera_token` or `/partnerb/generate_token`. */
  readonly partner_token?: string | undefined;
};

/** Change event of a deployment at a broker. */
export type BrokerChange = {
  /** Id of the event; the same in every feed and webhook. */
  readonly id: string;
  /** Time of the event. ISO-8601 UTC. */
  readonly at: string;
  /** Deployment id. */
  readonly deployment_id?: number | undefined;
  /** Number of the event among those of the deployment, without gaps; absent without a deployment. */
  readonly sequence?: number | undefined;
  /** Public id of the user. */
  readonly user_key?: string | undefined;
  /** Type of the event. */
  readonly type: string;
  /** Values of the change; the keys depend on `type`. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly [name: string]: unknown;
};

/** Change events of a broker. */
export type BrokerChanges = {
  /** Entries of this page. */
  readonly items: readonly BrokerChange[];
  /** Cursor for the next request. */
  readonly next: string;
};

/** Kill switches of a broker, with a page of their trail. */
export type BrokerKillSwitch = {
  /** True if a kill switch is thrown. */
  readonly thrown: boolean;
  /** Thrown kill switches, of the service first, then of brokers, then of the user. */
  readonly switches: readonly ThrownSwitch[];
  /** Entries of this page. */
  readonly items: readonly KillSwitchTrailEntry[];
  /** Entries of the whole list. */
  readonly total: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page: number;
  /** Entries per page. */
  readonly size: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
};

/** Connection of a user to a retail broker. */
export type BrokerLink = {
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id: number;
  /** Name for people. */
  readonly name: string;
  /** Account number, masked to the last four characters; null without one. */
  readonly account_id: (string | null);
  /** Id of the trading server of the account. */
  readonly server_id: (number | null);
  /** Status of the connection. */
  readonly status: ("connected" | "expired" | "disconnected");
  /** Time of the connection. ISO-8601 UTC. */
  readonly connected_at: string;
  /** Time when the broker’s token expires. ISO-8601 UTC; null when it does not. */
  readonly token_expires_at: (string | null);
  /** Permissions of the connection. */
  readonly permissions: readonly string[];
};

/** Instrument at a broker. */
export type BrokerTickersOut = {
  /** Symbol of the instrument. */
  readonly symbol: string;
  /** Symbol of the instrument at the broker. */
  readonly broker_symbol: string;
  /** Name for people. */
  readonly name: string;
  /** Exchange or market of the instrument. */
  readonly exchange: string;
  /** Asset class; `multi` for a strategy over several classes. */
  readonly asset_class: ("equity" | "index" | "forex" | "commodity" | "crypto");
  /** Base currency of a pair, ISO 4217; null for other instruments. */
  readonly base_currency: (string | null);
  /** Currency of prices, ISO 4217 or a crypto symbol. */
  readonly quote_currency: string;
  /** Smallest change of price. Decimal. */
  readonly tick_size: number;
  /** Decimal places of a price. */
  readonly digits: number;
  /** Units of the instrument in one lot. */
  readonly contract_size: number;
  /** Smallest order, in lots. */
  readonly min_volume: number;
  /** Largest order, in lots; null without a limit. */
  readonly max_volume: (number | null);
  /** Step between allowed order sizes, in lots. */
  readonly volume_step: number;
  /** Swap rate of a long position, per lot and night. Negative is a charge; null when the catalogue has none. */
  readonly swap_long: (number | null);
  /** Swap rate of a short position, per lot and night. Negative is a charge; null when the catalogue has none. */
  readonly swap_short: (number | null);
  /** Unit of `swap_long` and `swap_short`. */
  readonly swap_calculation: ("pips" | "percentage" | "points" | null);
  /** Weekday that charges three nights; null when the catalogue has none. */
  readonly triple_swap_weekday: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday" | null);
  /** True if orders are accepted now. */
  readonly tradable: boolean;
};

/** Candle of an instrument. */
export type Candle = {
  /** Start of the candle. ISO-8601 UTC. */
  readonly start: string;
  /** First price. Decimal, in the quote currency of the symbol. */
  readonly open: number;
  /** Highest price. Decimal, in the quote currency of the symbol. */
  readonly high: number;
  /** Lowest price. Decimal, in the quote currency of the symbol. */
  readonly low: number;
  /** Last price. Decimal, in the quote currency of the symbol. */
  readonly close: number;
  /** Volume; zero where the source has none. */
  readonly volume: number;
  /** True if the candle is closed and lacks no smaller candle that its sessions should have. */
  readonly complete: boolean;
};

/** Candles of an instrument and a timeframe. */
export type Candles = {
  /** Symbol of the instrument. */
  readonly symbol: string;
  /** Length of a bar. */
  readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
  /** Source of the candles. */
  readonly source: string;
  /** Adjustment of the prices by their source: `none`, `splits`, or `splits_dividends`. All are in the units after the last split that was declared to the hub. */
  readonly adjustment: ("none" | "splits" | "splits_dividends");
  /** Time zone of the exchange, in which days begin at midnight. */
  readonly time_zone: string;
  /** Timeframe of the smaller candles that these are made of; null if they are stored as they are. */
  readonly derived_from: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w" | null);
  /** Candles, oldest first. */
  readonly candles: readonly Candle[];
};

/** Change event of any type. */
export type Change = {
  /** Id of the event; the same in every feed and webhook. */
  readonly id: string;
  /** Time of the event. ISO-8601 UTC. */
  readonly at: string;
  /** Deployment id. */
  readonly deployment_id?: number | undefined;
  /** Number of the event among those of the deployment, without gaps; absent without a deployment. */
  readonly sequence?: number | undefined;
  /** Type of the event. */
  readonly type: string;
  /** Values of the change; the keys depend on `type`. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly [name: string]: unknown;
};

/** Change events of a user. */
export type Changes = {
  /** Entries of this page. */
  readonly items: readonly (DeploymentChange | OrderChange | TradeChange | TradesCorrection | SignalChange | ScannerChange | RiskChange | KillSwitchEvent | ConnectionChange | BacktestChange | WebhookTest | Change)[];
  /** Cursor for the next request. */
  readonly next: string;
};

/** The broker of a deployment is disconnected. */
export type ConnectionChange = {
  /** Id of the event; the same in every feed and webhook. */
  readonly id: string;
  /** Time of the event. ISO-8601 UTC. */
  readonly at: string;
  /** Deployment id. */
  readonly deployment_id?: number | undefined;
  /** Number of the event among those of the deployment, without gaps; absent without a deployment. */
  readonly sequence?: number | undefined;
  /** Type of the event. */
  readonly type: "connection.lost";
  /** Values of the change; the keys depend on `type`. */
  readonly data: {
    /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
    readonly broker_id: (number | null);
    readonly [name: string]: unknown;
  };
  readonly [name: string]: unknown;
};

/** A deployment has another status. */
export type DeploymentChange = {
  /** Id of the event; the same in every feed and webhook. */
  readonly id: string;
  /** Time of the event. ISO-8601 UTC. */
  readonly at: string;
  /** Deployment id. */
  readonly deployment_id?: number | undefined;
  /** Number of the event among those of the deployment, without gaps; absent without a deployment. */
  readonly sequence?: number | undefined;
  /** Type of the event. */
  readonly type: ("deployment.requested" | "deployment.started" | "deployment.paused" | "deployment.resumed" | "deployment.halted" | "deployment.stop_requested" | "deployment.stopped" | "deployment.expired" | "deployment.failed");
  /** Values of the change; the keys depend on `type`. */
  readonly data: {
    /** Kind of the deployment; `live` covers real and paper trading. */
    readonly deployment_type: ("live" | "notification" | "scanner");
    /** Strategy id. */
    readonly strategy_id: number;
    /** Name of the strategy. Unique among the user’s strategies. */
    readonly strategy_name: string;
    /** `live` trades real money, `virtual` trades on paper. */
    readonly mode: ("live" | "virtual" | null);
    /** Status of the deployment. */
    readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
    /** Place in the trading cycle. */
    readonly phase: ("waiting" | "entered" | "exited");
    /** Reason for the end; null while running. */
    readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
    /** Actor; null if nobody did. */
    readonly by: ("user" | "broker" | "operator" | "risk_limit" | "kill_switch" | "engine" | null);
    /** Reason of the command or of the failure; null without one. */
    readonly reason: (string | null);
    readonly [name: string]: unknown;
  };
  readonly [name: string]: unknown;
};

/** State of a deployment after a command. */
export type DeploymentControl = {
  /** Deployment id. */
  readonly deployment_id: number;
  /** Kind of the deployment; `live` covers real and paper trading. */
  readonly deployment_type: ("notification" | "scanner" | "live");
  /** Status of the deployment. */
  readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
  /** Reason for the end; null while running. */
  readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
  /** Time of the end. ISO-8601 UTC; null while running. */
  readonly stopped_at: (string | null);
  /** Pause or halt of the deployment, with actor and reason; null while it runs. */
  readonly held: (DeploymentHold | null);
  /** Stop that the engine has not confirmed yet; null without one. */
  readonly stopping: (DeploymentStop | null);
};

/** A deployment as the hub’s engine sees it. */
export type DeploymentEngine = {
  /** Deployment id. */
  readonly deployment_id: number;
  /** Kind of the deployment; `live` covers real and paper trading. */
  readonly deployment_type: ("notification" | "scanner" | "live");
  /** Status of the deployment. */
  readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
  /** Length of a bar. */
  readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
  /** Description of the rules. */
  readonly sentence: string;
  /** Symbols of the deployment, each with its state; of a scanner, the one that was named. */
  readonly symbols: readonly EngineSymbol[];
  /** Instruments and last run; null if the deployment is no scanner. */
  readonly scanner: (EngineScanner | null);
  /** Errors, with the symbols that they concern. */
  readonly errors: readonly string[];
};

/** Equity of a deployment at the end of a day. */
export type DeploymentEquity = {
  /** Day (UTC), as `2026-03-06`. */
  readonly day: string;
  /** Equity at the end of the day, in `currency`. Decimal; the open day at the latest prices. */
  readonly equity: number;
  /** Fall of equity below the highest earlier point, in percent points. */
  readonly drawdown_pct: number;
};

/** Command that paused or halted a deployment. */
export type DeploymentHold = {
  /** Actor: `user`, `broker`, `operator`, or a `risk_limit` or `kill_switch` that was set before; `engine` for its engine. */
  readonly by: ("user" | "broker" | "operator" | "risk_limit" | "kill_switch" | "engine");
  /** Reason that was given. */
  readonly reason: string;
  /** Time of the command by the clock. ISO-8601 UTC. */
  readonly at: string;
};

/** Statistics of a deployment. Null if undefined. */
export type DeploymentMetrics = {
  /** Total return, in percent points of the starting capital. */
  readonly total_return_pct: (number | null);
  /** Compound annual growth rate, in percent points. Calendar time. */
  readonly cagr_pct: (number | null);
  /** Annualised standard deviation of daily returns, in percent points. */
  readonly volatility_pct: (number | null);
  /** Annualised Sharpe ratio of daily returns (252 days, crypto 365). Risk-free rate 0. */
  readonly sharpe_ratio: (number | null);
  /** Annualised Sortino ratio of daily returns (252 days, crypto 365). Target 0. */
  readonly sortino_ratio: (number | null);
  /** Largest fall of closed-trade equity from its peak, in percent points. */
  readonly max_drawdown_pct: (number | null);
  /** Largest fall of closed-trade equity from its peak, in `currency`. Decimal. */
  readonly max_drawdown_abs: (number | null);
  /** Largest fall of daily equity from its peak, open positions included, in percent points. */
  readonly max_drawdown_equity_pct: (number | null);
  /** `cagr_pct` divided by `max_drawdown_equity_pct`. */
  readonly calmar_ratio: (number | null);
  /** Closed trades with a profit, in percent points of all; null without any. */
  readonly win_rate_pct: (number | null);
  /** Closed trades. */
  readonly trades_count: number;
  /** Number with a profit. */
  readonly wins: number;
  /** Number with a loss. */
  readonly losses: number;
  /** Closed trades without profit or loss. */
  readonly breakeven: number;
  /** Sum of profits divided by the sum of losses; null without losses. */
  readonly profit_factor: (number | null);
  /** Mean profit of winning trades, in `currency`. Decimal. */
  readonly avg_win: (number | null);
  /** Mean loss of losing trades, in `currency`. Decimal; negative. */
  readonly avg_loss: (number | null);
  /** `avg_win` divided by the size of `avg_loss`; null without losses. */
  readonly payoff_ratio: (number | null);
  /** Mean profit or loss per closed trade, in `currency`. Decimal. */
  readonly expectancy: (number | null);
  /** (1 + `payoff_ratio`) × win rate − 1, as a fraction. */
  readonly expectancy_ratio: (number | null);
  /** Largest profit of a closed trade, in `currency`. Decimal. */
  readonly largest_win: (number | null);
  /** Largest loss of a closed trade, in `currency`. Decimal; negative. */
  readonly largest_loss: (number | null);
  /** Longest run of winning trades. */
  readonly max_consecutive_wins: number;
  /** Longest run of losing trades. */
  readonly max_consecutive_losses: number;
  /** Mean duration of closed trades, in seconds. */
  readonly avg_duration_s: (number | null);
  /** Share of time with an open position, in percent points. */
  readonly exposure_pct: (number | null);
  /** Net profit divided by `max_drawdown_abs`. */
  readonly recovery_factor: (number | null);
  /** Start of the period that the figures cover. ISO-8601 UTC. */
  readonly period_start: string;
  /** End of the period that the figures cover. ISO-8601 UTC. */
  readonly period_end: string;
  /** True if there are at least 30 closed trades. */
  readonly sample_sufficient: boolean;
  /** Version of the formulas. */
  readonly metrics_version: number;
};

/** Statistics, equity and results by period of a deployment. */
export type DeploymentPerformance = {
  /** Deployment id. */
  readonly deployment_id: number;
  /** Strategy id. */
  readonly strategy_id: number;
  /** Name of the strategy. Unique among the user’s strategies. */
  readonly strategy_name: string;
  /** `live` trades real money, `virtual` trades on paper. */
  readonly mode: ("live" | "virtual");
  /** Status of the deployment. */
  readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
  /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
  readonly currency: string;
  /** Capital at deploying, in `currency`. Decimal. */
  readonly starting_capital: number;
  readonly metrics: DeploymentMetrics;
  /** Daily equity, at most 500 points, oldest first. */
  readonly equity_curve: readonly DeploymentEquity[];
  /** Profit and loss by day, week and month. */
  readonly pnl: {
    /** Profit and loss by day (UTC), oldest first. */
    readonly by_day: readonly {
      /** First day of the period (UTC), as `2026-03-02`. */
      readonly period: string;
      /** Realised result of the period after fees and swap, in `currency`. Decimal. */
      readonly pnl: number;
      /** Closed trades. */
      readonly trades: number;
    }[];
    /** Profit and loss by week (UTC, from Monday), oldest first. */
    readonly by_week: readonly {
      /** First day of the period (UTC), as `2026-03-02`. */
      readonly period: string;
      /** Realised result of the period after fees and swap, in `currency`. Decimal. */
      readonly pnl: number;
      /** Closed trades. */
      readonly trades: number;
    }[];
    /** Profit and loss by month (UTC), oldest first. */
    readonly by_month: readonly {
      /** Month (UTC), as `2026-03`. */
      readonly period: string;
      /** Realised result of the period after fees and swap, in `currency`. Decimal. */
      readonly pnl: number;
      /** Closed trades. */
      readonly trades: number;
    }[];
  };
  /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
  readonly as_of: string;
};

/** Deployment of any kind, as its owner sees it. */
export type DeploymentState = {
  /** Deployment id. */
  readonly deployment_id: number;
  /** Kind of the deployment; `live` covers real and paper trading. */
  readonly deployment_type: ("notification" | "scanner" | "live");
  /** Status of the deployment. */
  readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
  /** Reason for the end; null while running. */
  readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
  /** Time of the end. ISO-8601 UTC; null while running. */
  readonly stopped_at: (string | null);
  /** Pause or halt of the deployment, with actor and reason; null while it runs. */
  readonly held: (DeploymentHold | null);
  /** Stop that the engine has not confirmed yet; null without one. */
  readonly stopping: (DeploymentStop | null);
  /** Channels that notifications are sent to. */
  readonly channels: readonly ("push" | "email" | "sms")[];
  /** True if its times are those of its bars, not of the clock. */
  readonly market_time: boolean;
  /** True if its instruments are of the demo market. */
  readonly is_demo: boolean;
  /** The live or paper deployment; null for another kind. */
  readonly live: (LiveDeploymentCustomOut | null);
  /** The notification deployment; null for another kind. */
  readonly notification: (NotificationDeploymentOut | null);
  /** The scanner; null for another kind. */
  readonly scanner: (ScannerDeploymentsOut | null);
};

/** Request to the engine of a deployment to stop it. */
export type DeploymentStop = {
  /** Actor: `user`, `broker`, `operator`, or a `risk_limit` or `kill_switch` that was set before; `engine` for its engine. */
  readonly by: ("user" | "broker" | "operator" | "risk_limit" | "kill_switch" | "engine");
  /** Reason that was given. */
  readonly reason: string;
  /** True if positions are closed, too. */
  readonly flatten: boolean;
  /** Time at which the deployment ends without the engine’s word. */
  readonly until: string;
};

/** Closed trade: from the entry until the position is flat or flips. */
export type DeploymentTrade = {
  /** Number of the trade within the deployment, from 1. */
  readonly trade_number: number;
  /** Deployment id. */
  readonly deployment_id: number;
  /** Strategy id. */
  readonly strategy_id: number;
  /** `live` trades real money, `virtual` trades on paper. */
  readonly mode: ("live" | "virtual");
  /** Symbol of the instrument. */
  readonly symbol: string;
  /** Direction. */
  readonly side: ("long" | "short");
  /** Quantity, in lots of the instrument. Decimal. */
  readonly quantity: number;
  /** Average entry price. Decimal, in the quote currency of the symbol. */
  readonly entry_price: number;
  /** Average exit price. Decimal, in the quote currency of the symbol. */
  readonly exit_price: number;
  /** Realised profit or loss before fees and swap, in `currency`. Decimal. */
  readonly gross_pnl: number;
  /** Fees, in `currency`. Decimal; positive is a cost. */
  readonly fees: number;
  /** Swap, in `currency`. Decimal; negative is a charge to the account. */
  readonly swap: number;
  /** Profit or loss after fees and swap, in `currency`. Decimal. */
  readonly net_pnl: number;
  /** `net_pnl` in percent points of the value at the entry; null for trades closed before the service kept that value. */
  readonly return_pct: (number | null);
  /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
  readonly currency: string;
  /** Time of the first entry fill. ISO-8601 UTC. */
  readonly opened_at: string;
  /** Time of the last exit fill. ISO-8601 UTC. */
  readonly closed_at: string;
  /** Seconds from the first entry to the last exit. */
  readonly duration_s: number;
  /** Id of the order that closed the trade. */
  readonly client_order_id: string;
};

/** Illustrative user, kept apart from real users. */
export type DummyUser = {
  /** Id of the dummy user. */
  readonly id: string;
  /** Name for people. */
  readonly name: string;
  /** E-mail address. Compared without regard to case. */
  readonly email: string;
};

/** Illustrative user to create. */
export type DummyUserIn = {
  /** Name for people. */
  readonly name: string;
  /** E-mail address. Compared without regard to case. */
  readonly email: string;
};

/** Closed bar of a program. */
export type EngineBar = {
  /** Start of the bar. ISO-8601 UTC. */
  readonly start: string;
  /** Close of the bar. ISO-8601 UTC. */
  readonly closed_at: string;
};

/** Condition of rules at a bar, or a group of the conditions that follow with a higher `level`. */
export type EngineCondition = {
  /** Depth of the condition: 0 for the outermost. */
  readonly level: number;
  /** Condition with the values of its operands, such as `RSI(14) = 41.2 < 30`; of a group `all of`, `any of` or `not`. */
  readonly text: string;
  /** True if it holds. */
  readonly holds: boolean;
};

/** Entry or exit of rules at a bar. */
export type EngineDecision = {
  /** Direction. */
  readonly side: ("long" | "short");
  /** True if it holds. */
  readonly holds: boolean;
  /** Reason for which the entry is not placed although its condition may hold, or for which there is nothing to exit; null without one. */
  readonly blocked: (string | null);
  /** Condition and its members, a group before its members. */
  readonly conditions: readonly EngineCondition[];
};

/** Rules at the close of the last bar. */
export type EngineEvaluation = {
  /** Start of the bar. ISO-8601 UTC. */
  readonly at: string;
  /** False until all indicators have had a value. */
  readonly is_evaluated: boolean;
  /** Prices and indicators of the rules. */
  readonly values: readonly EngineValue[];
  /** Entries of the rules, in their order. */
  readonly entries: readonly EngineDecision[];
  /** Exits of the rules, in their order. */
  readonly exits: readonly EngineDecision[];
};

/** Decision with its reason. */
export type EngineNote = {
  /** Start of the bar. ISO-8601 UTC. */
  readonly at: string;
  /** Text for people. */
  readonly text: string;
};

/** Entry order that waits. */
export type EngineOrder = {
  /** Order id in the order book. */
  readonly client_order_id: string;
  /** Direction. */
  readonly side: ("long" | "short");
  /** Order type. */
  readonly order_type: ("market" | "limit" | "stop");
  /** Price of a limit or stop order; null for a market order. */
  readonly price: (number | null);
  /** Quantity; null for a market order, whose size is computed at its fill. */
  readonly quantity: (number | null);
  /** Start of the bar at whose close the order was placed. ISO-8601 UTC. */
  readonly placed_at: string;
};

/** Instruments and last run of a scanner. */
export type EngineScanner = {
  /** Sentence about what happens next and what does not hold for it. */
  readonly waits_for: string;
  /** Number of instruments that are watched. */
  readonly watched_count: number;
  /** Symbols of the instruments that are watched. */
  readonly watched: readonly string[];
  /** Number of symbols of the universe without candles that could be read when the scanner began. */
  readonly without_candles_count: number;
  /** Symbols of the universe without candles when the scanner began, at most 20. They are not watched. */
  readonly without_candles: readonly string[];
  /** Time up to which bars were complete at the last run. ISO-8601 UTC; null before the first. */
  readonly last_run_at: (string | null);
};

/** Symbol of a deployment after its last bar. */
export type EngineSymbol = {
  /** Symbol of the instrument. */
  readonly symbol: string;
  /** Sentence about what happens next and what does not hold for it. */
  readonly waits_for: string;
  /** Last bar that was evaluated; null before the first. */
  readonly last_bar: (EngineBar | null);
  /** Close of the next bar by the exchange’s calendar. ISO-8601 UTC; null if it is not known. */
  readonly next_bar_due_at: (string | null);
  /** Seconds since the next bar was due; 0 if it is not due yet. Null for bars with a time of their own, and before the first bar. */
  readonly data_delay_s: (number | null);
  /** Reason for which there is no delay; null with one. */
  readonly data_delay_note: (string | null);
  /** Rules at the close of the last bar; null before it. */
  readonly evaluation: (EngineEvaluation | null);
  /** Entry orders that wait. Market orders are in the order book once they are filled. */
  readonly orders: readonly EngineOrder[];
  /** Open trades. */
  readonly trades: readonly EngineTrade[];
  /** Last decisions, at most 10, newest first. */
  readonly decisions: readonly EngineNote[];
  /** Reason for which the engine skips the symbol; null without one. */
  readonly error: (string | null);
  /** Time since which the engine fails at the symbol and tries again; null while it does not. */
  readonly failing_since: (string | null);
};

/** Open trade of an account. */
export type EngineTrade = {
  /** Id of the order that opened the trade. */
  readonly client_order_id: (string | null);
  /** Direction. */
  readonly side: ("long" | "short");
  /** Open quantity. */
  readonly quantity: number;
  /** Start of the bar of the entry. ISO-8601 UTC. */
  readonly entry_at: string;
  /** Average entry price. Decimal, in the quote currency of the symbol. */
  readonly entry_price: number;
  /** Stop, as trailing has moved it; null without one. */
  readonly stop_loss: (number | null);
  /** True if a trailing stop has moved the stop. */
  readonly is_trailed: boolean;
  /** Target; null without one. */
  readonly take_profit: (number | null);
  /** Quantity that closes at the next bar. */
  readonly closing_quantity: number;
};

/** Price or indicator of rules at a bar. */
export type EngineValue = {
  /** Price or indicator, such as `RSI(14)`. */
  readonly name: string;
  /** Value; null while it is missing. */
  readonly value: (number | null);
};

/** Error of the service. */
export type ErrorResponse = {
  /** Message for people. */
  readonly detail: string;
  /** Stable error code for programs. */
  readonly code: string;
};

/** Account at a broker that the hub places real orders on. It never holds keys. */
export type ExecutionConnection = {
  /** Adapter that executes orders at a broker: `alpaca`. */
  readonly adapter: string;
  /** `paper` trades without money, `live` with real money. */
  readonly environment: ("paper" | "live");
  /** Account number at the broker. */
  readonly account_id: string;
  /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
  readonly currency: string;
  /** `connected`, or `refused` when the broker no longer accepts the keys. */
  readonly status: ("connected" | "refused");
  /** Time of the connection. ISO-8601 UTC. */
  readonly connected_at: string;
  /** Time of the last change of the status. ISO-8601 UTC. */
  readonly status_at: string;
};

/** Account to connect, by its keys. */
export type ExecutionConnectionIn = {
  /** Adapter that executes orders at a broker: `alpaca`. */
  readonly adapter: "alpaca";
  /** `paper` trades without money, `live` with real money. */
  readonly environment: ("paper" | "live");
  /** Key id at the broker. No answer shows it. */
  readonly key_id: string;
  /** Secret key at the broker. No answer shows it. */
  readonly secret: string;
};

/** Strategy that the user likes. */
export type ExploreStrategyFavouriteOut = {
  /** Strategy id. */
  readonly strategy_id: number;
  /** True if the caller likes the strategy. */
  readonly is_liked: boolean;
  /** Users who like the strategy. */
  readonly like_count: number;
  /** Time of the like. ISO-8601 UTC. */
  readonly liked_at: (string | null);
  /** Entry in the explore catalogue; null when the strategy is not listed. */
  readonly strategy: (ExploreStrategyOut | null);
};

/** Strategy in the explore catalogue. */
export type ExploreStrategyOut = {
  /** Id of the entry in the explore catalogue. */
  readonly explore_id: number;
  /** Strategy id. */
  readonly strategy_id: number;
  /** Share key of the strategy. */
  readonly strategy_key: string;
  /** Name of the strategy. Unique among the user’s strategies. */
  readonly strategy_name: string;
  /** Description for people. */
  readonly description: (string | null);
  /** Symbols of the instruments. */
  readonly symbols: readonly string[];
  /** Length of a bar. */
  readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
  /** Asset class; `multi` for a strategy over several classes. */
  readonly asset_class: ("equity" | "index" | "forex" | "commodity" | "crypto" | "multi");
  /** Directions that the strategy trades. */
  readonly direction: ("long" | "short" | "both");
  /** Description of the rules. Null without rules, and for closed rules of others. */
  readonly sentence: (string | null);
  /** `open` if others can copy the strategy and read its sentence, else `closed`. Null without rules. */
  readonly rules_visibility: ("open" | "closed" | null);
  readonly author: Author;
  /** Users who like the strategy. */
  readonly like_count: number;
  /** Copies that were made of the strategy. */
  readonly copy_count: number;
  /** Deployments that were made of the strategy. */
  readonly deployment_count: number;
  readonly performance: StrategyPerformance;
  /** Slugs of the categories. */
  readonly categories: readonly string[];
  /** True if the caller likes the strategy. */
  readonly is_liked: boolean;
  /** True if the caller has copied the strategy. */
  readonly is_copied: boolean;
  /** Time of publication. ISO-8601 UTC. */
  readonly published_at: (string | null);
};

/** Answer of the gateway when the authorizer refuses a request. */
export type GatewayError = {
  /** Message of the gateway. */
  readonly message: string;
};

/** Input that does not fit the operation. */
export type HTTPValidationError = {
  /** All problems of the request. */
  readonly detail?: readonly ValidationError[] | undefined;
};

/** Progress of halting deployments. */
export type Halting = {
  /** Number of deployments that are halted so far. */
  readonly halted: number;
  /** Time at which all were halted. ISO-8601 UTC; null before. */
  readonly finished_at: (string | null);
};

/** Sign-in with an ID token. */
export type IdpAuthRequest = {
  /** Identifier of the identity provider, as `/blloo` lists it. */
  readonly provider: string;
  /** OpenID Connect ID token of the provider. */
  readonly id_token: string;
  /** Nonce that was sent to the provider. The ID token must hold the same. */
  readonly nonce?: string | undefined;
  /** Referral code. */
  readonly referral_code?: string | undefined;
  /** Sub-domain of the white-label broker. */
  readonly broker_domain?: string | undefined;
};

/** Instrument that matches a search. */
export type InstrumentSuggestion = {
  /** Symbol of the instrument. */
  readonly symbol: string;
  /** Symbol of the instrument at the broker. */
  readonly broker_symbol: (string | null);
  /** Name for people. */
  readonly name: string;
  /** Exchange or market of the instrument. */
  readonly exchange: string;
  /** Asset class; `multi` for a strategy over several classes. */
  readonly asset_class: ("equity" | "index" | "forex" | "commodity" | "crypto");
  /** Base currency of a pair, ISO 4217; null for other instruments. */
  readonly base_currency: (string | null);
  /** Currency of prices, ISO 4217 or a crypto symbol. */
  readonly quote_currency: string;
  /** Smallest change of price. Decimal. */
  readonly tick_size: number;
  /** Decimal places of a price. */
  readonly digits: number;
  /** Units of the instrument in one lot. */
  readonly contract_size: number;
  /** Smallest order, in lots. */
  readonly min_volume: number;
  /** Largest order, in lots; null without a limit. */
  readonly max_volume: (number | null);
  /** Step between allowed order sizes, in lots. */
  readonly volume_step: number;
  /** Swap rate of a long position, per lot and night. Negative is a charge; null when the catalogue has none. */
  readonly swap_long: (number | null);
  /** Swap rate of a short position, per lot and night. Negative is a charge; null when the catalogue has none. */
  readonly swap_short: (number | null);
  /** Unit of `swap_long` and `swap_short`. */
  readonly swap_calculation: ("pips" | "percentage" | "points" | null);
  /** Weekday that charges three nights; null when the catalogue has none. */
  readonly triple_swap_weekday: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday" | null);
  /** True if orders are accepted now. */
  readonly tradable: boolean;
};

/** Live or paper deployment, as the user’s broker sees it. */
export type IntegratorLiveDeployment = {
  /** Deployment id. */
  readonly deployment_id: number;
  /** Strategy id. */
  readonly strategy_id: number;
  /** Name of the strategy. Unique among the user’s strategies. */
  readonly strategy_name: string;
  /** Symbols of the instruments. */
  readonly symbols: readonly string[];
  /** Length of a bar. */
  readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id: (number | null);
  /** Account at the calling broker; null for an account elsewhere. */
  readonly account_id: (string | null);
  /** `live` trades real money, `virtual` trades on paper. */
  readonly mode: ("live" | "virtual");
  /** Engine that runs the deployment: `hub` for a strategy with rules, else `external`, which reports as events. */
  readonly engine: ("external" | "hub");
  /** Status of the deployment. */
  readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
  /** Place in the trading cycle. */
  readonly phase: ("waiting" | "entered" | "exited");
  /** Reason for the end; null while running. */
  readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
  /** Realised profit or loss after fees and swap, in `currency`. Decimal. */
  readonly realized_pnl: number;
  /** Profit or loss of open positions at their latest price, in `currency`. Decimal; null without a price. */
  readonly unrealized_pnl: (number | null);
  /** Profit or loss since the start of the day (UTC), in `currency`. Decimal; null without a price. */
  readonly today_pnl: (number | null);
  /** `realized_pnl` plus `unrealized_pnl`, in `currency`. Decimal; null without a price. */
  readonly total_pnl: (number | null);
  /** Realised profit or loss before fees and swap, in `currency`. Decimal. */
  readonly gross_pnl: number;
  /** Fees, in `currency`. Decimal; positive is a cost. */
  readonly fees: number;
  /** Swap, in `currency`. Decimal; negative is a charge to the account. */
  readonly swap: number;
  /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
  readonly currency: string;
  /** Capital at deploying, in `currency`. Decimal. */
  readonly starting_capital: number;
  /** `total_pnl` in percent points of `starting_capital`. */
  readonly return_pct: (number | null);
  /** Closed trades. */
  readonly trades_count: number;
  /** Orders that are not final. */
  readonly open_orders: number;
  /** True if the deployment trades on a prediction market. */
  readonly prediction_market: boolean;
  /** Time of deploying. ISO-8601 UTC. */
  readonly deployed_at: string;
  /** Time when the engine started. ISO-8601 UTC; null before. */
  readonly started_at: (string | null);
  /** Time of the end. ISO-8601 UTC; null while running. */
  readonly stopped_at: (string | null);
  /** Time of expiry. ISO-8601 UTC; null without one. */
  readonly expires_at: (string | null);
  /** Time of the last change. ISO-8601 UTC. */
  readonly updated_at: string;
  /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
  readonly as_of: (string | null);
  /** Open positions. */
  readonly positions: readonly {
    /** Symbol of the instrument. */
    readonly symbol: string;
    /** Direction. */
    readonly side: ("long" | "short");
    /** Quantity, in lots of the instrument. Decimal. */
    readonly quantity: number;
    /** Average price, weighted by quantity. Decimal, in the quote currency of the symbol. */
    readonly average_price: number;
    /** Latest price. Decimal, in the quote currency of the symbol; null before the first price. */
    readonly last_price: (number | null);
    /** Profit or loss of open positions at their latest price, in `currency`. Decimal; null without a price. */
    readonly unrealized_pnl: (number | null);
    /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
    readonly as_of: (string | null);
  }[];
  /** Kind of the deployment; `live` covers real and paper trading. */
  readonly type: "live";
};

/** Notification deployment, as the user’s broker sees it. */
export type IntegratorNotificationDeployment = {
  /** Deployment id. */
  readonly deployment_id: number;
  /** Strategy id. */
  readonly strategy_id: number;
  /** Name of the strategy. Unique among the user’s strategies. */
  readonly strategy_name: string;
  /** Symbols of the instruments. */
  readonly symbols: readonly string[];
  /** Length of a bar. */
  readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id: (number | null);
  /** Engine that runs the deployment: `hub` for a strategy with rules, else `external`, which reports as events. */
  readonly engine: ("external" | "hub");
  /** Status of the deployment. */
  readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
  /** Place in the trading cycle. */
  readonly phase: ("waiting" | "entered" | "exited");
  /** Time of deploying. ISO-8601 UTC. */
  readonly deployed_at: string;
  /** Time when the engine started. ISO-8601 UTC; null before. */
  readonly started_at: (string | null);
  /** Time of the end. ISO-8601 UTC; null while running. */
  readonly stopped_at: (string | null);
  /** Time of expiry. ISO-8601 UTC; null without one. */
  readonly expires_at: (string | null);
  /** Reason for the end; null while running. */
  readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
  /** Kind of the deployment; `live` covers real and paper trading. */
  readonly type: "notification";
  /** Limit on how often a signal notifies. */
  readonly frequency: ("every_signal" | "once_per_bar" | "once_per_day");
  /** Latest signal; null before the first. */
  readonly last_signal: {
    /** Direction. */
    readonly side: ("buy" | "sell");
    /** Limit price. Decimal, in the quote currency of the symbol; null without one. */
    readonly price: (number | null);
    /** Time of the event. ISO-8601 UTC. */
    readonly at: string;
  };
  /** Signals since deploying. */
  readonly signals_count: number;
};

/** Scanner deployment, as the user’s broker sees it. */
export type IntegratorScanner = {
  /** Deployment id. */
  readonly deployment_id: number;
  /** Strategy id. */
  readonly strategy_id: number;
  /** Name of the strategy. Unique among the user’s strategies. */
  readonly strategy_name: string;
  /** Symbols of the instruments. */
  readonly symbols: readonly string[];
  /** Length of a bar. */
  readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id: (number | null);
  /** Engine that runs the deployment: `hub` for a strategy with rules, else `external`, which reports as events. */
  readonly engine: ("external" | "hub");
  /** Status of the deployment. */
  readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
  /** Place in the trading cycle. */
  readonly phase: ("waiting" | "entered" | "exited");
  /** Time of deploying. ISO-8601 UTC. */
  readonly deployed_at: string;
  /** Time when the engine started. ISO-8601 UTC; null before. */
  readonly started_at: (string | null);
  /** Time of the end. ISO-8601 UTC; null while running. */
  readonly stopped_at: (string | null);
  /** Time of expiry. ISO-8601 UTC; null without one. */
  readonly expires_at: (string | null);
  /** Reason for the end; null while running. */
  readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
  /** Kind of the deployment; `live` covers real and paper trading. */
  readonly type: "scanner";
  /** Universe of instruments that is watched. */
  readonly universe_id: string;
  /** Name of the universe. */
  readonly universe_name: string;
  /** Time of the latest run of the scanner. ISO-8601 UTC; null before the first. */
  readonly last_run_at: (string | null);
  /** Matches since deploying. */
  readonly matches_count: number;
  /** Instruments of the latest match; empty before the first. */
  readonly last_matches: readonly {
    /** Symbol of the instrument. */
    readonly symbol: string;
    /** Limit price. Decimal, in the quote currency of the symbol; null without one. */
    readonly price: (number | null);
    /** Time of the event. ISO-8601 UTC. */
    readonly at: string;
  }[];
};

/** Filled order with its expected price and its fill price. */
export type IntegratorSlippage = {
  /** Order id. */
  readonly order_id: number;
  /** Deployment id. */
  readonly deployment_id: number;
  /** Strategy id. */
  readonly strategy_id: number;
  /** `live` trades real money, `virtual` trades on paper. */
  readonly mode: ("live" | "virtual");
  /** Symbol of the instrument. */
  readonly symbol: string;
  /** Direction. */
  readonly side: ("buy" | "sell");
  /** Filled quantity, in lots of the instrument. Decimal. */
  readonly quantity: number;
  /** Price at the time of the signal. Decimal, in the quote currency of the symbol. */
  readonly expected_price: number;
  /** Average fill price. Decimal, in the quote currency of the symbol. */
  readonly fill_price: number;
  /** Difference of fill price and expected price. Positive is to the user’s disadvantage. Decimal, in the quote currency of the symbol. */
  readonly slippage: number;
  /** Slippage in basis points of the expected price. Positive is to the user’s disadvantage; null for an expected price of zero. */
  readonly slippage_bps: (number | null);
  /** Cost of the slippage, in `currency`. Decimal; positive is to the user’s disadvantage. */
  readonly slippage_amount: number;
  /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
  readonly currency: string;
  /** Time of the signal. ISO-8601 UTC. */
  readonly signal_at: string;
  /** Time when the order was filled, or of its first fill before. ISO-8601 UTC. */
  readonly filled_at: string;
  /** Milliseconds from the signal to the first fill. */
  readonly latency_ms: number;
};

/** Strategy, as the user’s broker sees it. */
export type IntegratorStrategy = {
  /** Strategy id. */
  readonly strategy_id: number;
  /** Name of the strategy. Unique among the user’s strategies. */
  readonly strategy_name: string;
  /** Description for people. */
  readonly description: (string | null);
  /** Symbols of the instruments. */
  readonly symbols: readonly string[];
  /** Length of a bar. */
  readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
  /** Asset class; `multi` for a strategy over several classes. */
  readonly asset_class: ("equity" | "index" | "forex" | "commodity" | "crypto" | "multi");
  /** Directions that the strategy trades. */
  readonly direction: ("long" | "short" | "both");
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id: (number | null);
  /** Status of the strategy. */
  readonly status: ("draft" | "ready" | "archived");
  /** 1 if the strategy is a copy, else 0. */
  readonly is_copied: number;
  /** Strategy that this one was copied from; null for a built one. */
  readonly parent_strategy_id: (number | null);
  /** Visibility: 0 private, 1 public on the profile, 2 by share key only. */
  readonly publish_state: number;
  /** True if the strategy is in the explore catalogue. */
  readonly is_listed: boolean;
  /** Version of the strategy. It grows with each change. */
  readonly version: number;
  /** Users who like the strategy. */
  readonly like_count: number;
  /** Copies that were made of the strategy. */
  readonly copy_count: number;
  /** Deployments that were made of the strategy. */
  readonly deployment_count: number;
  /** Time of creation. ISO-8601 UTC. */
  readonly created_at: string;
  /** Time of the last change. ISO-8601 UTC. */
  readonly updated_at: string;
  /** Instruments of the strategy with their weights. */
  readonly legs: readonly {
    /** Symbol of the instrument. */
    readonly symbol: string;
    /** Weight of the leg. */
    readonly weight: number;
  }[];
};

/** Closed trade: from the entry until the position is flat or flips. */
export type IntegratorTrade = {
  /** Number of the trade within the deployment, from 1. */
  readonly trade_number: number;
  /** Deployment id. */
  readonly deployment_id: number;
  /** Strategy id. */
  readonly strategy_id: number;
  /** `live` trades real money, `virtual` trades on paper. */
  readonly mode: ("live" | "virtual");
  /** Symbol of the instrument. */
  readonly symbol: string;
  /** Direction. */
  readonly side: ("long" | "short");
  /** Quantity, in lots of the instrument. Decimal. */
  readonly quantity: number;
  /** Average entry price. Decimal, in the quote currency of the symbol. */
  readonly entry_price: number;
  /** Average exit price. Decimal, in the quote currency of the symbol. */
  readonly exit_price: number;
  /** Realised profit or loss before fees and swap, in `currency`. Decimal. */
  readonly gross_pnl: number;
  /** Fees, in `currency`. Decimal; positive is a cost. */
  readonly fees: number;
  /** Swap, in `currency`. Decimal; negative is a charge to the account. */
  readonly swap: number;
  /** Profit or loss after fees and swap, in `currency`. Decimal. */
  readonly net_pnl: number;
  /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
  readonly currency: string;
  /** Time of the first entry fill. ISO-8601 UTC. */
  readonly opened_at: string;
  /** Time of the last exit fill. ISO-8601 UTC. */
  readonly closed_at: string;
  /** Seconds from the first entry to the last exit. */
  readonly duration_s: number;
};

/** Kill switches that cover deployments of a user. */
export type KillSwitch = {
  /** True if a kill switch is thrown. */
  readonly thrown: boolean;
  /** Thrown kill switches, of the service first, then of brokers, then of the user. */
  readonly switches: readonly ThrownSwitch[];
  /** Progress of halting the deployments of the own switch; null while it is not thrown, or if it cannot be read. */
  readonly halting: (Halting | null);
};

/** State of a kill switch after a request. */
export type KillSwitchChange = {
  /** True if a kill switch is thrown. */
  readonly thrown: boolean;
  /** True if the request changed something. */
  readonly changed: boolean;
};

/** A kill switch covers deployments of the user. */
export type KillSwitchEvent = {
  /** Id of the event; the same in every feed and webhook. */
  readonly id: string;
  /** Time of the event. ISO-8601 UTC. */
  readonly at: string;
  /** Deployment id. */
  readonly deployment_id?: number | undefined;
  /** Number of the event among those of the deployment, without gaps; absent without a deployment. */
  readonly sequence?: number | undefined;
  /** Type of the event. */
  readonly type: "kill_switch.thrown";
  /** Values of the change; the keys depend on `type`. */
  readonly data: {
    /** Level of the switch: `user`, `broker` or `service`. */
    readonly level: ("user" | "broker" | "service");
    /** Actor; null if nobody did. */
    readonly by: ("user" | "broker" | "operator" | "risk_limit" | "kill_switch" | "engine");
    /** Reason of the command or of the failure; null without one. */
    readonly reason: string;
    /** True if positions are closed, too. */
    readonly flatten: boolean;
    readonly [name: string]: unknown;
  };
  readonly [name: string]: unknown;
};

/** A throw or a re-arming of a kill switch. */
export type KillSwitchTrailEntry = {
  /** Time of the action. ISO-8601 UTC. */
  readonly at: string;
  /** Recorded action. */
  readonly action: ("kill_switch_thrown" | "kill_switch_re_armed");
  /** Actor: `broker` or `operator`. */
  readonly by: ("user" | "broker" | "operator");
  /** Reason that was given. */
  readonly reason: string;
  /** User whose deployments it covers; null for all users of the broker. */
  readonly user_email: (string | null);
  /** True if positions are closed, too. */
  readonly flatten: boolean;
};

/** Live or paper deployment, as its owner sees it. */
export type LiveDeploymentCustomOut = {
  /** Deployment id. */
  readonly deployment_id: number;
  /** Strategy id. */
  readonly strategy_id: number;
  /** Name of the strategy. Unique among the user’s strategies. */
  readonly strategy_name: string;
  /** Symbols of the deployment, separated by commas. */
  readonly symbol: string;
  /** Symbols of the instruments. */
  readonly symbols: readonly string[];
  /** Length of a bar. */
  readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id: (number | null);
  /** Account number at the broker. */
  readonly account_id: (string | null);
  /** `live` trades real money, `virtual` trades on paper. */
  readonly mode: ("live" | "virtual");
  /** Engine that runs the deployment: `hub` for a strategy with rules, else `external`, which reports as events. */
  readonly engine: ("external" | "hub");
  /** Status of the deployment. */
  readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
  /** Place in the trading cycle. */
  readonly phase: ("waiting" | "entered" | "exited");
  /** Reason for the end; null while running. */
  readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
  /** Pause or halt of the deployment, with actor and reason; null while it runs. */
  readonly held: (DeploymentHold | null);
  /** Stop that the engine has not confirmed yet; null without one. */
  readonly stopping: (DeploymentStop | null);
  /** Open positions. */
  readonly positions: readonly {
    /** Symbols of the deployment, separated by commas. */
    readonly symbol: string;
    /** Direction. */
    readonly side: ("long" | "short");
    /** Quantity, in lots of the instrument. Decimal. */
    readonly quantity: number;
    /** Average price, weighted by quantity. Decimal, in the quote currency of the symbol. */
    readonly average_price: number;
    /** Latest price. Decimal, in the quote currency of the symbol; null before the first price. */
    readonly last_price: (number | null);
    /** Profit or loss of open positions at their latest price, in `currency`. Decimal; null without a price. */
    readonly unrealized_pnl: (number | null);
    /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
    readonly as_of: (string | null);
  }[];
  /** Realised profit or loss after fees and swap, in `currency`. Decimal. */
  readonly realized_pnl: number;
  /** Profit or loss of open positions at their latest price, in `currency`. Decimal; null without a price. */
  readonly unrealized_pnl: (number | null);
  /** Profit or loss since the start of the day (UTC), in `currency`. Decimal; null without a price. */
  readonly today_pnl: (number | null);
  /** `realized_pnl` plus `unrealized_pnl`, in `currency`. Decimal; null without a price. */
  readonly total_pnl: (number | null);
  /** Realised profit or loss before fees and swap, in `currency`. Decimal. */
  readonly gross_pnl: number;
  /** Fees, in `currency`. Decimal; positive is a cost. */
  readonly fees: number;
  /** Swap, in `currency`. Decimal; negative is a charge to the account. */
  readonly swap: number;
  /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
  readonly currency: string;
  /** Capital at deploying, in `currency`. Decimal. */
  readonly starting_capital: number;
  /** `total_pnl` in percent points of `starting_capital`. */
  readonly return_pct: (number | null);
  /** Closed trades. */
  readonly trades_count: number;
  /** Orders that are not final. */
  readonly open_orders: number;
  /** Order that the engine reported on last; null before the first. */
  readonly latest_order: {
    /** Order id. */
    readonly order_id: number;
    /** Order id that the engine chose. Unique within the deployment. */
    readonly client_order_id: string;
    /** Symbols of the deployment, separated by commas. */
    readonly symbol: string;
    /** Direction. */
    readonly side: ("buy" | "sell");
    /** Status of the order. */
    readonly status: ("pending" | "submitted" | "open" | "trigger_pending" | "partially_filled" | "cancel_pending" | "unknown" | "filled" | "cancelled" | "rejected" | "expired");
    /** Message of the broker or engine; null without one. */
    readonly status_message: (string | null);
    /** Quantity, in lots of the instrument. Decimal. */
    readonly quantity: number;
    /** Quantity filled so far, in lots. Decimal. */
    readonly filled_quantity: number;
    /** Average price, weighted by quantity. Decimal, in the quote currency of the symbol. */
    readonly average_price: (number | null);
    /** Time of the last change. ISO-8601 UTC. */
    readonly updated_at: string;
  };
  /** True if the deployment trades on a prediction market. */
  readonly prediction_market: boolean;
  /** Time of deploying. ISO-8601 UTC. */
  readonly deployed_at: string;
  /** Time when the engine started. ISO-8601 UTC; null before. */
  readonly started_at: (string | null);
  /** Time of the end. ISO-8601 UTC; null while running. */
  readonly stopped_at: (string | null);
  /** Time of expiry. ISO-8601 UTC; null without one. */
  readonly expires_at: (string | null);
  /** Time of the last change. ISO-8601 UTC. */
  readonly updated_at: string;
  /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
  readonly as_of: (string | null);
};

/** Order of a live or paper deployment. */
export type LiveDeploymentOrderBookOut = {
  /** Order id. */
  readonly order_id: number;
  /** Deployment id. */
  readonly deployment_id: number;
  /** Strategy id. */
  readonly strategy_id: number;
  /** Order id that the engine chose. Unique within the deployment. */
  readonly client_order_id: string;
  /** Symbol of the instrument. */
  readonly symbol: string;
  /** Symbol of the instrument at the broker. */
  readonly broker_symbol: (string | null);
  /** Direction. */
  readonly side: ("buy" | "sell");
  /** Order type. */
  readonly order_type: ("market" | "limit" | "stop" | "stop_limit");
  /** Time in force as the engine reports it, such as `day` or `gtc`. */
  readonly time_in_force: (string | null);
  /** Quantity, in lots of the instrument. Decimal. */
  readonly quantity: number;
  /** Quantity filled so far, in lots. Decimal. */
  readonly filled_quantity: number;
  /** Quantity that is still to be filled, in lots. Decimal. */
  readonly pending_quantity: number;
  /** Quantity that ended unfilled, in lots. Decimal. */
  readonly cancelled_quantity: number;
  /** Limit price. Decimal, in the quote currency of the symbol; null without one. */
  readonly price: (number | null);
  /** Trigger price. Decimal, in the quote currency of the symbol; null without one. */
  readonly trigger_price: (number | null);
  /** Stop-loss price. Decimal, in the quote currency of the symbol; null without one. */
  readonly stop_loss: (number | null);
  /** Take-profit price. Decimal, in the quote currency of the symbol; null without one. */
  readonly take_profit: (number | null);
  /** Price at the time of the signal. Decimal, in the quote currency of the symbol. */
  readonly expected_price: (number | null);
  /** Average price, weighted by quantity. Decimal, in the quote currency of the symbol. */
  readonly average_price: (number | null);
  /** Price of a close by hand. Decimal, in the quote currency of the symbol; null otherwise. */
  readonly close_value: (number | null);
  /** Fees, in `currency`. Decimal; positive is a cost. */
  readonly fees: number;
  /** Swap, in `currency`. Decimal; negative is a charge to the account. */
  readonly swap: number;
  /** Realised profit or loss after fees and swap, in `currency`. Decimal. */
  readonly realized_pnl: (number | null);
  /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
  readonly currency: string;
  /** Status of the order. */
  readonly status: ("pending" | "submitted" | "open" | "trigger_pending" | "partially_filled" | "cancel_pending" | "unknown" | "filled" | "cancelled" | "rejected" | "expired");
  /** Message of the broker or engine; null without one. */
  readonly status_message: (string | null);
  /** Time of creation. ISO-8601 UTC. */
  readonly created_at: string;
  /** Time of submission to the broker. ISO-8601 UTC; null before. */
  readonly submitted_at: (string | null);
  /** Time when the order was filled. ISO-8601 UTC; null before. */
  readonly filled_at: (string | null);
  /** Time of the cancellation. ISO-8601 UTC. */
  readonly cancelled_at: (string | null);
  /** Time of the last change. ISO-8601 UTC. */
  readonly updated_at: string;
  /** `live` trades real money, `virtual` trades on paper. */
  readonly mode: ("live" | "virtual");
  /** Order id at the broker; null until the broker assigned one. */
  readonly broker_order_id: (string | null);
};

/** Page of ended deployments, with sums over all of them. */
export type LiveExpiredOut = {
  /** Entries of this page. */
  readonly items: readonly {
    /** Deployment id. */
    readonly deployment_id: number;
    /** Strategy id. */
    readonly strategy_id: number;
    /** Name of the strategy. Unique among the user’s strategies. */
    readonly strategy_name: string;
    /** Symbols of the deployment, separated by commas. */
    readonly symbol: string;
    /** Symbols of the instruments. */
    readonly symbols: readonly string[];
    /** Length of a bar. */
    readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
    /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
    readonly broker_id: (number | null);
    /** Account number at the broker. */
    readonly account_id: (string | null);
    /** `live` trades real money, `virtual` trades on paper. */
    readonly mode: ("live" | "virtual");
    /** Engine that runs the deployment: `hub` for a strategy with rules, else `external`, which reports as events. */
    readonly engine: ("external" | "hub");
    /** Status of the deployment. */
    readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
    /** Place in the trading cycle. */
    readonly phase: ("waiting" | "entered" | "exited");
    /** Reason for the end; null while running. */
    readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
    /** Pause or halt of the deployment, with actor and reason; null while it runs. */
    readonly held: (DeploymentHold | null);
    /** Stop that the engine has not confirmed yet; null without one. */
    readonly stopping: (DeploymentStop | null);
    /** Open positions. */
    readonly positions: readonly {
      /** Symbols of the deployment, separated by commas. */
      readonly symbol: string;
      /** Direction. */
      readonly side: ("long" | "short");
      /** Quantity, in lots of the instrument. Decimal. */
      readonly quantity: number;
      /** Average price, weighted by quantity. Decimal, in the quote currency of the symbol. */
      readonly average_price: number;
      /** Latest price. Decimal, in the quote currency of the symbol; null before the first price. */
      readonly last_price: (number | null);
      /** Profit or loss of open positions at their latest price, in `currency`. Decimal; null without a price. */
      readonly unrealized_pnl: (number | null);
      /** Time of the latest event of these deployments. ISO-8601 UTC; null without one. */
      readonly as_of: (string | null);
    }[];
    /** Realised profit or loss after fees and swap, in `currency`. Decimal. */
    readonly realized_pnl: number;
    /** Profit or loss of open positions at their latest price, in `currency`. Decimal; null without a price. */
    readonly unrealized_pnl: (number | null);
    /** Profit or loss since the start of the day (UTC), in `currency`. Decimal; null without a price. */
    readonly today_pnl: (number | null);
    /** `realized_pnl` plus `unrealized_pnl`, in `currency`. Decimal; null without a price. */
    readonly total_pnl: (number | null);
    /** Realised profit or loss before fees and swap, in `currency`. Decimal. */
    readonly gross_pnl: number;
    /** Fees, in `currency`. Decimal; positive is a cost. */
    readonly fees: number;
    /** Swap, in `currency`. Decimal; negative is a charge to the account. */
    readonly swap: number;
    /** Currency of the amounts: that of most deployments; null without deployments. */
    readonly currency: string;
    /** Capital at deploying, in `currency`. Decimal. */
    readonly starting_capital: number;
    /** `total_pnl` in percent points of `starting_capital`. */
    readonly return_pct: (number | null);
    /** Closed trades. */
    readonly trades_count: number;
    /** Orders that are not final. */
    readonly open_orders: number;
    /** Order that the engine reported on last; null before the first. */
    readonly latest_order: {
      /** Order id. */
      readonly order_id: number;
      /** Order id that the engine chose. Unique within the deployment. */
      readonly client_order_id: string;
      /** Symbols of the deployment, separated by commas. */
      readonly symbol: string;
      /** Direction. */
      readonly side: ("buy" | "sell");
      /** Status of the order. */
      readonly status: ("pending" | "submitted" | "open" | "trigger_pending" | "partially_filled" | "cancel_pending" | "unknown" | "filled" | "cancelled" | "rejected" | "expired");
      /** Message of the broker or engine; null without one. */
      readonly status_message: (string | null);
      /** Quantity, in lots of the instrument. Decimal. */
      readonly quantity: number;
      /** Quantity filled so far, in lots. Decimal. */
      readonly filled_quantity: number;
      /** Average price, weighted by quantity. Decimal, in the quote currency of the symbol. */
      readonly average_price: (number | null);
      /** Time of the last change. ISO-8601 UTC. */
      readonly updated_at: string;
    };
    /** True if the deployment trades on a prediction market. */
    readonly prediction_market: boolean;
    /** Time of deploying. ISO-8601 UTC. */
    readonly deployed_at: string;
    /** Time when the engine started. ISO-8601 UTC; null before. */
    readonly started_at: (string | null);
    /** Time of the end. ISO-8601 UTC; null while running. */
    readonly stopped_at: (string | null);
    /** Time of expiry. ISO-8601 UTC; null without one. */
    readonly expires_at: (string | null);
    /** Time of the last change. ISO-8601 UTC. */
    readonly updated_at: string;
    /** Time of the latest event of these deployments. ISO-8601 UTC; null without one. */
    readonly as_of: (string | null);
    /** Time of the end, by expiry or otherwise. ISO-8601 UTC. */
    readonly expired_at: (string | null);
    /** Total profit or loss, open positions at their latest price, in `currency`. Decimal. */
    readonly final_pnl: (number | null);
    /** `final_pnl` in percent points of `starting_capital`. */
    readonly final_return_pct: (number | null);
  }[];
  /** Entries of the whole list. */
  readonly total: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page: number;
  /** Entries per page. */
  readonly size: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
  /** Sums over all entries of the answer. */
  readonly summary: {
    /** Number with a profit. */
    readonly wins: number;
    /** Number with a loss. */
    readonly losses: number;
    /** `realized_pnl` plus `unrealized_pnl`, in `currency`. Decimal; null without a price. */
    readonly total_pnl: (number | null);
    /** Currency of the amounts: that of most deployments; null without deployments. */
    readonly currency: (string | null);
    /** Time of the latest event of these deployments. ISO-8601 UTC; null without one. */
    readonly as_of: (string | null);
  };
  /** The same sums by currency. */
  readonly by_currency: readonly {
    /** Currency of the amounts: that of most deployments; null without deployments. */
    readonly currency: string;
    /** Deployments in the sum. */
    readonly deployments_count: number;
    /** Number with a profit. */
    readonly wins: number;
    /** Number with a loss. */
    readonly losses: number;
    /** `realized_pnl` plus `unrealized_pnl`, in `currency`. Decimal; null without a price. */
    readonly total_pnl: (number | null);
  }[];
};

/** Return of a month. */
export type MonthlyReturn = {
  /** Month in the time zone of the exchange: YYYY-MM. */
  readonly month: string;
  /** Return of the month, in percent points. */
  readonly return_pct: number;
};

/** Address at which a deployment takes signals, shown once. */
export type NewSignalHook = {
  /** Deployment id. */
  readonly deployment_id: number;
  /** `order` on paper, or `notification`. */
  readonly effect: ("order" | "notification");
  /** Time of creation. ISO-8601 UTC. */
  readonly created_at: string;
  /** Time of the last signal that took effect. ISO-8601 UTC; null before the first. */
  readonly signalled_at: (string | null);
  /** Address to send signals to. Keep it secret. */
  readonly url: string;
  /** Message for an alert of TradingView. */
  readonly template: string;
};

/** Webhook endpoint with its signing secret, which is shown once. */
export type NewWebhook = {
  /** Id of the webhook endpoint. */
  readonly endpoint_id: string;
  /** Address of the endpoint. */
  readonly url: string;
  /** Description for the owner. */
  readonly description: string;
  /** Types of events that it gets; empty for all. */
  readonly events: readonly string[];
  /** Deployments whose events it gets; null for all. Events without a deployment are left out by a filter. */
  readonly deployment_ids: (readonly number[] | null);
  /** `enabled`, or `disabled`: it gets no events. */
  readonly status: ("enabled" | "disabled");
  /** Reason why it is disabled: by its `owner`, `gone` after an answer 410, or `failing` after 5 days without a success; null while it is enabled. */
  readonly disabled_reason: ("owner" | "gone" | "failing" | null);
  /** Time at which it was disabled. ISO-8601 UTC; null while it is enabled. */
  readonly disabled_at: (string | null);
  /** First failure since the last success. ISO-8601 UTC; null if it works. */
  readonly failing_since: (string | null);
  /** Time at which the secret was made. ISO-8601 UTC. */
  readonly secret_since: string;
  /** Until when events are also signed with the replaced secret. ISO-8601 UTC; null without one. */
  readonly previous_secret_until: (string | null);
  /** Time of the registration. ISO-8601 UTC. */
  readonly created_at: string;
  /** Signing secret, `whsec_` and base64. Shown once. */
  readonly secret: string;
};

/** Notification deployment, as its owner sees it. */
export type NotificationDeploymentOut = {
  /** Deployment id. */
  readonly deployment_id: number;
  /** Strategy id. */
  readonly strategy_id: number;
  /** Name of the strategy. Unique among the user’s strategies. */
  readonly strategy_name: string;
  /** Length of a bar. */
  readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id: (number | null);
  /** Engine that runs the deployment: `hub` for a strategy with rules, else `external`, which reports as events. */
  readonly engine: ("external" | "hub");
  /** Status of the deployment. */
  readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
  /** Time of deploying. ISO-8601 UTC. */
  readonly deployed_at: string;
  /** Time of expiry. ISO-8601 UTC; null without one. */
  readonly expires_at: (string | null);
  /** Time of the end. ISO-8601 UTC; null while running. */
  readonly stopped_at: (string | null);
  /** Reason for the end; null while running. */
  readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
  /** Pause or halt of the deployment, with actor and reason; null while it runs. */
  readonly held: (DeploymentHold | null);
  /** Stop that the engine has not confirmed yet; null without one. */
  readonly stopping: (DeploymentStop | null);
  /** Symbol of the instrument. */
  readonly symbol: string;
  /** Kind of the deployment; `live` covers real and paper trading. */
  readonly type: "notification";
  /** Place in the trading cycle. */
  readonly phase: ("waiting" | "entered" | "exited");
  /** Channels that notifications are sent to. */
  readonly channels: readonly ("push" | "email" | "sms")[];
  /** Limit on how often a signal notifies. */
  readonly frequency: ("every_signal" | "once_per_bar" | "once_per_day");
  /** Latest signal; null before the first. */
  readonly last_signal: {
    /** Direction. */
    readonly side: ("buy" | "sell");
    /** Limit price. Decimal, in the quote currency of the symbol; null without one. */
    readonly price: (number | null);
    /** Time of the event. ISO-8601 UTC. */
    readonly at: string;
  };
  /** Signals since deploying. */
  readonly signals_count: number;
  /** Unread notifications of the deployment. */
  readonly unread_count: number;
};

/** Channels by which the notifications of a user may leave. */
export type NotificationPreferences = {
  /** Channels by group of notification kinds. */
  readonly groups: readonly {
    /** Group of notification kinds. */
    readonly group: ("signals" | "fills" | "orders" | "status" | "risk" | "security");
    /** Notification kinds of the group. */
    readonly kinds: readonly ("signal_buy" | "signal_sell" | "entry_filled" | "exit_filled" | "entry_cancelled" | "stop_loss_hit" | "target_hit" | "order_rejected" | "order_unknown" | "cycle_completed" | "deployment_started" | "deployment_expired" | "deployment_stopped" | "deployment_error" | "scanner_match" | "broker_disconnected" | "token_expiring" | "deployment_paused" | "deployment_resumed" | "deployment_halted" | "risk_warning" | "risk_tripped" | "kill_switch" | "hold_ignored" | "execution_connected" | "split" | "webhook_disabled" | "webhook_registered" | "signal_hook_created" | "mail_stopped" | "mail_ended" | "other")[];
    /** True if the list of the app has the group. Always true. */
    readonly app: boolean;
    /** True if the group may be pushed to devices. */
    readonly push: boolean;
    /** True if the group may be sent as e-mails. */
    readonly email: boolean;
    /** True if the group may be sent as text messages. */
    readonly sms: boolean;
  }[];
  /** Times of day without pushes and text messages, in a time zone; may pass midnight. Null without any. */
  readonly quiet_hours: ({
    /** Time zone of the IANA database, such as `Europe/Berlin`. */
    readonly time_zone: string;
    /** Time of day from which it is quiet, as HH:MM. */
    readonly from: string;
    /** Time of day until which it is quiet, as HH:MM. */
    readonly to: string;
  } | null);
};

/** Notification preferences to change. What is not named stays. */
export type NotificationPreferencesIn = {
  /** Channels by group of notification kinds. */
  readonly groups?: Readonly<Record<string, {
      /** True if the group may be pushed to devices. */
      readonly push?: boolean | undefined;
      /** True if the group may be sent as e-mails. */
      readonly email?: boolean | undefined;
      /** True if the group may be sent as text messages. */
      readonly sms?: boolean | undefined;
    }>> | undefined;
  /** Times of day without pushes and text messages, in a time zone; may pass midnight. Null without any. */
  readonly quiet_hours?: ({
    /** Time zone of the IANA database, such as `Europe/Berlin`. */
    readonly time_zone: string;
    /** Time of day from which it is quiet, as HH:MM. */
    readonly from: string;
    /** Time of day until which it is quiet, as HH:MM. */
    readonly to: string;
  } | null) | undefined;
};

/** Error of OAuth 2.0 (RFC 6749, section 5.2). */
export type OAuthError = {
  /** Error code of OAuth 2.0. */
  readonly error: ("invalid_request" | "invalid_client" | "unauthorized_client" | "unsupported_grant_type" | "invalid_scope");
  /** Explanation of the error for people. */
  readonly error_description: string;
};

/** An order was placed, or its state has changed. */
export type OrderChange = {
  /** Id of the event; the same in every feed and webhook. */
  readonly id: string;
  /** Time of the event. ISO-8601 UTC. */
  readonly at: string;
  /** Deployment id. */
  readonly deployment_id?: number | undefined;
  /** Number of the event among those of the deployment, without gaps; absent without a deployment. */
  readonly sequence?: number | undefined;
  /** Type of the event. */
  readonly type: ("order.placed" | "order.updated" | "order.partially_filled" | "order.filled" | "order.cancelled" | "order.rejected" | "order.expired");
  /** Values of the change; the keys depend on `type`. */
  readonly data: {
    /** Order id. */
    readonly order_id: number;
    /** Order id that the engine chose. Unique within the deployment. */
    readonly client_order_id: string;
    /** Strategy id. */
    readonly strategy_id: number;
    /** `live` trades real money, `virtual` trades on paper. */
    readonly mode: ("live" | "virtual");
    /** Symbol of the instrument. */
    readonly symbol: string;
    /** Direction. */
    readonly side: ("buy" | "sell");
    /** Order type. */
    readonly order_type: ("market" | "limit" | "stop" | "stop_limit");
    /** Quantity, in lots of the instrument. Decimal. */
    readonly quantity: number;
    /** Quantity filled so far, in lots. Decimal. */
    readonly filled_quantity: number;
    /** Limit price. Decimal, in the quote currency of the symbol; null without one. */
    readonly price: (number | null);
    /** Trigger price. Decimal, in the quote currency of the symbol; null without one. */
    readonly trigger_price: (number | null);
    /** Price at the time of the signal. Decimal, in the quote currency of the symbol. */
    readonly expected_price: (number | null);
    /** Average price, weighted by quantity. Decimal, in the quote currency of the symbol. */
    readonly average_price: (number | null);
    /** Fees, in `currency`. Decimal; positive is a cost. */
    readonly fees: number;
    /** Realised profit or loss after fees and swap, in `currency`. Decimal. */
    readonly realized_pnl: (number | null);
    /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
    readonly currency: string;
    /** Status of the deployment. */
    readonly status: ("pending" | "submitted" | "open" | "trigger_pending" | "partially_filled" | "cancel_pending" | "unknown" | "filled" | "cancelled" | "rejected" | "expired");
    /** Message of the broker or engine; null without one. */
    readonly status_message: (string | null);
    readonly [name: string]: unknown;
  };
  readonly [name: string]: unknown;
};

/** Sums over deployments of one mode and currency. */
export type OverviewAccount = {
  /** `live` trades real money, `virtual` trades on paper. */
  readonly mode: ("live" | "virtual");
  /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
  readonly currency: string;
  /** Deployments in the sum. */
  readonly deployments_count: number;
  /** Sum of the capital of the deployments, in `currency`. Decimal. */
  readonly starting_capital: number;
  /** `starting_capital` plus `total_pnl`, in `currency`. Decimal; null without a price. */
  readonly equity: (number | null);
  /** `total_pnl` in percent points of `starting_capital`. */
  readonly return_pct: (number | null);
  /** Realised profit or loss after fees and swap, in `currency`. Decimal. */
  readonly realized_pnl: number;
  /** Profit or loss of open positions at their latest price, in `currency`. Decimal; null without a price. */
  readonly unrealized_pnl: (number | null);
  /** Profit or loss since the start of the day (UTC), in `currency`. Decimal; null without a price. */
  readonly today_pnl: (number | null);
  /** `realized_pnl` plus `unrealized_pnl`, in `currency`. Decimal; null without a price. */
  readonly total_pnl: (number | null);
  /** Realised profit or loss before fees and swap, in `currency`. Decimal. */
  readonly gross_pnl: number;
  /** Fees, in `currency`. Decimal; positive is a cost. */
  readonly fees: number;
  /** Swap, in `currency`. Decimal; negative is a charge to the account. */
  readonly swap: number;
  /** Time of the oldest price behind `unrealized_pnl`. ISO-8601 UTC; null without a price. */
  readonly as_of: (string | null);
  /** Value of long positions, in `currency`. Decimal; null if unknown. */
  readonly long_value: (number | null);
  /** Value of short positions, above zero, in `currency`. Decimal; null if unknown. */
  readonly short_value: (number | null);
  /** Long minus short value, in `currency`. Decimal; null if unknown. */
  readonly net_value: (number | null);
  /** Long plus short value, in `currency`. Decimal; null if unknown. */
  readonly gross_value: (number | null);
};

/** Open positions in a symbol. */
export type OverviewExposure = {
  /** `live` trades real money, `virtual` trades on paper. */
  readonly mode: ("live" | "virtual");
  /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
  readonly currency: string;
  /** Symbol of the instrument. */
  readonly symbol: string;
  /** Quantity of long positions. Decimal. */
  readonly long_quantity: number;
  /** Quantity of short positions, above zero. Decimal. */
  readonly short_quantity: number;
  /** Long minus short quantity. Decimal. */
  readonly net_quantity: number;
  /** Value of long positions, in `currency`. Decimal; null if unknown. */
  readonly long_value: (number | null);
  /** Value of short positions, above zero, in `currency`. Decimal; null if unknown. */
  readonly short_value: (number | null);
  /** Long minus short value, in `currency`. Decimal; null if unknown. */
  readonly net_value: (number | null);
  /** Long plus short value, in `currency`. Decimal; null if unknown. */
  readonly gross_value: (number | null);
  /** Time of the oldest price of the symbol. ISO-8601 UTC; null if a position has none. */
  readonly as_of: (string | null);
};

/** Use of the risk limits of a deployment. */
export type OverviewRisk = {
  /** Deployment id. */
  readonly deployment_id: number;
  /** Name of the strategy. Unique among the user’s strategies. */
  readonly strategy_name: string;
  /** `live` trades real money, `virtual` trades on paper. */
  readonly mode: ("live" | "virtual");
  /** Status of the deployment. */
  readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
  /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
  readonly currency: string;
  /** Limit of which the largest part is used. */
  readonly limit: string;
  /** Value that counts against the limit. */
  readonly used: number;
  /** Largest value that the limit allows. */
  readonly allowed: number;
  /** Value that counts against the limit, in percent points of the largest one allowed. */
  readonly used_pct: number;
  /** Limit that stopped the deployment; null if none did. */
  readonly tripped: (string | null);
};

export type PageAuditEntries = {
  /** Entries of this page. */
  readonly items: readonly AuditEntry[];
  /** Entries of the whole list. */
  readonly total: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page: number;
  /** Entries per page. */
  readonly size: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
};

export type PageBacktestItem = {
  /** Entries of this page. */
  readonly items: readonly BacktestItem[];
  /** Entries of the whole list. */
  readonly total: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page: number;
  /** Entries per page. */
  readonly size: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
};

export type PageBacktestTrade = {
  /** Entries of this page. */
  readonly items: readonly BacktestTrade[];
  /** Entries of the whole list. */
  readonly total: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page: number;
  /** Entries per page. */
  readonly size: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
};

export type PageDeploymentTrade = {
  /** Entries of this page. */
  readonly items: readonly DeploymentTrade[];
  /** Entries of the whole list. */
  readonly total: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page: number;
  /** Entries per page. */
  readonly size: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
  /** True if no entries are left after those that the answer covers, and none of them is left out because its record is damaged. */
  readonly is_complete?: boolean | undefined;
  /** Cursor of the next entries to look through. Only with a filter, and if entries are left. */
  readonly next_cursor?: number | undefined;
};

export type PageExploreStrategyOut = {
  /** Entries of this page. */
  readonly items: readonly ExploreStrategyOut[];
  /** Entries of the whole list. */
  readonly total: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page: number;
  /** Entries per page. */
  readonly size: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
};

export type PageIntegratorDeployment = {
  /** Entries of this page. */
  readonly items: readonly (IntegratorLiveDeployment | IntegratorNotificationDeployment | IntegratorScanner)[];
  /** Entries of the whole list. */
  readonly total: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page: number;
  /** Entries per page. */
  readonly size: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
};

export type PageIntegratorScanner = {
  /** Entries of this page. */
  readonly items: readonly IntegratorScanner[];
  /** Entries of the whole list. */
  readonly total: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page: number;
  /** Entries per page. */
  readonly size: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
};

export type PageIntegratorStrategy = {
  /** Entries of this page. */
  readonly items: readonly IntegratorStrategy[];
  /** Entries of the whole list. */
  readonly total: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page: number;
  /** Entries per page. */
  readonly size: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
};

export type PageIntegratorTrade = {
  /** Entries of this page. */
  readonly items: readonly IntegratorTrade[];
  /** Entries of the whole list. */
  readonly total: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page: number;
  /** Entries per page. */
  readonly size: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
};

export type PageLiveDeploymentCustomOut = {
  /** Entries of this page. */
  readonly items: readonly LiveDeploymentCustomOut[];
  /** Entries of the whole list. */
  readonly total: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page: number;
  /** Entries per page. */
  readonly size: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
};

export type PageLiveDeploymentOrderBookOut = {
  /** Entries of this page. */
  readonly items: readonly LiveDeploymentOrderBookOut[];
  /** Entries of the whole list. */
  readonly total: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page: number;
  /** Entries per page. */
  readonly size: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
  /** True if no entries are left after those that the answer covers, and none of them is left out because its record is damaged. */
  readonly is_complete?: boolean | undefined;
  /** Cursor of the next entries to look through. Only with a filter, and if entries are left. */
  readonly next_cursor?: number | undefined;
};

export type PageNotificationDeploymentOut = {
  /** Entries of this page. */
  readonly items: readonly NotificationDeploymentOut[];
  /** Entries of the whole list. */
  readonly total: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page: number;
  /** Entries per page. */
  readonly size: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
};

export type PageScannerDeploymentsOut = {
  /** Entries of this page. */
  readonly items: readonly ScannerDeploymentsOut[];
  /** Entries of the whole list. */
  readonly total: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page: number;
  /** Entries per page. */
  readonly size: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
};

export type PageStrategiesCustomOut = {
  /** Entries of this page. */
  readonly items: readonly StrategiesCustomOut[];
  /** Entries of the whole list. */
  readonly total: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page: number;
  /** Entries per page. */
  readonly size: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
};

export type PageSweepItem = {
  /** Entries of this page. */
  readonly items: readonly SweepItem[];
  /** Entries of the whole list. */
  readonly total: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page: number;
  /** Entries per page. */
  readonly size: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
};

export type PageUnionVirtualDeploymentOrderBookOutLiveDeploymentOrderBookOut = {
  /** Entries of this page. */
  readonly items: readonly (VirtualDeploymentOrderBookOut | LiveDeploymentOrderBookOut)[];
  /** Entries of the whole list. */
  readonly total: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page: number;
  /** Entries per page. */
  readonly size: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
  /** True if no entries are left after those that the answer covers, and none of them is left out because its record is damaged. */
  readonly is_complete?: boolean | undefined;
  /** Cursor of the next entries to look through. Only with a filter, and if entries are left. */
  readonly next_cursor?: number | undefined;
};

export type PageUserDeploymentNotificationsCustomOut = {
  /** Entries of this page. */
  readonly items: readonly UserDeploymentNotificationsCustomOut[];
  /** Entries of the whole list. */
  readonly total: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page: number;
  /** Entries per page. */
  readonly size: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
  /** True if no entries are left after those that the answer covers, and none of them is left out because its record is damaged. */
  readonly is_complete?: boolean | undefined;
  /** Cursor of the next entries to look through. Only with a filter, and if entries are left. */
  readonly next_cursor?: number | undefined;
};

/** Page of a user’s strategies. */
export type PaginatedStrategiesResponse = {
  /** Entries of this page. */
  readonly items: readonly StrategyOut[];
  /** Entries of the whole list. */
  readonly total: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page: number;
  /** Entries per page. */
  readonly size: number;
  /** Number of pages; 0 for an empty list. */
  readonly pages: number;
  /** 1 if the strategy is a copy, else 0. */
  readonly is_copied: number;
  readonly counts: StrategyCounts;
};

/** Comparison of a paper deployment with its backtest. */
export type Parity = {
  /** Deployment id. */
  readonly deployment_id: number;
  /** True if there is no difference. */
  readonly is_equal: boolean;
  /** True if no symbol was left out. */
  readonly is_complete: boolean;
  readonly compared: ParityCompared;
  /** Symbols that were left out, as their bars are too many for one answer. */
  readonly left_out: readonly string[];
  /** Number of differences. */
  readonly differences_count: number;
  /** The first 100 differences, oldest first. None are expected. */
  readonly differences: readonly ParityDifference[];
};

/** Extent of a comparison. */
export type ParityCompared = {
  /** Symbols that were compared. */
  readonly symbols: readonly string[];
  /** Bars of all symbols since the deployment began, up to the last one that the engine has worked on. */
  readonly bars: number;
  /** Stored bars since the deployment began, up to the last one, that arrived, or were imported, after later ones: charts and new backtests have them, the deployment and this comparison do not. */
  readonly late_bars: number;
  /** Orders of the backtest. */
  readonly orders: number;
  /** Trades of the backtest, and closed parts of trades. */
  readonly trades: number;
  /** Start of the first bar. ISO-8601 UTC; null without bars. */
  readonly from: (string | null);
  /** Start of the last bar. ISO-8601 UTC; null without bars. */
  readonly to: (string | null);
};

/** Something that is not as the backtest has it. */
export type ParityDifference = {
  /** `order` of the order book; open `trade`, `waiting_order` or `cash` of the engine’s account. */
  readonly kind: ("order" | "trade" | "waiting_order" | "cash");
  /** Symbol of the instrument. */
  readonly symbol: string;
  /** Time of the order or trade. ISO-8601 UTC. */
  readonly at: string;
  /** In the backtest; null if it is not there. */
  readonly expected: (string | null);
  /** In the order book or the engine’s account; null if it is not there. */
  readonly found: (string | null);
};

/** Connection to partner C. It never holds a token. */
export type PartnerCConnection = {
  /** True if the connection works now. */
  readonly connected: boolean;
  /** Connection that no user has taken over yet. Send it to `/partnerc_connect` within an hour. */
  readonly connection_id: (string | null);
  /** Scopes that the user granted. */
  readonly scopes: readonly string[];
  /** Time of the connection. ISO-8601 UTC. */
  readonly connected_at: string;
  /** Time when the broker’s token expires. ISO-8601 UTC; null when it does not. */
  readonly token_expires_at: (string | null);
  /** True if the connection is renewed before it expires. */
  readonly renewable: boolean;
};

/** Problem details (RFC 9457), for clients that accept `application/problem+json`. */
export type Problem = {
  /** URI of the kind of problem. */
  readonly type: string;
  /** Name of the HTTP status. */
  readonly title: string;
  /** HTTP status. */
  readonly status: number;
  /** Message for people. */
  readonly detail: string;
  /** Stable error code for programs. */
  readonly code?: string | undefined;
  /** Id of the request, to quote when you report a fault. */
  readonly request_id?: string | undefined;
  /** Problems of the request. */
  readonly errors?: readonly ValidationError[] | undefined;
  /** Policies of the rate limits whose quota is used up. */
  readonly "violated-policies"?: readonly string[] | undefined;
};

/** Device that receives push messages. */
export type PushRegistration = {
  /** Firebase registration token, or a Web Push subscription as JSON. */
  readonly push_key: string;
  /** Push service of the device. */
  readonly kind: ("fcm" | "web_push");
  /** Time of the first registration. ISO-8601 UTC. */
  readonly registered_at: string;
  /** Time of the latest registration of this device. ISO-8601 UTC. */
  readonly last_seen_at: string;
};

/** Device to remove. */
export type PushRemovalIn = {
  /** Firebase registration token, or a Web Push subscription as JSON. */
  readonly push_key: string;
};

/** User who is registered and not signed in. */
export type RegisteredUser = {
  /** Secret id of the user. It is a credential: do not log or share it. */
  readonly user_id: string;
  /** Public id of the user. */
  readonly user_key: string;
  /** E-mail address. Compared without regard to case. */
  readonly email: string;
  /** Name for people. */
  readonly name: string;
  /** Address of the profile picture. */
  readonly avatar_url: (string | null);
  /** True if the user proved the e-mail address. */
  readonly email_verified: boolean;
  /** Phone number, E.164. */
  readonly ph_number: (string | null);
  /** True if the user proved the phone number. */
  readonly ph_verified: boolean;
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id: (number | null);
  /** Brokers that the user is linked to. */
  readonly brokers: readonly UserBroker[];
  readonly subscription: Subscription;
  /** Referral code. */
  readonly referral_code: string;
  /** Time of creation. ISO-8601 UTC. */
  readonly created_at: string;
};

/** Backtest that was removed. */
export type RemovedBacktest = {
  /** Id of the backtest. */
  readonly backtest_id: number;
};

/** Sweep that was removed. */
export type RemovedSweep = {
  /** Id of the sweep. */
  readonly sweep_id: number;
};

/** Broker that anybody can open an account with. */
export type RetailBroker = {
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id: number;
  /** Name of the broker. */
  readonly name: string;
  /** Stable name for addresses. */
  readonly slug: string;
  /** HTTPS address of the logo. */
  readonly logo_url: (string | null);
  /** Asset classes that the broker offers. */
  readonly asset_classes: readonly ("equity" | "index" | "forex" | "commodity" | "crypto")[];
  /** Regions that the broker serves. */
  readonly regions: readonly string[];
  /** Kind of credential that connects an account. */
  readonly connection: ("oauth" | "token" | "password");
  /** Trading servers of the broker. */
  readonly servers: readonly string[];
  /** True if the connection works now. */
  readonly connected: boolean;
  /** Time of the connection. ISO-8601 UTC. */
  readonly connected_at: (string | null);
};

/** Most of a risk limit of a deployment is used, or it is reached. */
export type RiskChange = {
  /** Id of the event; the same in every feed and webhook. */
  readonly id: string;
  /** Time of the event. ISO-8601 UTC. */
  readonly at: string;
  /** Deployment id. */
  readonly deployment_id?: number | undefined;
  /** Number of the event among those of the deployment, without gaps; absent without a deployment. */
  readonly sequence?: number | undefined;
  /** Type of the event. */
  readonly type: ("risk.warning" | "risk.tripped");
  /** Values of the change; the keys depend on `type`. */
  readonly data: {
    /** Largest number of orders in the answer. */
    readonly limit: string;
    /** Value that counts against the limit. */
    readonly used: number;
    /** Largest value that the limit allows. */
    readonly allowed: number;
    /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
    readonly currency: string;
    readonly [name: string]: unknown;
  };
  readonly [name: string]: unknown;
};

/** Hours in which entries are allowed. */
export type RiskHours = {
  /** Time zone of the IANA database. */
  readonly time_zone: string;
  /** Weekdays on which the hours begin; null for all. */
  readonly weekdays: (readonly string[] | null);
  /** Local time from which entries are allowed. */
  readonly from: string;
  /** Local time before which entries are allowed. The hours may pass midnight. */
  readonly to: string;
};

/** Risk limits of a level. Null means no limit. */
export type RiskLimits = {
  /** Largest loss of a day (UTC), with open positions at their prices. */
  readonly daily_loss: (number | null);
  /** Largest loss of a day (UTC), in percent points of the equity at its beginning. */
  readonly daily_loss_pct: (number | null);
  /** Largest fall of equity below its peak, in percent points. */
  readonly drawdown_pct: (number | null);
  /** Most symbols with an open position or a waiting entry. */
  readonly open_positions: (number | null);
  /** Largest value of the position in a symbol, with the entry. An entry in another currency counts as for `order_value`. */
  readonly position_value: (number | null);
  /** Largest value of an entry order. In another currency than that of the deployment it counts at the `rate` of its report, else at the newest known rate; without any, from its first fill. */
  readonly order_value: (number | null);
  /** Most orders of a day (UTC). Exits count, and are never refused. */
  readonly orders_per_day: (number | null);
  /** Most orders of a clock minute. Exits count, and are never refused. */
  readonly orders_per_minute: (number | null);
  /** Symbols in which entries are allowed; null for all. */
  readonly symbols: (readonly string[] | null);
  /** Hours in which entries are allowed; all of them have to be open. */
  readonly hours: readonly RiskHours[];
  /** Days that a strategy has to trade on paper before it is deployed with real orders. */
  readonly paper_days: (number | null);
  /** Measure when a loss limit is reached: `pause` stops entries, `flatten` halts and closes the positions. Null: `pause`. */
  readonly action: ("pause" | "flatten" | null);
};

/** Risk limits of all levels, and their use by a deployment. */
export type RiskLimitsOut = {
  /** Id of the deployment; null for the limits of the user alone. */
  readonly deployment_id: (number | null);
  /** Currency of the deployment, in which its limits count; null without a deployment. */
  readonly currency: (string | null);
  /** Limits of the plan; null without any. */
  readonly plan: (RiskLimits | null);
  /** Limits of the user for each deployment; null without any. */
  readonly user: (RiskLimits | null);
  /** Own limits of the deployment; null without any. */
  readonly deployment: (RiskLimits | null);
  readonly merged: RiskLimits;
  /** Used part of each limit. */
  readonly usage: readonly RiskUsage[];
  /** Counts against the limits; null without a deployment. */
  readonly state: (RiskState | null);
};

/** Counts against the limits of a deployment. Days and minutes of a paper deployment that the hub runs are those of its bars. */
export type RiskState = {
  /** Day (UTC), as `2026-03-06`. */
  readonly day: string;
  /** Orders of the current day (UTC). */
  readonly orders_today: number;
  /** Orders of the current minute. */
  readonly orders_minute: number;
  /** Equity at the newest prices. */
  readonly equity: number;
  /** Highest equity that the drawdown counts from. */
  readonly peak_equity: number;
  /** Time of the last re-arming; null before the first. ISO-8601 UTC. */
  readonly armed_at: (string | null);
  /** Limits that the owner was warned of today. */
  readonly warned: readonly string[];
  /** Limit that stopped the deployment; null if none did. */
  readonly tripped: (RiskTrip | null);
};

/** Limit that stopped a deployment. */
export type RiskTrip = {
  /** Name of the limit. */
  readonly limit: string;
  /** Time at which the limit was reached. ISO-8601 UTC. */
  readonly at: string;
  /** Value that counts against the limit. */
  readonly used: number;
  /** Largest value that the limit allows. */
  readonly allowed: number;
};

/** Use of a limit. */
export type RiskUsage = {
  /** Name of the limit. */
  readonly limit: string;
  /** Value that counts against the limit. */
  readonly used: number;
  /** Largest value that the limit allows. */
  readonly allowed: number;
  /** Value that counts against the limit, in percent points of the largest one allowed. */
  readonly used_pct: number;
};

/** Rules of a strategy, in the format `hub.rules/1`. Numbers may be parameters. */
export type Rules = {
  /** Name and version of the format. */
  readonly schema: "hub.rules/1";
  /** Numbers that copies and sweeps may change, by name. `{"param": "fast"}` refers to one. */
  readonly params?: Readonly<Record<string, RulesTunable>> | undefined;
  /** Entries of trades. At a close, the first that applies is placed. */
  readonly entries: readonly RulesEntry[];
  /** Exits from trades. At a close, the first that applies is placed. */
  readonly exits?: readonly RulesExit[] | undefined;
  /** True if an entry against an open trade closes it. */
  readonly reverse?: boolean | undefined;
  /** True if entries add to open trades of their side, up to `max_trades`. */
  readonly pyramid?: boolean | undefined;
  /** Largest number of open trades, with `pyramid`. */
  readonly max_trades?: (number | RulesParam) | undefined;
  /** Bars without entries after a trade has closed. */
  readonly cooldown_bars?: (number | RulesParam) | undefined;
  /** Days and times of entries, and the time at which everything is closed. */
  readonly session?: RulesSession | undefined;
};

/** Condition, evaluated at the close of each bar. A comparison of a missing value is false. */
export type RulesCondition = ({
  readonly left: RulesOperand;
  /** Comparison of `left` with `right`. A cross compares the bar before too. */
  readonly op: ("gt" | "gte" | "lt" | "lte" | "crosses_above" | "crosses_below");
  readonly right: RulesOperand;
} | {
  /** Conditions that all hold. */
  readonly all: readonly RulesCondition[];
} | {
  /** Conditions of which at least one holds. */
  readonly any: readonly RulesCondition[];
} | {
  /** Condition that does not hold. */
  readonly not: RulesCondition;
} | {
  /** Range of start times of the bar, HH:MM at the exchange: from the first, before the second. It may pass midnight. */
  readonly time: readonly string[];
} | {
  /** Days of the bar at the exchange. */
  readonly weekday: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
} | {
  /** Smallest age of the oldest open trade of the side, in bars. */
  readonly bars_in_trade: (number | RulesParam);
} | {
  /** Number of bars in a row, the present one included, on which `condition` holds. */
  readonly for_bars: (number | RulesParam);
  /** Condition that holds for some bars. */
  readonly condition: RulesCondition;
});

/** Distance of a stop or target. */
export type RulesDistance = ({
  /** Unit of the distance. */
  readonly type: "percent";
  /** Distance in percent of the price. */
  readonly percent: (number | RulesParam);
} | {
  /** Unit of the distance. */
  readonly type: "points";
  /** Distance in units of the price. */
  readonly points: (number | RulesParam);
} | {
  /** Unit of the distance. */
  readonly type: "atr";
  /** Bars of the average true range. */
  readonly length?: (number | RulesParam) | undefined;
  /** Multiple of the average true range. */
  readonly multiple: (number | RulesParam);
});

/** Entry of a trade. */
export type RulesEntry = {
  /** Side of the trade. */
  readonly side: ("long" | "short");
  readonly when: RulesCondition;
  /** Price of a limit entry, as a distance from the close. */
  readonly limit?: RulesOffset | undefined;
  /** Price of a stop entry, as a distance from the close. Without `limit` and `stop` the entry is a market order. */
  readonly stop?: RulesOffset | undefined;
  /** Bars on which a limit or stop entry can fill. Until filled when absent. */
  readonly valid_bars?: (number | RulesParam) | undefined;
  /** Size of the trade. */
  readonly size?: RulesSize | undefined;
  /** Distance at which the trade is closed with a loss. */
  readonly stop_loss?: RulesDistance | undefined;
  /** Distance at which the trade is closed with a profit. */
  readonly take_profit?: RulesDistance | undefined;
  /** Distance from the close at which the stop follows the price. */
  readonly trailing_stop?: RulesDistance | undefined;
};

/** Exit from the trades of a side. */
export type RulesExit = {
  /** Side of the trades to close. */
  readonly side: ("long" | "short");
  readonly when: RulesCondition;
  /** Part of each open trade of the side to close, above 0 and at most 1. */
  readonly portion?: (number | RulesParam) | undefined;
};

/** Distance of an entry’s price from the close of the signal bar. */
export type RulesOffset = {
  /** Percent of the close above (positive) or below it, mirrored for shorts. */
  readonly percent: (number | RulesParam);
};

/** Value to compare: a number, a price, an indicator, a parameter or arithmetic. */
export type RulesOperand = (number | RulesParam | {
  /** Price of the bar. */
  readonly price: ("open" | "high" | "low" | "close" | "volume" | "hl2" | "hlc3" | "ohlc4");
  /** Bars back from the present one, in the timeframe of the operand. */
  readonly ago?: (number | RulesParam) | undefined;
} | ({
  /** Name of the indicator. */
  readonly indicator: "sma";
  /** Number of bars of the indicator. */
  readonly length?: (number | RulesParam) | undefined;
  /** Price of the bar that the indicator uses. */
  readonly source?: ("open" | "high" | "low" | "close" | "volume" | "hl2" | "hlc3" | "ohlc4") | undefined;
  /** Timeframe of the indicator, not smaller than that of the strategy. That of the strategy when absent. A bar counts once it is closed. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Bars back from the present one, in the timeframe of the operand. */
  readonly ago?: (number | RulesParam) | undefined;
} | {
  /** Name of the indicator. */
  readonly indicator: "ema";
  /** Number of bars of the indicator. */
  readonly length?: (number | RulesParam) | undefined;
  /** Price of the bar that the indicator uses. */
  readonly source?: ("open" | "high" | "low" | "close" | "volume" | "hl2" | "hlc3" | "ohlc4") | undefined;
  /** Timeframe of the indicator, not smaller than that of the strategy. That of the strategy when absent. A bar counts once it is closed. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Bars back from the present one, in the timeframe of the operand. */
  readonly ago?: (number | RulesParam) | undefined;
} | {
  /** Name of the indicator. */
  readonly indicator: "wma";
  /** Number of bars of the indicator. */
  readonly length?: (number | RulesParam) | undefined;
  /** Price of the bar that the indicator uses. */
  readonly source?: ("open" | "high" | "low" | "close" | "volume" | "hl2" | "hlc3" | "ohlc4") | undefined;
  /** Timeframe of the indicator, not smaller than that of the strategy. That of the strategy when absent. A bar counts once it is closed. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Bars back from the present one, in the timeframe of the operand. */
  readonly ago?: (number | RulesParam) | undefined;
} | {
  /** Name of the indicator. */
  readonly indicator: "rsi";
  /** Number of bars of the indicator. */
  readonly length?: (number | RulesParam) | undefined;
  /** Price of the bar that the indicator uses. */
  readonly source?: ("open" | "high" | "low" | "close" | "volume" | "hl2" | "hlc3" | "ohlc4") | undefined;
  /** Timeframe of the indicator, not smaller than that of the strategy. That of the strategy when absent. A bar counts once it is closed. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Bars back from the present one, in the timeframe of the operand. */
  readonly ago?: (number | RulesParam) | undefined;
} | {
  /** Name of the indicator. */
  readonly indicator: "macd";
  /** Bars of the fast average. */
  readonly fast?: (number | RulesParam) | undefined;
  /** Bars of the slow average. */
  readonly slow?: (number | RulesParam) | undefined;
  /** Bars of the signal line. */
  readonly signal?: (number | RulesParam) | undefined;
  /** Price of the bar that the indicator uses. */
  readonly source?: ("open" | "high" | "low" | "close" | "volume" | "hl2" | "hlc3" | "ohlc4") | undefined;
  /** Line of the indicator. */
  readonly output?: ("macd" | "signal" | "histogram") | undefined;
  /** Timeframe of the indicator, not smaller than that of the strategy. That of the strategy when absent. A bar counts once it is closed. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Bars back from the present one, in the timeframe of the operand. */
  readonly ago?: (number | RulesParam) | undefined;
} | {
  /** Name of the indicator. */
  readonly indicator: "bollinger";
  /** Number of bars of the indicator. */
  readonly length?: (number | RulesParam) | undefined;
  /** Standard deviations between the middle and the outer bands. */
  readonly deviations?: (number | RulesParam) | undefined;
  /** Price of the bar that the indicator uses. */
  readonly source?: ("open" | "high" | "low" | "close" | "volume" | "hl2" | "hlc3" | "ohlc4") | undefined;
  /** Line of the indicator. */
  readonly output?: ("middle" | "upper" | "lower") | undefined;
  /** Timeframe of the indicator, not smaller than that of the strategy. That of the strategy when absent. A bar counts once it is closed. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Bars back from the present one, in the timeframe of the operand. */
  readonly ago?: (number | RulesParam) | undefined;
} | {
  /** Name of the indicator. */
  readonly indicator: "atr";
  /** Number of bars of the indicator. */
  readonly length?: (number | RulesParam) | undefined;
  /** Timeframe of the indicator, not smaller than that of the strategy. That of the strategy when absent. A bar counts once it is closed. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Bars back from the present one, in the timeframe of the operand. */
  readonly ago?: (number | RulesParam) | undefined;
} | {
  /** Name of the indicator. */
  readonly indicator: "adx";
  /** Number of bars of the indicator. */
  readonly length?: (number | RulesParam) | undefined;
  /** Line of the indicator. */
  readonly output?: ("adx" | "plus_di" | "minus_di") | undefined;
  /** Timeframe of the indicator, not smaller than that of the strategy. That of the strategy when absent. A bar counts once it is closed. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Bars back from the present one, in the timeframe of the operand. */
  readonly ago?: (number | RulesParam) | undefined;
} | {
  /** Name of the indicator. */
  readonly indicator: "stochastic";
  /** Number of bars of the indicator. */
  readonly length?: (number | RulesParam) | undefined;
  /** Bars of the average of %K. */
  readonly smooth?: (number | RulesParam) | undefined;
  /** Bars of the signal line. */
  readonly signal?: (number | RulesParam) | undefined;
  /** Line of the indicator. */
  readonly output?: ("k" | "d") | undefined;
  /** Timeframe of the indicator, not smaller than that of the strategy. That of the strategy when absent. A bar counts once it is closed. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Bars back from the present one, in the timeframe of the operand. */
  readonly ago?: (number | RulesParam) | undefined;
} | {
  /** Name of the indicator. */
  readonly indicator: "supertrend";
  /** Number of bars of the indicator. */
  readonly length?: (number | RulesParam) | undefined;
  /** Multiple of the average true range between the price and the Supertrend. */
  readonly multiple?: (number | RulesParam) | undefined;
  /** Line of the indicator. */
  readonly output?: ("value" | "direction") | undefined;
  /** Timeframe of the indicator, not smaller than that of the strategy. That of the strategy when absent. A bar counts once it is closed. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Bars back from the present one, in the timeframe of the operand. */
  readonly ago?: (number | RulesParam) | undefined;
} | {
  /** Name of the indicator. */
  readonly indicator: "vwap";
  /** Number of bars of the indicator. */
  readonly length?: (number | RulesParam) | undefined;
  /** Price of the bar that the indicator uses. */
  readonly source?: ("open" | "high" | "low" | "close" | "volume" | "hl2" | "hlc3" | "ohlc4") | undefined;
  /** Timeframe of the indicator, not smaller than that of the strategy. That of the strategy when absent. A bar counts once it is closed. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Bars back from the present one, in the timeframe of the operand. */
  readonly ago?: (number | RulesParam) | undefined;
} | {
  /** Name of the indicator. */
  readonly indicator: "highest";
  /** Number of bars of the indicator. */
  readonly length?: (number | RulesParam) | undefined;
  /** Price of the bar that the indicator uses. */
  readonly source?: ("open" | "high" | "low" | "close" | "volume" | "hl2" | "hlc3" | "ohlc4") | undefined;
  /** Timeframe of the indicator, not smaller than that of the strategy. That of the strategy when absent. A bar counts once it is closed. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Bars back from the present one, in the timeframe of the operand. */
  readonly ago?: (number | RulesParam) | undefined;
} | {
  /** Name of the indicator. */
  readonly indicator: "lowest";
  /** Number of bars of the indicator. */
  readonly length?: (number | RulesParam) | undefined;
  /** Price of the bar that the indicator uses. */
  readonly source?: ("open" | "high" | "low" | "close" | "volume" | "hl2" | "hlc3" | "ohlc4") | undefined;
  /** Timeframe of the indicator, not smaller than that of the strategy. That of the strategy when absent. A bar counts once it is closed. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Bars back from the present one, in the timeframe of the operand. */
  readonly ago?: (number | RulesParam) | undefined;
} | {
  /** Name of the indicator. */
  readonly indicator: "roc";
  /** Number of bars of the indicator. */
  readonly length?: (number | RulesParam) | undefined;
  /** Price of the bar that the indicator uses. */
  readonly source?: ("open" | "high" | "low" | "close" | "volume" | "hl2" | "hlc3" | "ohlc4") | undefined;
  /** Timeframe of the indicator, not smaller than that of the strategy. That of the strategy when absent. A bar counts once it is closed. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Bars back from the present one, in the timeframe of the operand. */
  readonly ago?: (number | RulesParam) | undefined;
} | {
  /** Name of the indicator. */
  readonly indicator: "stddev";
  /** Number of bars of the indicator. */
  readonly length?: (number | RulesParam) | undefined;
  /** Price of the bar that the indicator uses. */
  readonly source?: ("open" | "high" | "low" | "close" | "volume" | "hl2" | "hlc3" | "ohlc4") | undefined;
  /** Timeframe of the indicator, not smaller than that of the strategy. That of the strategy when absent. A bar counts once it is closed. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Bars back from the present one, in the timeframe of the operand. */
  readonly ago?: (number | RulesParam) | undefined;
} | {
  /** Name of the indicator. */
  readonly indicator: "cci";
  /** Number of bars of the indicator. */
  readonly length?: (number | RulesParam) | undefined;
  /** Price of the bar that the indicator uses. */
  readonly source?: ("open" | "high" | "low" | "close" | "volume" | "hl2" | "hlc3" | "ohlc4") | undefined;
  /** Timeframe of the indicator, not smaller than that of the strategy. That of the strategy when absent. A bar counts once it is closed. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Bars back from the present one, in the timeframe of the operand. */
  readonly ago?: (number | RulesParam) | undefined;
} | {
  /** Name of the indicator. */
  readonly indicator: "obv";
  /** Timeframe of the indicator, not smaller than that of the strategy. That of the strategy when absent. A bar counts once it is closed. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Bars back from the present one, in the timeframe of the operand. */
  readonly ago?: (number | RulesParam) | undefined;
} | {
  /** Name of the indicator. */
  readonly indicator: "mfi";
  /** Number of bars of the indicator. */
  readonly length?: (number | RulesParam) | undefined;
  /** Timeframe of the indicator, not smaller than that of the strategy. That of the strategy when absent. A bar counts once it is closed. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Bars back from the present one, in the timeframe of the operand. */
  readonly ago?: (number | RulesParam) | undefined;
} | {
  /** Name of the indicator. */
  readonly indicator: "psar";
  /** Acceleration at the beginning. */
  readonly start?: (number | RulesParam) | undefined;
  /** Step of the acceleration. */
  readonly increment?: (number | RulesParam) | undefined;
  /** Largest acceleration. */
  readonly maximum?: (number | RulesParam) | undefined;
  /** Timeframe of the indicator, not smaller than that of the strategy. That of the strategy when absent. A bar counts once it is closed. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Bars back from the present one, in the timeframe of the operand. */
  readonly ago?: (number | RulesParam) | undefined;
}) | {
  /** Two operands to add. */
  readonly add: readonly RulesOperand[];
} | {
  /** Operand, and the operand to subtract from it. */
  readonly subtract: readonly RulesOperand[];
} | {
  /** Two operands to multiply. */
  readonly multiply: readonly RulesOperand[];
} | {
  /** Operand, and the operand to divide it by. Without a value if that is zero. */
  readonly divide: readonly RulesOperand[];
});

/** Reference to a parameter. */
export type RulesParam = {
  /** Name of a parameter of the rules. */
  readonly param: string;
};

/** Times of the exchange. */
export type RulesSession = {
  /** Days of entries. Every day when absent. */
  readonly weekdays?: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[] | undefined;
  /** Range of times of entries, HH:MM at the exchange. At any time when absent. */
  readonly entries?: readonly string[] | undefined;
  /** Time at which everything is closed, HH:MM at the exchange. Not later than the last bar of the session. */
  readonly square_off?: string | undefined;
};

/** Size of a trade. */
export type RulesSize = ({
  /** Meaning of the size. */
  readonly type: "equity_percent";
  /** Percent of the equity: to invest, or to lose at the stop loss. */
  readonly percent: (number | RulesParam);
} | {
  /** Meaning of the size. */
  readonly type: "units";
  /** Quantity of each trade. */
  readonly units: (number | RulesParam);
} | {
  /** Meaning of the size. */
  readonly type: "cash";
  /** Value of each trade, in the currency of the account. */
  readonly cash: (number | RulesParam);
} | {
  /** Meaning of the size. */
  readonly type: "risk_percent";
  /** Percent of the equity: to invest, or to lose at the stop loss. */
  readonly percent: (number | RulesParam);
});

/** Parameter: a number that copies and sweeps may change. */
export type RulesTunable = {
  /** Value without another choice. */
  readonly default: number;
  /** Smallest value. */
  readonly min?: number | undefined;
  /** Largest value. */
  readonly max?: number | undefined;
};

/** Earlier or present version of a strategy’s rules. */
export type RulesVersion = {
  /** Version of the strategy that changed the rules. */
  readonly version: number;
  /** SHA-256 of the canonical rules. Equal rules have equal hashes. */
  readonly rules_hash: string;
  /** Description of the rules, shortened. */
  readonly sentence: string;
  /** Time of the change. ISO-8601 UTC. */
  readonly changed_at: string;
};

/** A scanner has found instruments. */
export type ScannerChange = {
  /** Id of the event; the same in every feed and webhook. */
  readonly id: string;
  /** Time of the event. ISO-8601 UTC. */
  readonly at: string;
  /** Deployment id. */
  readonly deployment_id?: number | undefined;
  /** Number of the event among those of the deployment, without gaps; absent without a deployment. */
  readonly sequence?: number | undefined;
  /** Type of the event. */
  readonly type: "scanner.matched";
  /** Values of the change; the keys depend on `type`. */
  readonly data: {
    /** Instruments that the scanner found, with their prices. */
    readonly matches: readonly {
      /** Symbol of the instrument. */
      readonly symbol: string;
      /** Limit price. Decimal, in the quote currency of the symbol; null without one. */
      readonly price: (number | null);
    }[];
    readonly [name: string]: unknown;
  };
  readonly [name: string]: unknown;
};

/** Scanner deployment, as its owner sees it. */
export type ScannerDeploymentsOut = {
  /** Deployment id. */
  readonly deployment_id: number;
  /** Strategy id. */
  readonly strategy_id: number;
  /** Name of the strategy. Unique among the user’s strategies. */
  readonly strategy_name: string;
  /** Length of a bar. */
  readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id: (number | null);
  /** Engine that runs the deployment: `hub` for a strategy with rules, else `external`, which reports as events. */
  readonly engine: ("external" | "hub");
  /** Status of the deployment. */
  readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
  /** Time of deploying. ISO-8601 UTC. */
  readonly deployed_at: string;
  /** Time of expiry. ISO-8601 UTC; null without one. */
  readonly expires_at: (string | null);
  /** Time of the end. ISO-8601 UTC; null while running. */
  readonly stopped_at: (string | null);
  /** Reason for the end; null while running. */
  readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
  /** Pause or halt of the deployment, with actor and reason; null while it runs. */
  readonly held: (DeploymentHold | null);
  /** Stop that the engine has not confirmed yet; null without one. */
  readonly stopping: (DeploymentStop | null);
  /** Universe of instruments that is watched. */
  readonly universe_id: string;
  /** Name of the universe. */
  readonly universe_name: string;
  /** Time of the latest run of the scanner. ISO-8601 UTC; null before the first. */
  readonly last_run_at: (string | null);
  /** Matches since deploying. */
  readonly matches_count: number;
  /** Instruments of the latest match; empty before the first. */
  readonly last_matches: readonly {
    /** Symbol of the instrument. */
    readonly symbol: string;
    /** Limit price. Decimal, in the quote currency of the symbol; null without one. */
    readonly price: (number | null);
    /** Time of the event. ISO-8601 UTC. */
    readonly at: string;
  }[];
};

/** A notification deployment has raised a signal. */
export type SignalChange = {
  /** Id of the event; the same in every feed and webhook. */
  readonly id: string;
  /** Time of the event. ISO-8601 UTC. */
  readonly at: string;
  /** Deployment id. */
  readonly deployment_id?: number | undefined;
  /** Number of the event among those of the deployment, without gaps; absent without a deployment. */
  readonly sequence?: number | undefined;
  /** Type of the event. */
  readonly type: "signal.raised";
  /** Values of the change; the keys depend on `type`. */
  readonly data: {
    /** Symbol of the instrument. */
    readonly symbol: string;
    /** Direction. */
    readonly side: ("buy" | "sell");
    /** Limit price. Decimal, in the quote currency of the symbol; null without one. */
    readonly price: (number | null);
    /** Title of the notification. */
    readonly title: string;
    /** Text of the notification. */
    readonly body: string;
    readonly [name: string]: unknown;
  };
  readonly [name: string]: unknown;
};

/** Address at which a deployment takes signals, without its token. */
export type SignalHook = {
  /** Deployment id. */
  readonly deployment_id: number;
  /** `order` on paper, or `notification`. */
  readonly effect: ("order" | "notification");
  /** Time of creation. ISO-8601 UTC. */
  readonly created_at: string;
  /** Time of the last signal that took effect. ISO-8601 UTC; null before the first. */
  readonly signalled_at: (string | null);
};

/** Signal from outside. Other fields are ignored. */
export type SignalIn = {
  /** `buy`, `sell`, or `close` for the whole position; in any case. */
  readonly action: string;
  /** Symbol of the deployment; an exchange before a colon is ignored. The only one of the deployment when absent. */
  readonly symbol?: string | undefined;
  /** Units. Required to open a position. Without it, an order against a position closes the position. */
  readonly quantity?: (number | string) | undefined;
  /** Price. Counts where the hub has no new one. */
  readonly price?: (number | string) | undefined;
  /** Time of the signal, at most five minutes from now. ISO-8601. */
  readonly time?: string | undefined;
  /** Text of the notification. */
  readonly message?: string | undefined;
};

/** Order on paper that a signal led to. */
export type SignalOrder = {
  /** Order id that the engine chose. Unique within the deployment. */
  readonly client_order_id: string;
  /** Symbol of the instrument. */
  readonly symbol: string;
  /** Direction. */
  readonly side: ("buy" | "sell");
  /** Units, as decimal text. */
  readonly quantity: string;
  /** Price of the fill, as decimal text. */
  readonly price: string;
};

/** Result of a signal. */
export type SignalTaken = {
  /** `taken`, or `repeated` for a repeat, which changes nothing. */
  readonly result: ("taken" | "repeated");
  /** Order on paper; null for a repeat and for notifications. */
  readonly order: (SignalOrder | null);
  /** Names the amounts that were rounded to 18 decimals; null without any. */
  readonly note: (string | null);
};

/** Published strategy on its author’s profile. */
export type StrategiesCustomOut = {
  /** Strategy id. */
  readonly strategy_id: number;
  /** Share key of the strategy. */
  readonly strategy_key: string;
  /** Name of the strategy. Unique among the user’s strategies. */
  readonly strategy_name: string;
  /** Description for people. */
  readonly description: (string | null);
  /** Symbols of the instruments. */
  readonly symbols: readonly string[];
  /** Length of a bar. */
  readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
  /** Asset class; `multi` for a strategy over several classes. */
  readonly asset_class: ("equity" | "index" | "forex" | "commodity" | "crypto" | "multi");
  /** Directions that the strategy trades. */
  readonly direction: ("long" | "short" | "both");
  /** Description of the rules. Null without rules, and for closed rules of others. */
  readonly sentence: (string | null);
  /** `open` if others can copy the strategy and read its sentence, else `closed`. Null without rules. */
  readonly rules_visibility: ("open" | "closed" | null);
  readonly author: Author;
  /** Users who like the strategy. */
  readonly like_count: number;
  /** Copies that were made of the strategy. */
  readonly copy_count: number;
  /** Deployments that were made of the strategy. */
  readonly deployment_count: number;
  readonly performance: StrategyPerformance;
  /** Slugs of the categories. */
  readonly categories: readonly string[];
  /** True if the caller likes the strategy. */
  readonly is_liked: boolean;
  /** True if the caller has copied the strategy. */
  readonly is_copied: boolean;
  /** Time of publication. ISO-8601 UTC. */
  readonly published_at: (string | null);
};

/** Category of the explore catalogue. */
export type StrategyCategoryOut = {
  /** Category id. */
  readonly category_id: number;
  /** Name for people. */
  readonly name: string;
  /** Stable name for addresses. */
  readonly slug: string;
  /** Description for people. */
  readonly description: (string | null);
  /** Listed strategies in the category. */
  readonly strategy_count: number;
  /** Position in the list of categories. */
  readonly sort_order: number;
};

/** Numbers of a user’s strategies. */
export type StrategyCounts = {
  /** Strategies that the user built. */
  readonly own: number;
  /** Strategies that are copies. */
  readonly copied: number;
};

/** Fields to change. Absent ones stay as they are. */
export type StrategyEdit = {
  /** New name. Unique among the user’s strategies. */
  readonly strategy_name?: string | undefined;
  /** New description; null for none. */
  readonly description?: (string | null) | undefined;
  /** Symbols that replace the present ones. */
  readonly symbols?: readonly string[] | undefined;
  /** Weight of each symbol. They add up to 1. */
  readonly legs?: readonly {
    /** Symbol of the instrument. */
    readonly symbol: string;
    /** Weight of the leg. */
    readonly weight: number;
  }[] | undefined;
  /** Length of a bar. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** Direction of trades. The rules decide it for a strategy with rules. */
  readonly direction?: ("long" | "short" | "both") | undefined;
  /** Broker of the strategy; null for none. */
  readonly broker_id?: (number | null) | undefined;
};

/** Strategy, as its owner sees it. */
export type StrategyOut = {
  /** Strategy id. */
  readonly strategy_id: number;
  /** Share key of the strategy. */
  readonly strategy_key: string;
  /** Name of the strategy. Unique among the user’s strategies. */
  readonly strategy_name: string;
  /** Deploy key of the strategy. It is a credential: whoever has it can deploy. */
  readonly keygen: string;
  /** Secret id of the user. It is a credential: do not log or share it. */
  readonly user_id: string;
  /** Symbols of the strategy, separated by commas. */
  readonly symbol: string;
  /** Description for people. */
  readonly description: (string | null);
  /** Symbols of the instruments. */
  readonly symbols: readonly string[];
  /** Length of a bar. */
  readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
  /** Asset class; `multi` for a strategy over several classes. */
  readonly asset_class: ("equity" | "index" | "forex" | "commodity" | "crypto" | "multi");
  /** Directions that the strategy trades. */
  readonly direction: ("long" | "short" | "both");
  /** Instruments of the strategy with their weights. */
  readonly legs: readonly {
    /** Symbols of the strategy, separated by commas. */
    readonly symbol: string;
    /** Weight of the leg. */
    readonly weight: number;
  }[];
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id: (number | null);
  /** Status of the strategy. */
  readonly status: ("draft" | "ready" | "archived");
  /** 1 if the strategy is a copy, else 0. */
  readonly is_copied: number;
  /** Strategy that this one was copied from; null for a built one. */
  readonly parent_strategy_id: (number | null);
  /** Visibility: 0 private, 1 public on the profile, 2 by share key only. */
  readonly publish_state: number;
  /** True if the strategy is in the explore catalogue. */
  readonly is_listed: boolean;
  /** Version of the strategy. It grows with each change. */
  readonly version: number;
  /** Users who like the strategy. */
  readonly like_count: number;
  /** Copies that were made of the strategy. */
  readonly copy_count: number;
  /** Deployments that were made of the strategy. */
  readonly deployment_count: number;
  /** Time of creation. ISO-8601 UTC. */
  readonly created_at: string;
  /** Time of the last change. ISO-8601 UTC. */
  readonly updated_at: string;
  /** Description of the rules. Null without rules, and for closed rules of others. */
  readonly sentence: (string | null);
  /** `open` if others can copy the strategy and read its sentence, else `closed`. Null without rules. */
  readonly rules_visibility: ("open" | "closed" | null);
};

/** Performance of a published strategy. Figures are null before the first trade. */
export type StrategyPerformance = {
  /** Total return, in percent points of the starting capital. */
  readonly total_return_pct: (number | null);
  /** Compound annual growth rate, in percent points. Calendar time. */
  readonly cagr_pct: (number | null);
  /** Largest fall of closed-trade equity from its peak, in percent points. */
  readonly max_drawdown_pct: (number | null);
  /** Annualised Sharpe ratio of daily returns (252 days, crypto 365). Risk-free rate 0. */
  readonly sharpe_ratio: (number | null);
  /** Closed trades with a profit, in percent points of all; null without any. */
  readonly win_rate_pct: (number | null);
  /** Closed trades. */
  readonly trades_count: number;
  /** `live` trades real money, `virtual` trades on paper. */
  readonly mode: ("live" | "virtual" | null);
  /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
  readonly as_of: (string | null);
  /** Start of the period that the figures cover. ISO-8601 UTC. */
  readonly period_start: (string | null);
  /** Returns since the start in percent points, at even intervals of days: at most 25, the newest last. Empty without figures. */
  readonly returns_pct: readonly number[];
};

/** New strategy with its preferences. */
export type StrategyPrefCustomOut = {
  /** Strategy id. */
  readonly strategy_id: number;
  /** Share key of the strategy. */
  readonly strategy_key: string;
  /** Name of the strategy. Unique among the user’s strategies. */
  readonly strategy_name: string;
  /** Deploy key of the strategy. It is a credential: whoever has it can deploy. */
  readonly keygen: string;
  /** Secret id of the user. It is a credential: do not log or share it. */
  readonly user_id: string;
  /** Symbols of the strategy, separated by commas. */
  readonly symbol: string;
  /** Symbols of the instruments. */
  readonly symbols: readonly string[];
  /** Length of a bar. */
  readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
  /** Asset class; `multi` for a strategy over several classes. */
  readonly asset_class: ("equity" | "index" | "forex" | "commodity" | "crypto" | "multi");
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id: (number | null);
  /** Directions that the strategy trades. */
  readonly direction: ("long" | "short" | "both");
  /** Status of the strategy. */
  readonly status: ("draft" | "ready" | "archived");
  /** Order type. */
  readonly order_type: ("market" | "limit" | "stop" | "stop_limit");
  /** Quantity of an order, in lots of the instrument. Decimal. */
  readonly quantity: number;
  /** Largest share of capital in one position, in percent points. */
  readonly max_allocation_pct: number;
  /** Stop loss, in percent points of the entry price; null without one. */
  readonly stop_loss_pct: (number | null);
  /** Take profit, in percent points of the entry price; null without one. */
  readonly take_profit_pct: (number | null);
  /** Time of creation. ISO-8601 UTC. */
  readonly created_at: string;
};

/** Strategy with its rules. */
export type StrategyRulesOut = {
  /** Strategy id. */
  readonly strategy_id: number;
  /** Share key of the strategy. */
  readonly strategy_key: string;
  /** Name of the strategy. Unique among the user’s strategies. */
  readonly strategy_name: string;
  /** Description for people. */
  readonly description: (string | null);
  /** Symbols of the instruments. */
  readonly symbols: readonly string[];
  /** Length of a bar. */
  readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
  /** Asset class; `multi` for a strategy over several classes. */
  readonly asset_class: ("equity" | "index" | "forex" | "commodity" | "crypto" | "multi");
  /** Directions that the strategy trades. */
  readonly direction: ("long" | "short" | "both");
  readonly author: Author;
  /** True if the caller owns the strategy. */
  readonly is_own: boolean;
  /** Status of the strategy. */
  readonly status: ("draft" | "ready" | "archived");
  /** 1 if the strategy is a copy, else 0. */
  readonly is_copied: number;
  /** Strategy that this one was copied from; null for a built one. */
  readonly parent_strategy_id: (number | null);
  /** Visibility: 0 private, 1 public on the profile, 2 by share key only. */
  readonly publish_state: number;
  /** True if the strategy is in the explore catalogue. */
  readonly is_listed: boolean;
  /** Slugs of the categories. */
  readonly categories: readonly string[];
  readonly performance: StrategyPerformance;
  /** True if the caller likes the strategy. */
  readonly is_liked: boolean;
  /** Users who like the strategy. */
  readonly like_count: number;
  /** Copies that were made of the strategy. */
  readonly copy_count: number;
  /** Deployments that were made of the strategy. */
  readonly deployment_count: number;
  /** Version of the strategy. It grows with each change. */
  readonly version: number;
  /** Description of the rules. Null without rules, and for closed rules of others. */
  readonly sentence: (string | null);
  /** `open` if others can copy the strategy and read its sentence, else `closed`. Null without rules. */
  readonly rules_visibility: ("open" | "closed" | null);
  /** Rules in the format `hub.rules/1`, with all defaults filled in. Null without rules, and for others than the owner. */
  readonly rules: (Rules | null);
  /** SHA-256 of the canonical rules. Equal rules have equal hashes. */
  readonly rules_hash: (string | null);
  /** Version of the strategy that changed the shown rules; null without rules. */
  readonly rules_version: (number | null);
  /** The last 20 versions of the rules, newest first. Empty for others than the owner. */
  readonly versions: readonly RulesVersion[];
  /** Time of publication. ISO-8601 UTC. */
  readonly published_at: (string | null);
  /** Time of creation. ISO-8601 UTC. */
  readonly created_at: string;
  /** Time of the last change. ISO-8601 UTC. */
  readonly updated_at: string;
};

/** Ready-made rules. */
export type StrategyTemplateOut = {
  /** Key of the template. */
  readonly key: string;
  /** Name of the template. */
  readonly name: string;
  /** Purpose of the template. */
  readonly description: string;
  /** Description of the rules. */
  readonly sentence: string;
  readonly rules: Rules;
  /** Suggested timeframes, the best first. */
  readonly timeframes: readonly ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w")[];
  /** Asset classes that suit the rules. */
  readonly asset_classes: readonly ("equity" | "index" | "forex" | "commodity" | "crypto")[];
};

/** Plan of a user. */
export type Subscription = {
  /** Subscription plan. */
  readonly plan: ("free" | "pro" | "unlimited");
  /** Status of the subscription. */
  readonly status: ("active" | "cancelled" | "expired");
  /** Time when the subscription ends. ISO-8601 UTC; null without an end. */
  readonly expires_at: (string | null);
  /** Active deployments that the plan allows. */
  readonly deploy_limit: number;
  /** Active deployments now. */
  readonly deploy_used: number;
};

/** Combination of values of parameters with its figures. */
export type SweepCombination = {
  /** Place by the figure in sample, from 1 on. */
  readonly rank: number;
  /** Values of the parameters, by name. */
  readonly params: Readonly<Record<string, number>>;
  /** Figures up to the split; null without bars. */
  readonly in_sample: (SweepFigures | null);
  /** Figures from the split on; null without bars. */
  readonly out_of_sample: (SweepFigures | null);
  /** True if the combination gains in sample and, out of sample, gains less than half as much a year or loses. */
  readonly collapsed: boolean;
};

/** Figures of a combination. Null if undefined. */
export type SweepFigures = {
  /** Total return, in percent points of the starting capital. */
  readonly total_return_pct: (number | null);
  /** Compound annual growth rate, in percent points. Calendar time. */
  readonly cagr_pct: (number | null);
  /** Annualised Sharpe ratio of daily returns (252 days, crypto 365). Risk-free rate 0. */
  readonly sharpe_ratio: (number | null);
  /** Annualised Sortino ratio of daily returns (252 days, crypto 365). Target 0. */
  readonly sortino_ratio: (number | null);
  /** `cagr_pct` divided by `max_drawdown_equity_pct`. */
  readonly calmar_ratio: (number | null);
  /** Largest fall of the equity of bars from its peak, in percent points. */
  readonly max_drawdown_equity_pct: (number | null);
  /** Closed trades with a profit, in percent points of all; null without any. */
  readonly win_rate_pct: (number | null);
  /** Sum of profits divided by the sum of losses; null without losses. */
  readonly profit_factor: (number | null);
  /** Mean of the returns of closed trades, in percent points. */
  readonly expectancy_pct: (number | null);
  /** System quality number: √n · mean / standard deviation of the results of closed trades. */
  readonly sqn: (number | null);
  /** Share of time with an open position, in percent points. */
  readonly exposure_pct: (number | null);
  /** Closed trades. */
  readonly trades_count: number;
  /** Equity at the last bar, in `currency`. */
  readonly final_equity: number;
};

/** Request to try combinations of parameters. */
export type SweepIn = {
  /** Strategy of the user whose rules to try. Leave out with `rules`. */
  readonly strategy_id?: number | undefined;
  /** Rules with parameters to try. Leave out for those of a strategy. */
  readonly rules?: Rules | undefined;
  /** Symbol, or several separated by commas. Those of the strategy when absent. */
  readonly symbol?: string | undefined;
  /** Symbols, as a list instead of `symbol`. The capital is shared by the weights of the strategy, else equally. */
  readonly symbols?: readonly string[] | undefined;
  /** Length of a bar. That of the strategy when absent. */
  readonly timeframe?: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w") | undefined;
  /** First bar that may be evaluated; bars before it warm the indicators up. ISO-8601 with a time zone, or a day in UTC. The first stored bar when absent. */
  readonly from?: string | undefined;
  /** Time before which bars start. ISO-8601 with a time zone, or a day in UTC. The end of the candles when absent. */
  readonly to?: string | undefined;
  /** Terms of the account. */
  readonly account?: BacktestAccount | undefined;
  /** Values to try of each parameter, by name: a number, a list, or a range. Other parameters keep their default. At most 2,000 combinations. */
  readonly params: Readonly<Record<string, (number | readonly number[] | SweepRange)>>;
  /** Part of the time that is in sample, between 0 and 1, or the time at which out of sample begins: ISO-8601 with a time zone, or a day in UTC. */
  readonly split?: (number | string) | undefined;
  /** Figure in sample by which combinations are ranked, the highest first; of drawdowns the lowest. Combinations without closed trades rank last. */
  readonly rank_by?: ("sharpe_ratio" | "sortino_ratio" | "calmar_ratio" | "total_return_pct" | "cagr_pct" | "profit_factor" | "win_rate_pct" | "expectancy_pct" | "sqn" | "max_drawdown_equity_pct") | undefined;
};

/** Stored sweep with its best combination. */
export type SweepItem = {
  /** Id of the sweep. */
  readonly sweep_id: number;
  /** Strategy of the rules; null for rules of a request. */
  readonly strategy_id: (number | null);
  /** `queued`, `running`, `done`, or `failed`. */
  readonly status: ("queued" | "running" | "done" | "failed");
  /** Part that is done, from 0 to 1. */
  readonly progress: number;
  /** Reason of a failure; null without one. */
  readonly error: (string | null);
  /** Symbols, separated by commas. */
  readonly symbol: string;
  /** Symbols of the instruments. */
  readonly symbols: readonly string[];
  /** Length of a bar. */
  readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
  /** SHA-256 of the canonical rules as given. */
  readonly rules_hash: string;
  /** Figure in sample by which combinations are ranked, the highest first; of drawdowns the lowest. Combinations without closed trades rank last. */
  readonly rank_by: ("sharpe_ratio" | "sortino_ratio" | "calmar_ratio" | "total_return_pct" | "cagr_pct" | "profit_factor" | "win_rate_pct" | "expectancy_pct" | "sqn" | "max_drawdown_equity_pct");
  /** Number of combinations of the values. */
  readonly combinations: number;
  /** Time of creation. ISO-8601 UTC. */
  readonly created_at: string;
  /** Time at which the sweep was done or failed. ISO-8601 UTC; null before. */
  readonly finished_at: (string | null);
  /** The best combination; null before the sweep is done. */
  readonly summary: (SweepSummary | null);
};

/** Sweep with its best combinations, which are empty before it is done. */
export type SweepOut = {
  /** Id of the sweep. */
  readonly sweep_id: number;
  /** Strategy of the rules; null for rules of a request. */
  readonly strategy_id: (number | null);
  /** `queued`, `running`, `done`, or `failed`. */
  readonly status: ("queued" | "running" | "done" | "failed");
  /** Part that is done, from 0 to 1. */
  readonly progress: number;
  /** Reason of a failure; null without one. */
  readonly error: (string | null);
  /** Symbols, separated by commas. */
  readonly symbol: string;
  /** Symbols of the instruments. */
  readonly symbols: readonly string[];
  /** Length of a bar. */
  readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
  /** SHA-256 of the canonical rules as given. */
  readonly rules_hash: string;
  /** Figure in sample by which combinations are ranked, the highest first; of drawdowns the lowest. Combinations without closed trades rank last. */
  readonly rank_by: ("sharpe_ratio" | "sortino_ratio" | "calmar_ratio" | "total_return_pct" | "cagr_pct" | "profit_factor" | "win_rate_pct" | "expectancy_pct" | "sqn" | "max_drawdown_equity_pct");
  /** Number of combinations of the values. */
  readonly combinations: number;
  /** Time of creation. ISO-8601 UTC. */
  readonly created_at: string;
  /** Time at which the sweep was done or failed. ISO-8601 UTC; null before. */
  readonly finished_at: (string | null);
  readonly rules: Rules;
  /** Values that are tried of each parameter, by name. */
  readonly params: Readonly<Record<string, readonly number[]>>;
  /** Description of the rules, with the defaults of parameters filled in. */
  readonly sentence: string;
  /** First time that may be evaluated. ISO-8601 UTC; null for the first bar. */
  readonly from: (string | null);
  /** Time before which bars start. ISO-8601 UTC. */
  readonly to: string;
  /** Time at which out of sample begins. ISO-8601 UTC. */
  readonly split_at: string;
  /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
  readonly currency: string;
  readonly account: BacktestAccountOut;
  /** The 50 best combinations, the best first; empty before the sweep is done. */
  readonly best: readonly SweepCombination[];
  /** Combinations of all that gain in sample; null before the sweep is done. */
  readonly profitable_in_sample: (number | null);
  /** Combinations of all that gain out of sample; null before the sweep is done. */
  readonly profitable_out_of_sample: (number | null);
  /** Remarks on the result. */
  readonly warnings: readonly BacktestWarning[];
  /** Version of the engine; null before the sweep is done. */
  readonly engine_version: (number | null);
  /** Hash of all candles that were read, those of the warm-up included; null before the sweep is done. */
  readonly candles_hash: (string | null);
};

/** Values from one number to another, both included. */
export type SweepRange = {
  /** First value. */
  readonly from: number;
  /** Largest value. */
  readonly to: number;
  /** Distance between two values, above zero. */
  readonly step: number;
};

/** Best combination of a sweep. */
export type SweepSummary = {
  /** Values of the parameters of the best combination, by name. */
  readonly params: Readonly<Record<string, number>>;
  /** Figure of `rank_by` in sample; null if undefined. */
  readonly in_sample: (number | null);
  /** Figure of `rank_by` out of sample; null if undefined. */
  readonly out_of_sample: (number | null);
};

/** A thrown kill switch. */
export type ThrownSwitch = {
  /** Deployments that it covers: of the `user`, of the `broker`, or of the whole `service`. */
  readonly level: ("user" | "broker" | "service");
  /** Actor who threw it: `user`, `broker` or `operator`. Only they re-arm it. */
  readonly by: ("user" | "broker" | "operator");
  /** Broker whose deployments it covers; null for deployments everywhere. */
  readonly broker_id: (number | null);
  /** Time since which it holds. ISO-8601 UTC. */
  readonly since: string;
  /** Reason that was given. */
  readonly reason: string;
  /** True if positions are closed, too. */
  readonly flatten: boolean;
};

/** A trade is closed. */
export type TradeChange = {
  /** Id of the event; the same in every feed and webhook. */
  readonly id: string;
  /** Time of the event. ISO-8601 UTC. */
  readonly at: string;
  /** Deployment id. */
  readonly deployment_id?: number | undefined;
  /** Number of the event among those of the deployment, without gaps; absent without a deployment. */
  readonly sequence?: number | undefined;
  /** Type of the event. */
  readonly type: "trade.closed";
  /** Values of the change; the keys depend on `type`. */
  readonly data: {
    /** Number of the trade within the deployment, from 1. */
    readonly trade_number: number;
    /** Strategy id. */
    readonly strategy_id: number;
    /** `live` trades real money, `virtual` trades on paper. */
    readonly mode: ("live" | "virtual");
    /** Symbol of the instrument. */
    readonly symbol: string;
    /** Direction. */
    readonly side: ("long" | "short");
    /** Quantity, in lots of the instrument. Decimal. */
    readonly quantity: number;
    /** Average entry price. Decimal, in the quote currency of the symbol. */
    readonly entry_price: number;
    /** Average exit price. Decimal, in the quote currency of the symbol. */
    readonly exit_price: number;
    /** Realised profit or loss before fees and swap, in `currency`. Decimal. */
    readonly gross_pnl: number;
    /** Fees, in `currency`. Decimal; positive is a cost. */
    readonly fees: number;
    /** Swap, in `currency`. Decimal; negative is a charge to the account. */
    readonly swap: number;
    /** Profit or loss after fees and swap, in `currency`. Decimal. */
    readonly net_pnl: number;
    /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
    readonly currency: string;
    /** Time of the first entry fill. ISO-8601 UTC. */
    readonly opened_at: string;
    /** Time of the last exit fill. ISO-8601 UTC. */
    readonly closed_at: string;
    /** Seconds from the first entry to the last exit. */
    readonly duration_s: number;
    /** Order id that the engine chose. Unique within the deployment. */
    readonly client_order_id: string;
    readonly [name: string]: unknown;
  };
  readonly [name: string]: unknown;
};

/** A late report has changed closed trades: read them again. */
export type TradesCorrection = {
  /** Id of the event; the same in every feed and webhook. */
  readonly id: string;
  /** Time of the event. ISO-8601 UTC. */
  readonly at: string;
  /** Deployment id. */
  readonly deployment_id?: number | undefined;
  /** Number of the event among those of the deployment, without gaps; absent without a deployment. */
  readonly sequence?: number | undefined;
  /** Type of the event. */
  readonly type: "trades.corrected";
  /** Values of the change; the keys depend on `type`. */
  readonly data: {
    /** Closed trades that are changed. */
    readonly changed: number;
    /** Closed trades that are no longer there. */
    readonly removed: number;
    readonly [name: string]: unknown;
  };
  readonly [name: string]: unknown;
};

/** Set of instruments that a scanner can watch. */
export type Universe = {
  /** Id of the universe. */
  readonly universe_id: string;
  /** Name for people. */
  readonly name: string;
  /** Description for people. */
  readonly description: string;
  /** First symbols of the universe, at most 10. */
  readonly symbols: readonly string[];
  /** Number of symbols. */
  readonly symbols_count: number;
};

/** Broker that a user is linked to. */
export type UserBroker = {
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id: number;
  /** Sub-domain of the white-label broker. */
  readonly broker_domain: (string | null);
  /** Name for people. */
  readonly name: string;
  /** True if the connection works now. */
  readonly connected: boolean;
  /** Account number at the broker. */
  readonly account_id: (string | null);
  /** Id of the trading server of the account. */
  readonly server_id: (number | null);
};

/** Signed-in user with the tokens of the session. */
export type UserCustomOut = {
  /** Secret id of the user. It is a credential: do not log or share it. */
  readonly user_id: string;
  /** Public id of the user. */
  readonly user_key: string;
  /** E-mail address. Compared without regard to case. */
  readonly email: string;
  /** Name for people. */
  readonly name: string;
  /** Address of the profile picture. */
  readonly avatar_url: (string | null);
  /** True if the user proved the e-mail address. */
  readonly email_verified: boolean;
  /** Phone number, E.164. */
  readonly ph_number: (string | null);
  /** True if the user proved the phone number. */
  readonly ph_verified: boolean;
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id: (number | null);
  /** Brokers that the user is linked to. */
  readonly brokers: readonly UserBroker[];
  readonly subscription: Subscription;
  /** Referral code. */
  readonly referral_code: string;
  /** True if this call created the user. */
  readonly is_new_user: boolean;
  /** Access token (JWT). Send it as `Authorization: Bearer`. */
  readonly access_token: string;
  /** Type of the token. */
  readonly token_type: "bearer";
  /** Seconds until expiry. */
  readonly expires_in: number;
  /** Token for `/session/relogin`, valid for 30 days and for one use. Null when it was shown before or the session cannot be renewed. */
  readonly refresh_token: (string | null);
  /** Time of the sign-in. ISO-8601 UTC. */
  readonly login_time: string;
};

/** Notification about a deployment. */
export type UserDeploymentNotificationsCustomOut = {
  /** Notification id. */
  readonly notification_id: number;
  /** Event that the notification is about. */
  readonly kind: ("signal_buy" | "signal_sell" | "entry_filled" | "exit_filled" | "entry_cancelled" | "stop_loss_hit" | "target_hit" | "order_rejected" | "order_unknown" | "cycle_completed" | "deployment_started" | "deployment_expired" | "deployment_stopped" | "deployment_error" | "scanner_match" | "broker_disconnected" | "token_expiring" | "deployment_paused" | "deployment_resumed" | "deployment_halted" | "risk_warning" | "risk_tripped" | "kill_switch" | "hold_ignored" | "execution_connected" | "split" | "webhook_disabled" | "webhook_registered" | "signal_hook_created" | "mail_stopped" | "mail_ended" | "other");
  /** Severity. */
  readonly severity: ("info" | "success" | "warning" | "error");
  /** Deployment id. */
  readonly deployment_id: (number | null);
  /** Kind of the deployment; `live` covers real and paper trading. */
  readonly deployment_type: ("notification" | "scanner" | "live");
  /** Strategy id. */
  readonly strategy_id: (number | null);
  /** Symbol that the notification is about; null without one. */
  readonly symbol: (string | null);
  /** Title of the notification. */
  readonly title: string;
  /** Text of the notification. */
  readonly body: string;
  /** Values behind the notification; the keys depend on `kind`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** True if the notification is read. */
  readonly is_read: boolean;
  /** Time of reading. ISO-8601 UTC; null while unread. */
  readonly read_at: (string | null);
  /** Time of creation. ISO-8601 UTC. */
  readonly created_at: string;
};

/** User to register. */
export type UserIn = {
  /** E-mail address. Compared without regard to case. */
  readonly email: string;
  /** Password, 8 to 1,024 characters. */
  readonly password: string;
  /** Name for people. */
  readonly name: string;
  /** Phone number, E.164. */
  readonly ph_number?: string | undefined;
  /** Country code, ISO 3166-1 alpha-2 in capitals. */
  readonly country?: string | undefined;
  /** Referral code. */
  readonly referral_code?: string | undefined;
  /** Sub-domain of the white-label broker. */
  readonly broker_domain?: string | undefined;
  /** True if the user accepted the terms of service. */
  readonly accept_terms?: boolean | undefined;
};

/** Session of a user, or the platform token. */
export type UserSession = {
  /** Session id. It is not a credential. */
  readonly session_id: string;
  /** Browser and system that signed in, such as `Firefox on Linux`; null if unknown. */
  readonly device: (string | null);
  /** Time of creation. ISO-8601 UTC. */
  readonly created_at: string;
  /** Time of the last renewal. ISO-8601 UTC; null without one. */
  readonly renewed_at: (string | null);
  /** Time of expiry. ISO-8601 UTC; null without one. */
  readonly expires_at: string;
  /** True for the session of this request. */
  readonly is_current: boolean;
  /** True for the platform token. */
  readonly is_platform_token: boolean;
};

/** One problem of the input. */
export type ValidationError = {
  /** Path to the value: part of the request, then field names and indexes. */
  readonly loc: readonly (string | number)[];
  /** Problem with the value. */
  readonly msg: string;
  /** Stable error type for programs. */
  readonly type: string;
};

/** Order of a paper deployment. */
export type VirtualDeploymentOrderBookOut = {
  /** Order id. */
  readonly order_id: number;
  /** Deployment id. */
  readonly deployment_id: number;
  /** Strategy id. */
  readonly strategy_id: number;
  /** Order id that the engine chose. Unique within the deployment. */
  readonly client_order_id: string;
  /** Symbol of the instrument. */
  readonly symbol: string;
  /** Symbol of the instrument at the broker. */
  readonly broker_symbol: (string | null);
  /** Direction. */
  readonly side: ("buy" | "sell");
  /** Order type. */
  readonly order_type: ("market" | "limit" | "stop" | "stop_limit");
  /** Time in force as the engine reports it, such as `day` or `gtc`. */
  readonly time_in_force: (string | null);
  /** Quantity, in lots of the instrument. Decimal. */
  readonly quantity: number;
  /** Quantity filled so far, in lots. Decimal. */
  readonly filled_quantity: number;
  /** Quantity that is still to be filled, in lots. Decimal. */
  readonly pending_quantity: number;
  /** Quantity that ended unfilled, in lots. Decimal. */
  readonly cancelled_quantity: number;
  /** Limit price. Decimal, in the quote currency of the symbol; null without one. */
  readonly price: (number | null);
  /** Trigger price. Decimal, in the quote currency of the symbol; null without one. */
  readonly trigger_price: (number | null);
  /** Stop-loss price. Decimal, in the quote currency of the symbol; null without one. */
  readonly stop_loss: (number | null);
  /** Take-profit price. Decimal, in the quote currency of the symbol; null without one. */
  readonly take_profit: (number | null);
  /** Price at the time of the signal. Decimal, in the quote currency of the symbol. */
  readonly expected_price: (number | null);
  /** Average price, weighted by quantity. Decimal, in the quote currency of the symbol. */
  readonly average_price: (number | null);
  /** Price of a close by hand. Decimal, in the quote currency of the symbol; null otherwise. */
  readonly close_value: (number | null);
  /** Fees, in `currency`. Decimal; positive is a cost. */
  readonly fees: number;
  /** Swap, in `currency`. Decimal; negative is a charge to the account. */
  readonly swap: number;
  /** Realised profit or loss after fees and swap, in `currency`. Decimal. */
  readonly realized_pnl: (number | null);
  /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
  readonly currency: string;
  /** Status of the order. */
  readonly status: ("pending" | "submitted" | "open" | "trigger_pending" | "partially_filled" | "cancel_pending" | "unknown" | "filled" | "cancelled" | "rejected" | "expired");
  /** Message of the broker or engine; null without one. */
  readonly status_message: (string | null);
  /** Time of creation. ISO-8601 UTC. */
  readonly created_at: string;
  /** Time of submission to the broker. ISO-8601 UTC; null before. */
  readonly submitted_at: (string | null);
  /** Time when the order was filled. ISO-8601 UTC; null before. */
  readonly filled_at: (string | null);
  /** Time of the cancellation. ISO-8601 UTC. */
  readonly cancelled_at: (string | null);
  /** Time of the last change. ISO-8601 UTC. */
  readonly updated_at: string;
  /** `live` trades real money, `virtual` trades on paper. */
  readonly mode: "virtual";
};

/** Webhook endpoint, without its secret. */
export type Webhook = {
  /** Id of the webhook endpoint. */
  readonly endpoint_id: string;
  /** Address of the endpoint. */
  readonly url: string;
  /** Description for the owner. */
  readonly description: string;
  /** Types of events that it gets; empty for all. */
  readonly events: readonly string[];
  /** Deployments whose events it gets; null for all. Events without a deployment are left out by a filter. */
  readonly deployment_ids: (readonly number[] | null);
  /** `enabled`, or `disabled`: it gets no events. */
  readonly status: ("enabled" | "disabled");
  /** Reason why it is disabled: by its `owner`, `gone` after an answer 410, or `failing` after 5 days without a success; null while it is enabled. */
  readonly disabled_reason: ("owner" | "gone" | "failing" | null);
  /** Time at which it was disabled. ISO-8601 UTC; null while it is enabled. */
  readonly disabled_at: (string | null);
  /** First failure since the last success. ISO-8601 UTC; null if it works. */
  readonly failing_since: (string | null);
  /** Time at which the secret was made. ISO-8601 UTC. */
  readonly secret_since: string;
  /** Until when events are also signed with the replaced secret. ISO-8601 UTC; null without one. */
  readonly previous_secret_until: (string | null);
  /** Time of the registration. ISO-8601 UTC. */
  readonly created_at: string;
};

/** Change of a webhook endpoint. Absent fields stay as they are. */
export type WebhookChangeIn = {
  /** Public address with https, at most 500 characters, without user name, password and fragment. */
  readonly url?: string | undefined;
  /** Types of events to get; all when empty. */
  readonly events?: readonly ("deployment.requested" | "deployment.started" | "deployment.paused" | "deployment.resumed" | "deployment.halted" | "deployment.stop_requested" | "deployment.stopped" | "deployment.expired" | "deployment.failed" | "order.placed" | "order.updated" | "order.partially_filled" | "order.filled" | "order.cancelled" | "order.rejected" | "order.expired" | "trade.closed" | "trades.corrected" | "signal.raised" | "scanner.matched" | "risk.warning" | "risk.tripped" | "kill_switch.thrown" | "connection.lost" | "backtest.done")[] | undefined;
  /** Deployments whose events to get, at most 50; all when null. */
  readonly deployment_ids?: (readonly number[] | null) | undefined;
  /** Description for the owner, at most 200 characters. */
  readonly description?: string | undefined;
  /** `false` disables the endpoint; `true` enables it, and sends what waited. */
  readonly enabled?: boolean | undefined;
};

/** Event that was or will be sent to a webhook endpoint, with the outcome of its last attempt. */
export type WebhookDelivery = {
  /** Id of the delivery. */
  readonly delivery_id: string;
  /** Id of the event: the header `webhook-id`, the same in every delivery and in the change feed. */
  readonly event_id: string;
  /** Type of the event. */
  readonly event_type: string;
  /** `pending`, `delivered`, or `failed`: it is not sent any more. */
  readonly status: ("pending" | "delivered" | "failed");
  /** Attempts to send it so far. */
  readonly attempts: number;
  /** Time of the last attempt. ISO-8601 UTC; null before. */
  readonly last_attempt_at: (string | null);
  /** Status that the endpoint answered at the last attempt; null without an answer. */
  readonly http_status: (number | null);
  /** Milliseconds until the answer of the last attempt; null before. */
  readonly duration_ms: (number | null);
  /** Reason why the last attempt failed; null if it did not. */
  readonly failure: (string | null);
  /** Time at which it was made. ISO-8601 UTC. */
  readonly created_at: string;
  /** Time at which it was delivered or given up. ISO-8601 UTC; null while it is pending. */
  readonly settled_at: (string | null);
};

/** Webhook endpoint to register. */
export type WebhookIn = {
  /** Public address with https, at most 500 characters, without user name, password and fragment. */
  readonly url: string;
  /** Types of events to get; all when empty. */
  readonly events?: readonly ("deployment.requested" | "deployment.started" | "deployment.paused" | "deployment.resumed" | "deployment.halted" | "deployment.stop_requested" | "deployment.stopped" | "deployment.expired" | "deployment.failed" | "order.placed" | "order.updated" | "order.partially_filled" | "order.filled" | "order.cancelled" | "order.rejected" | "order.expired" | "trade.closed" | "trades.corrected" | "signal.raised" | "scanner.matched" | "risk.warning" | "risk.tripped" | "kill_switch.thrown" | "connection.lost" | "backtest.done")[] | undefined;
  /** Deployments whose events to get, at most 50; all when null. */
  readonly deployment_ids?: (readonly number[] | null) | undefined;
  /** Description for the owner, at most 200 characters. */
  readonly description?: string | undefined;
};

/** Replay that was begun. */
export type WebhookReplay = {
  /** Id of the webhook endpoint. */
  readonly endpoint_id: string;
  /** Time of the first event. ISO-8601 UTC. */
  readonly since: string;
  /** Time of the request; later events are sent anyway. ISO-8601 UTC. */
  readonly until: string;
};

/** Time since which to send events again. */
export type WebhookReplayIn = {
  /** Time of the first event, or a day. ISO-8601. */
  readonly since: string;
};

/** Event that tries a webhook endpoint. */
export type WebhookTest = {
  /** Id of the event; the same in every feed and webhook. */
  readonly id: string;
  /** Time of the event. ISO-8601 UTC. */
  readonly at: string;
  /** Deployment id. */
  readonly deployment_id?: number | undefined;
  /** Number of the event among those of the deployment, without gaps; absent without a deployment. */
  readonly sequence?: number | undefined;
  /** Type of the event. */
  readonly type: "webhook.test";
  /** Values of the change; the keys depend on `type`. */
  readonly data: {
    /** Message of the gateway. */
    readonly message: string;
    readonly [name: string]: unknown;
  };
  readonly [name: string]: unknown;
};

/** Data of the change events, by type. Brokers get a part of the fields. */
export interface ChangeData {
  readonly "deployment.requested": {
    readonly deployment_type: ("live" | "notification" | "scanner");
    readonly strategy_id: number;
    readonly strategy_name: string;
    readonly mode: ("live" | "virtual" | null);
    readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
    readonly phase: ("waiting" | "entered" | "exited");
    readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
    readonly by: ("user" | "broker" | "operator" | "risk_limit" | "kill_switch" | "engine" | null);
    readonly reason: (string | null);
  };
  readonly "deployment.started": {
    readonly deployment_type: ("live" | "notification" | "scanner");
    readonly strategy_id: number;
    readonly strategy_name: string;
    readonly mode: ("live" | "virtual" | null);
    readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
    readonly phase: ("waiting" | "entered" | "exited");
    readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
    readonly by: ("user" | "broker" | "operator" | "risk_limit" | "kill_switch" | "engine" | null);
    readonly reason: (string | null);
  };
  readonly "deployment.paused": {
    readonly deployment_type: ("live" | "notification" | "scanner");
    readonly strategy_id: number;
    readonly strategy_name: string;
    readonly mode: ("live" | "virtual" | null);
    readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
    readonly phase: ("waiting" | "entered" | "exited");
    readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
    readonly by: ("user" | "broker" | "operator" | "risk_limit" | "kill_switch" | "engine" | null);
    readonly reason: (string | null);
  };
  readonly "deployment.resumed": {
    readonly deployment_type: ("live" | "notification" | "scanner");
    readonly strategy_id: number;
    readonly strategy_name: string;
    readonly mode: ("live" | "virtual" | null);
    readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
    readonly phase: ("waiting" | "entered" | "exited");
    readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
    readonly by: ("user" | "broker" | "operator" | "risk_limit" | "kill_switch" | "engine" | null);
    readonly reason: (string | null);
  };
  readonly "deployment.halted": {
    readonly deployment_type: ("live" | "notification" | "scanner");
    readonly strategy_id: number;
    readonly strategy_name: string;
    readonly mode: ("live" | "virtual" | null);
    readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
    readonly phase: ("waiting" | "entered" | "exited");
    readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
    readonly by: ("user" | "broker" | "operator" | "risk_limit" | "kill_switch" | "engine" | null);
    readonly reason: (string | null);
  };
  readonly "deployment.stop_requested": {
    readonly deployment_type: ("live" | "notification" | "scanner");
    readonly strategy_id: number;
    readonly strategy_name: string;
    readonly mode: ("live" | "virtual" | null);
    readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
    readonly phase: ("waiting" | "entered" | "exited");
    readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
    readonly by: ("user" | "broker" | "operator" | "risk_limit" | "kill_switch" | "engine" | null);
    readonly reason: (string | null);
  };
  readonly "deployment.stopped": {
    readonly deployment_type: ("live" | "notification" | "scanner");
    readonly strategy_id: number;
    readonly strategy_name: string;
    readonly mode: ("live" | "virtual" | null);
    readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
    readonly phase: ("waiting" | "entered" | "exited");
    readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
    readonly by: ("user" | "broker" | "operator" | "risk_limit" | "kill_switch" | "engine" | null);
    readonly reason: (string | null);
  };
  readonly "deployment.expired": {
    readonly deployment_type: ("live" | "notification" | "scanner");
    readonly strategy_id: number;
    readonly strategy_name: string;
    readonly mode: ("live" | "virtual" | null);
    readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
    readonly phase: ("waiting" | "entered" | "exited");
    readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
    readonly by: ("user" | "broker" | "operator" | "risk_limit" | "kill_switch" | "engine" | null);
    readonly reason: (string | null);
  };
  readonly "deployment.failed": {
    readonly deployment_type: ("live" | "notification" | "scanner");
    readonly strategy_id: number;
    readonly strategy_name: string;
    readonly mode: ("live" | "virtual" | null);
    readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
    readonly phase: ("waiting" | "entered" | "exited");
    readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
    readonly by: ("user" | "broker" | "operator" | "risk_limit" | "kill_switch" | "engine" | null);
    readonly reason: (string | null);
  };
  readonly "order.placed": {
    readonly order_id: number;
    readonly client_order_id: string;
    readonly strategy_id: number;
    readonly mode: ("live" | "virtual");
    readonly symbol: string;
    readonly side: ("buy" | "sell");
    readonly order_type: ("market" | "limit" | "stop" | "stop_limit");
    readonly quantity: number;
    readonly filled_quantity: number;
    readonly price: (number | null);
    readonly trigger_price: (number | null);
    readonly expected_price: (number | null);
    readonly average_price: (number | null);
    readonly fees: number;
    readonly realized_pnl: (number | null);
    readonly currency: string;
    readonly status: ("pending" | "submitted" | "open" | "trigger_pending" | "partially_filled" | "cancel_pending" | "unknown" | "filled" | "cancelled" | "rejected" | "expired");
    readonly status_message: (string | null);
  };
  readonly "order.updated": {
    readonly order_id: number;
    readonly client_order_id: string;
    readonly strategy_id: number;
    readonly mode: ("live" | "virtual");
    readonly symbol: string;
    readonly side: ("buy" | "sell");
    readonly order_type: ("market" | "limit" | "stop" | "stop_limit");
    readonly quantity: number;
    readonly filled_quantity: number;
    readonly price: (number | null);
    readonly trigger_price: (number | null);
    readonly expected_price: (number | null);
    readonly average_price: (number | null);
    readonly fees: number;
    readonly realized_pnl: (number | null);
    readonly currency: string;
    readonly status: ("pending" | "submitted" | "open" | "trigger_pending" | "partially_filled" | "cancel_pending" | "unknown" | "filled" | "cancelled" | "rejected" | "expired");
    readonly status_message: (string | null);
  };
  readonly "order.partially_filled": {
    readonly order_id: number;
    readonly client_order_id: string;
    readonly strategy_id: number;
    readonly mode: ("live" | "virtual");
    readonly symbol: string;
    readonly side: ("buy" | "sell");
    readonly order_type: ("market" | "limit" | "stop" | "stop_limit");
    readonly quantity: number;
    readonly filled_quantity: number;
    readonly price: (number | null);
    readonly trigger_price: (number | null);
    readonly expected_price: (number | null);
    readonly average_price: (number | null);
    readonly fees: number;
    readonly realized_pnl: (number | null);
    readonly currency: string;
    readonly status: ("pending" | "submitted" | "open" | "trigger_pending" | "partially_filled" | "cancel_pending" | "unknown" | "filled" | "cancelled" | "rejected" | "expired");
    readonly status_message: (string | null);
  };
  readonly "order.filled": {
    readonly order_id: number;
    readonly client_order_id: string;
    readonly strategy_id: number;
    readonly mode: ("live" | "virtual");
    readonly symbol: string;
    readonly side: ("buy" | "sell");
    readonly order_type: ("market" | "limit" | "stop" | "stop_limit");
    readonly quantity: number;
    readonly filled_quantity: number;
    readonly price: (number | null);
    readonly trigger_price: (number | null);
    readonly expected_price: (number | null);
    readonly average_price: (number | null);
    readonly fees: number;
    readonly realized_pnl: (number | null);
    readonly currency: string;
    readonly status: ("pending" | "submitted" | "open" | "trigger_pending" | "partially_filled" | "cancel_pending" | "unknown" | "filled" | "cancelled" | "rejected" | "expired");
    readonly status_message: (string | null);
  };
  readonly "order.cancelled": {
    readonly order_id: number;
    readonly client_order_id: string;
    readonly strategy_id: number;
    readonly mode: ("live" | "virtual");
    readonly symbol: string;
    readonly side: ("buy" | "sell");
    readonly order_type: ("market" | "limit" | "stop" | "stop_limit");
    readonly quantity: number;
    readonly filled_quantity: number;
    readonly price: (number | null);
    readonly trigger_price: (number | null);
    readonly expected_price: (number | null);
    readonly average_price: (number | null);
    readonly fees: number;
    readonly realized_pnl: (number | null);
    readonly currency: string;
    readonly status: ("pending" | "submitted" | "open" | "trigger_pending" | "partially_filled" | "cancel_pending" | "unknown" | "filled" | "cancelled" | "rejected" | "expired");
    readonly status_message: (string | null);
  };
  readonly "order.rejected": {
    readonly order_id: number;
    readonly client_order_id: string;
    readonly strategy_id: number;
    readonly mode: ("live" | "virtual");
    readonly symbol: string;
    readonly side: ("buy" | "sell");
    readonly order_type: ("market" | "limit" | "stop" | "stop_limit");
    readonly quantity: number;
    readonly filled_quantity: number;
    readonly price: (number | null);
    readonly trigger_price: (number | null);
    readonly expected_price: (number | null);
    readonly average_price: (number | null);
    readonly fees: number;
    readonly realized_pnl: (number | null);
    readonly currency: string;
    readonly status: ("pending" | "submitted" | "open" | "trigger_pending" | "partially_filled" | "cancel_pending" | "unknown" | "filled" | "cancelled" | "rejected" | "expired");
    readonly status_message: (string | null);
  };
  readonly "order.expired": {
    readonly order_id: number;
    readonly client_order_id: string;
    readonly strategy_id: number;
    readonly mode: ("live" | "virtual");
    readonly symbol: string;
    readonly side: ("buy" | "sell");
    readonly order_type: ("market" | "limit" | "stop" | "stop_limit");
    readonly quantity: number;
    readonly filled_quantity: number;
    readonly price: (number | null);
    readonly trigger_price: (number | null);
    readonly expected_price: (number | null);
    readonly average_price: (number | null);
    readonly fees: number;
    readonly realized_pnl: (number | null);
    readonly currency: string;
    readonly status: ("pending" | "submitted" | "open" | "trigger_pending" | "partially_filled" | "cancel_pending" | "unknown" | "filled" | "cancelled" | "rejected" | "expired");
    readonly status_message: (string | null);
  };
  readonly "trade.closed": {
    readonly trade_number: number;
    readonly strategy_id: number;
    readonly mode: ("live" | "virtual");
    readonly symbol: string;
    readonly side: ("long" | "short");
    readonly quantity: number;
    readonly entry_price: number;
    readonly exit_price: number;
    readonly gross_pnl: number;
    readonly fees: number;
    readonly swap: number;
    readonly net_pnl: number;
    readonly currency: string;
    readonly opened_at: string;
    readonly closed_at: string;
    readonly duration_s: number;
    readonly client_order_id: string;
  };
  readonly "trades.corrected": {
    readonly changed: number;
    readonly removed: number;
  };
  readonly "signal.raised": {
    readonly symbol: string;
    readonly side: ("buy" | "sell");
    readonly price: (number | null);
    readonly title: string;
    readonly body: string;
  };
  readonly "scanner.matched": {
    readonly matches: readonly {
      readonly symbol: string;
      readonly price: (number | null);
    }[];
  };
  readonly "risk.warning": {
    readonly limit: string;
    readonly used: number;
    readonly allowed: number;
    readonly currency: string;
  };
  readonly "risk.tripped": {
    readonly limit: string;
    readonly used: number;
    readonly allowed: number;
    readonly currency: string;
  };
  readonly "kill_switch.thrown": {
    readonly level: ("user" | "broker" | "service");
    readonly by: ("user" | "broker" | "operator" | "risk_limit" | "kill_switch" | "engine");
    readonly reason: string;
    readonly flatten: boolean;
  };
  readonly "connection.lost": {
    readonly broker_id: (number | null);
  };
  readonly "backtest.done": {
    readonly backtest_id: number;
    readonly strategy_id: (number | null);
    readonly status: ("done" | "failed");
    readonly error: (string | null);
  };
  readonly "webhook.test": {
    readonly message: string;
  };
}

/** Type of a change event. The service may add types. */
export type ChangeType = keyof ChangeData;

/** Tells whether an event of a feed or a webhook has a type. */
export const isChange = <T extends ChangeType, E extends { readonly type: string; readonly data: object }>(
  event: E,
  type: T,
): event is E & { readonly type: T; readonly data: ChangeData[T] } => event.type === type;

export interface ArchiveStrategyInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Strategy id. */
  readonly strategy_id: number;
  /** False takes the strategy out of the archive. */
  readonly archived?: boolean | undefined;
}

export interface AuthIdpInput {
  readonly body: IdpAuthRequest;
}

export interface BllooInput {
}

export interface BrokerGetWebhookDeliveriesInput {
  /** Id of the webhook endpoint. */
  readonly endpoint_id: string;
  /** Largest number of deliveries in the answer. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
}

export interface BrokerGetWebhooksInput {
}

export interface BrokerKillSwitchInput {
  /** User whose deployments at the broker it covers. All users when absent. */
  readonly user_email?: string | undefined;
  readonly body: {
    /** `throw` or `re_arm`. */
    readonly action: ("throw" | "re_arm");
    /** Reason, for the audit trail and for those who are affected. At most 300 characters. */
    readonly reason: string;
    /** True if positions are closed, too. */
    readonly flatten?: boolean | undefined;
  };
}

export interface BrokerRegisterWebhookInput {
  readonly body: WebhookIn;
}

export interface BrokerRemoveWebhookInput {
  /** Id of the webhook endpoint. */
  readonly endpoint_id: string;
}

export interface BrokerReplayWebhookInput {
  /** Id of the webhook endpoint. */
  readonly endpoint_id: string;
  readonly body: WebhookReplayIn;
}

export interface BrokerResendWebhookInput {
  /** Id of the webhook endpoint. */
  readonly endpoint_id: string;
  /** Id of the delivery. */
  readonly delivery_id: string;
}

export interface BrokerRotateWebhookSecretInput {
  /** Id of the webhook endpoint. */
  readonly endpoint_id: string;
}

export interface BrokerTestWebhookInput {
  /** Id of the webhook endpoint. */
  readonly endpoint_id: string;
}

export interface BrokerUpdateWebhookInput {
  /** Id of the webhook endpoint. */
  readonly endpoint_id: string;
  readonly body: WebhookChangeIn;
}

export interface BuildNewStrategyInput {
  /** Symbols, at most 20, separated by commas. */
  readonly symbol: string;
  /** Length of a bar. */
  readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
  /** Name of the strategy. Unique among the user’s strategies. */
  readonly strategy_name: string;
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id?: number | undefined;
}

export interface CheckForTokenInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
}

export interface CheckLatestOrderStatusInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Strategy id. */
  readonly strategy_id: number;
  /** Deployment id. */
  readonly depl_id: number;
}

export interface CheckTradesPositionInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
}

export interface ConnectExecutionInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  readonly body: ExecutionConnectionIn;
}

export interface CopyStrategyInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Share key of the strategy to copy. */
  readonly strategy_key: string;
  /** Symbols of the copy, at most 20, separated by commas. Those of the source when absent. */
  readonly symbol?: string | undefined;
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id?: number | undefined;
}

export interface CreatePartneraSubdomainSecretInput {
  /** Name of the broker. Its sub-domain is made from it. */
  readonly broker_name: string;
  /** E-mail address of the broker’s contact. */
  readonly email: string;
  /** HTTPS address of the broker’s website. */
  readonly website?: string | undefined;
  /** GUID of the broker. It is also the broker’s `client_id` at `/oauth/token`. */
  readonly guid?: string | undefined;
  /** HTTPS address of the logo. */
  readonly logo_url?: string | undefined;
  /** HTTPS address of the broker’s favicon. */
  readonly broker_favicon_url?: string | undefined;
  /** Name of the broker’s app. */
  readonly broker_app_name?: string | undefined;
  /** Accent colour of the broker’s branding, as `#rgb` or `#rrggbb`. */
  readonly accent_color?: string | undefined;
}

export interface CreateSignalHookInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Deployment id. */
  readonly deployment_id: number;
}

export interface CreateUserInput {
  readonly body: DummyUserIn;
}

export interface DeleteAccountInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  readonly body: {
    /** E-mail address. Compared without regard to case. */
    readonly email: string;
    /** Password, 8 to 1,024 characters. */
    readonly password?: string | undefined;
    /** One-time code of six digits. */
    readonly otp?: number | undefined;
  };
}

export interface DeployLiveStrategyInput {
  /** Deploy key of the strategy. It is a credential: whoever has it can deploy. With the session of the owner, `strategy:<strategy_id>` names the strategy instead. */
  readonly keygen: string;
  readonly body: BodyDeployLiveStrategyDeployLiveStrategyPost;
}

export interface DeployNotificationStrategyInput {
  /** Deploy key of the strategy. It is a credential: whoever has it can deploy. With the session of the owner, `strategy:<strategy_id>` names the strategy instead. */
  readonly keygen: string;
  readonly body: BodyDeployNotificationStrategyDeployNotificationStrategyPost;
}

export interface DeployScannerInput {
  /** Deploy key of the strategy. It is a credential: whoever has it can deploy. With the session of the owner, `strategy:<strategy_id>` names the strategy instead. */
  readonly keygen: string;
  /** Universe of instruments to watch. */
  readonly universe_id: string;
}

export interface DisconnectExecutionInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Account number at the broker. */
  readonly account_id: string;
}

export interface EndSessionInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Session id. It is not a credential. */
  readonly session_id?: string | undefined;
  /** True ends all sessions but the one of the request, and the platform token. */
  readonly others?: boolean | undefined;
}

export interface ExternalAnalysisInput {
  readonly body: AnalyticsEvent;
}

export interface GeneratePartneraTokenInput {
  /** Account number at the broker. */
  readonly account_id?: string | undefined;
  /** Id of the trading server of the account. */
  readonly server_id?: number | undefined;
  /** Sub-domain of the white-label broker. */
  readonly broker_sub_domain?: string | undefined;
}

export interface GenerateTokenInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
}

export interface GetAccountOverviewInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
}

export interface GetAllLiveDeploymentsV2Input {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id?: string | undefined;
  /** Words to find in name and symbols. All entries when absent. */
  readonly search_key?: string | undefined;
  /** Page number, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries per page. */
  readonly size?: number | undefined;
}

export interface GetAllNotificationDeploymentsInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Page number, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries per page. */
  readonly size?: number | undefined;
}

export interface GetAllTradesByUserDeploymentsInput {
  /** E-mail address of a user who is linked to the calling broker. */
  readonly user_email: string;
  /** Page number, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries per page. */
  readonly size?: number | undefined;
}

export interface GetAllUserDeploymentsInput {
  /** E-mail address of a user who is linked to the calling broker. */
  readonly user_email: string;
  /** Page number, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries per page. */
  readonly size?: number | undefined;
}

export interface GetAllUserScannersInput {
  /** E-mail address of a user who is linked to the calling broker. */
  readonly user_email: string;
  /** Page number, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries per page. */
  readonly size?: number | undefined;
}

export interface GetAuditTrailInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Deployment whose entries to list. All entries of the user when absent. */
  readonly deployment_id?: number | undefined;
  /** Page number, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries per page. */
  readonly size?: number | undefined;
}

export interface GetB2cBrokersInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
}

export interface GetBacktestInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Id of the backtest. */
  readonly backtest_id: number;
  /** Gives the equity of every bar, computed again. */
  readonly full?: boolean | undefined;
}

export interface GetBacktestTradesInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Id of the backtest. */
  readonly backtest_id: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries per page. */
  readonly size?: number | undefined;
}

export interface GetBacktestsInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Backtests of this strategy only. */
  readonly strategy_id?: number | undefined;
  /** Page number, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries per page. */
  readonly size?: number | undefined;
}

export interface GetBrokerEventsInput {
  /** Cursor: `next` of the last answer. Without it, the oldest events; `latest` for the end. */
  readonly after?: string | undefined;
  /** Largest number of events in the answer. */
  readonly limit?: number | undefined;
  /** Seconds to wait for an event if none is there. */
  readonly wait?: number | undefined;
}

export interface GetBrokerKillSwitchInput {
  /** User whose switches at the broker are shown, too. Only those of the broker when absent. */
  readonly user_email?: string | undefined;
  /** Page number, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries per page. */
  readonly size?: number | undefined;
}

export interface GetBrokerSpecificTickersInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Slug or id of the broker. */
  readonly broker: string;
}

export interface GetBrokerUserSlippageByEmailInput {
  /** E-mail address of a user who is linked to the calling broker. */
  readonly user_email: string;
  /** Largest number of orders in the answer. */
  readonly limit?: number | undefined;
}

export interface GetCandlesInput {
  /** Symbol of the instrument. */
  readonly symbol: string;
  /** Length of a bar. */
  readonly timeframe: ("1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w");
  /** Time from which candles start. ISO-8601 with a time zone, or a day in UTC. */
  readonly from?: string | undefined;
  /** Time before which candles start. ISO-8601 with a time zone, or a day in UTC. */
  readonly to?: string | undefined;
  /** Largest number of candles in the answer. */
  readonly limit?: number | undefined;
}

export interface GetConnectedBrokerDetailsV2Input {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id: number;
}

export interface GetDeploymentInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Deployment id. */
  readonly deployment_id: number;
}

export interface GetDeploymentEngineInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Deployment id. */
  readonly deployment_id: number;
  /** Symbol to explain alone. All symbols when absent; of a scanner, none. */
  readonly symbol?: string | undefined;
}

export interface GetDeploymentNotificationsInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Page number, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries per page. */
  readonly size?: number | undefined;
  /** Time from which notifications were created. ISO-8601 with a time zone, or a day in UTC. All when absent. */
  readonly from?: string | undefined;
  /** Time before which notifications were created. ISO-8601 with a time zone, or a day in UTC. All when absent. */
  readonly to?: string | undefined;
  /** Symbol that notifications are about. All when absent. */
  readonly symbol?: string | undefined;
  /** One or several kinds, separated by commas. All when absent. */
  readonly kind?: string | undefined;
  /** Deployment that notifications are about. All when absent. */
  readonly deployment_id?: number | undefined;
  /** True: unread notifications; false: read ones. Both when absent. */
  readonly unread?: boolean | undefined;
  /** Order by place in the list. */
  readonly sort?: ("newest" | "oldest") | undefined;
  /** `next_cursor` of the answer before, with the same filters and `sort`. */
  readonly cursor?: number | undefined;
}

export interface GetDeploymentPerformanceInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Deployment id. */
  readonly deployment_id: number;
}

export interface GetDeploymentTradesInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Deployment id. */
  readonly deployment_id: number;
  /** Time from which trades closed. ISO-8601 with a time zone, or a day in UTC. All when absent. */
  readonly from?: string | undefined;
  /** Time before which trades closed. ISO-8601 with a time zone, or a day in UTC. All when absent. */
  readonly to?: string | undefined;
  /** Symbol of the trades. All when absent. */
  readonly symbol?: string | undefined;
  /** Direction of the trades. Both when absent. */
  readonly side?: ("long" | "short") | undefined;
  /** Order of the trades: by the time of closing, or by net_pnl with the highest (`best`) or lowest (`worst`) first. */
  readonly sort?: ("newest" | "oldest" | "best" | "worst") | undefined;
  /** `next_cursor` of the answer before, with the same filters and `sort`. */
  readonly cursor?: number | undefined;
  /** Page number, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries per page. */
  readonly size?: number | undefined;
}

export interface GetEventsInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Cursor: `next` of the last answer. Without it, the oldest events; `latest` for the end. */
  readonly after?: string | undefined;
  /** Largest number of events in the answer. */
  readonly limit?: number | undefined;
  /** Seconds to wait for an event if none is there. */
  readonly wait?: number | undefined;
}

export interface GetExecutionConnectionsInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
}

export interface GetExploreStrategiesInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Page number, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries per page. */
  readonly size?: number | undefined;
}

export interface GetExploreStrategyFavouritesInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
}

export interface GetGlobalOrderBookInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** `live` for orders with real money, `virtual` for orders on paper. */
  readonly mode: ("live" | "virtual");
  /** Page number, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries per page. */
  readonly size?: number | undefined;
  /** Time from which orders were created. ISO-8601 with a time zone, or a day in UTC. All when absent. */
  readonly from?: string | undefined;
  /** Time before which orders were created. ISO-8601 with a time zone, or a day in UTC. All when absent. */
  readonly to?: string | undefined;
  /** Symbol of the orders. All when absent. */
  readonly symbol?: string | undefined;
  /** One or several statuses of orders, separated by commas. All when absent. */
  readonly status?: string | undefined;
  /** Side of the orders. Both when absent. */
  readonly side?: ("buy" | "sell") | undefined;
  /** Order by place in the list. */
  readonly sort?: ("newest" | "oldest") | undefined;
  /** `next_cursor` of the answer before, with the same filters and `sort`. */
  readonly cursor?: number | undefined;
}

export interface GetInstrumentSuggestionsV2Input {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Beginning of a symbol, or of a word of the name. */
  readonly instrument: string;
  /** Asset class of the instruments. */
  readonly type?: ("equity" | "index" | "forex" | "commodity" | "crypto") | undefined;
  /** Only instruments of this trading server. All servers when absent. */
  readonly server?: string | undefined;
  /** Only instruments of this broker. All brokers when absent. */
  readonly broker_id?: number | undefined;
}

export interface GetKillSwitchInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
}

export interface GetLiveDeploymentStrategiesVolumeInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Up to 50 strategy ids, separated by commas. */
  readonly strategy_ids: string;
}

export interface GetLiveDeploymentsAggregatedStatsInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
}

export interface GetLiveDeploymentsOrderStatusInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Up to 50 strategy ids, separated by commas. */
  readonly strategy_ids: string;
}

export interface GetLiveDepsPnlInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Up to 50 deployment ids, separated by commas. */
  readonly deployment_ids: string;
}

export interface GetLiveExpiredStrategiesV2Input {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Words to find in name and symbols. All entries when absent. */
  readonly search_key?: string | undefined;
  /** True if the deployment trades on a prediction market. */
  readonly prediction_market?: boolean | undefined;
  /** Page number, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries per page. */
  readonly size?: number | undefined;
}

export interface GetLiveStrategyFullOrderBookInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Strategy id. */
  readonly strategy_id: number;
  /** Deployment id. */
  readonly deployment_id: number;
  /** Time from which orders were created. ISO-8601 with a time zone, or a day in UTC. All when absent. */
  readonly from?: string | undefined;
  /** Time before which orders were created. ISO-8601 with a time zone, or a day in UTC. All when absent. */
  readonly to?: string | undefined;
  /** Symbol of the orders. All when absent. */
  readonly symbol?: string | undefined;
  /** One or several statuses of orders, separated by commas. All when absent. */
  readonly status?: string | undefined;
  /** Side of the orders. Both when absent. */
  readonly side?: ("buy" | "sell") | undefined;
  /** Order by place in the list. */
  readonly sort?: ("newest" | "oldest") | undefined;
}

export interface GetLiveStrategyOrderBookInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Deployment id. */
  readonly deployment_id: number;
  /** Page number, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries per page. */
  readonly size?: number | undefined;
  /** Time from which orders were created. ISO-8601 with a time zone, or a day in UTC. All when absent. */
  readonly from?: string | undefined;
  /** Time before which orders were created. ISO-8601 with a time zone, or a day in UTC. All when absent. */
  readonly to?: string | undefined;
  /** Symbol of the orders. All when absent. */
  readonly symbol?: string | undefined;
  /** One or several statuses of orders, separated by commas. All when absent. */
  readonly status?: string | undefined;
  /** Side of the orders. Both when absent. */
  readonly side?: ("buy" | "sell") | undefined;
  /** Order by place in the list. */
  readonly sort?: ("newest" | "oldest") | undefined;
  /** `next_cursor` of the answer before, with the same filters and `sort`. */
  readonly cursor?: number | undefined;
}

export interface GetMultiAssetStrategiesInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id?: string | undefined;
}

export interface GetNotificationPreferencesInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
}

export interface GetPLLiveDeployedStrategiesInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id?: string | undefined;
  /** Deployment id. */
  readonly deployment_id?: string | undefined;
}

export interface GetParityInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Deployment id. */
  readonly deployment_id: number;
  /** Symbol to compare alone. All symbols when absent. */
  readonly symbol?: string | undefined;
}

export interface GetPublishedStrategiesInput {
  /** Public id of the user whose profile is read. */
  readonly user_key: string;
  /** Secret id of the caller, or `me` with a session. Without it, `is_liked` and `is_copied` are false unless a session names the caller. */
  readonly user_id?: string | undefined;
  /** Page number, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries per page. */
  readonly size?: number | undefined;
}

export interface GetPushTokenWebInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
}

export interface GetReferredUserCountInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
}

export interface GetRiskLimitsInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Deployment to show. The user when absent. */
  readonly deployment_id?: number | undefined;
}

export interface GetScannerDeploymentsInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Page number, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries per page. */
  readonly size?: number | undefined;
}

export interface GetSessionsInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
}

export interface GetSignalHookInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Deployment id. */
  readonly deployment_id: number;
}

export interface GetStrategiesByUserInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Strategies to list: 0 built ones, 1 copies. */
  readonly is_copied?: (0 | 1) | undefined;
  /** Words to find in name and symbols. All entries when absent. */
  readonly search_key?: string | undefined;
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id?: number | undefined;
  /** Only strategies of this status. */
  readonly status?: ("draft" | "ready" | "archived") | undefined;
  /** Page number, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries per page. */
  readonly size?: number | undefined;
}

export interface GetStrategiesPerformanceMetricsInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Up to 50 strategy ids, separated by commas. */
  readonly strategy_ids: string;
}

export interface GetStrategyInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Strategy id. */
  readonly strategy_id: number;
  /** One of `versions`. The newest when absent. */
  readonly rules_version?: number | undefined;
}

export interface GetStrategyAddOnsInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Strategy id as text. */
  readonly strategy_id: string;
}

export interface GetStrategyCategoriesInput {
}

export interface GetStrategyTemplatesInput {
}

export interface GetSwapValuesInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Strategy id. */
  readonly strategy_id: number;
  /** Deployment id. */
  readonly deployment_id: number;
}

export interface GetSweepInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Id of the sweep. */
  readonly sweep_id: number;
}

export interface GetSweepsInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Sweeps of this strategy only. */
  readonly strategy_id?: number | undefined;
  /** Page number, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries per page. */
  readonly size?: number | undefined;
}

export interface GetUniversesInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
}

export interface GetUserStrategiesInput {
  /** E-mail address of a user who is linked to the calling broker. */
  readonly user_email: string;
  /** Page number, from 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Entries per page. */
  readonly size?: number | undefined;
}

export interface GetUserStrategyPerformanceInput {
  /** Strategy id. */
  readonly strategy_id: number;
  /** Deployment id. */
  readonly deployment_id: number;
}

export interface GetWebhookDeliveriesInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Id of the webhook endpoint. */
  readonly endpoint_id: string;
  /** Largest number of deliveries in the answer. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
}

export interface GetWebhooksInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
}

export interface HealthInput {
}

export interface JwksInput {
}

export interface KillSwitchInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  readonly body: {
    /** `throw` or `re_arm`. */
    readonly action: ("throw" | "re_arm");
    /** Reason, for the audit trail and for those who are affected. At most 300 characters. */
    readonly reason: string;
    /** True if positions are closed, too. */
    readonly flatten?: boolean | undefined;
  };
}

export interface LikeStrategyInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Strategy id. */
  readonly strategy_id: number;
}

export interface ListUsersInput {
}

export interface LoginInput {
  readonly body: BodyLoginLoginPost;
}

export interface LoginUserBrokerInput {
  /** E-mail address. Compared without regard to case. */
  readonly email: string;
  /** Password of the user. */
  readonly password: string;
  /** Sub-domain of the white-label broker. */
  readonly broker_domain: string;
  /** Partner token that proves the account. None when absent. */
  readonly partner_token?: string | undefined;
}

export interface OauthTokenInput {
  readonly body: BodyOauthTokenOauthTokenPost;
}

export interface PartneraAuthInput {
  /** GUID of the broker. */
  readonly broker_guid?: string | undefined;
  /** Name of the broker. */
  readonly broker_name?: string | undefined;
  /** New HTTPS address of the logo. Unchanged when absent. */
  readonly broker_logo_url?: string | undefined;
  /** Support address of the broker. */
  readonly support_email?: string | undefined;
}

export interface PartnerbAuthInput {
}

export interface PartnerbGenerateTokenInput {
  /** Account number at the broker. */
  readonly account_id?: string | undefined;
  /** Id of the trading server of the account. */
  readonly server_id?: number | undefined;
  /** Sub-domain of the white-label broker. */
  readonly broker_sub_domain?: string | undefined;
  /** Support address to keep in the token. */
  readonly support_email?: string | undefined;
}

export interface PartnercAccessInput {
}

export interface PartnercAuthCallbackInput {
  /** Authorization code of partner C. */
  readonly code?: string | undefined;
  /** Value that `/partnerc_access` made. */
  readonly state?: string | undefined;
  /** Issuer that answered (RFC 9207). */
  readonly iss?: string | undefined;
  /** Error code of OAuth 2.0. */
  readonly error?: string | undefined;
  /** Explanation of the error for people. */
  readonly error_description?: string | undefined;
  /** Page about the error. */
  readonly error_uri?: string | undefined;
}

export interface PartnercConnectInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Connection that no user has taken over yet. Send it to `/partnerc_connect` within an hour. */
  readonly connection_id: string;
}

export interface PartnercDisconnectInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
}

export interface PauseDeploymentInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Deployment id. */
  readonly deployment_id: number;
  /** Reason for the audit trail. */
  readonly reason?: string | undefined;
}

export interface ProfilePublishStrategyInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Strategy id. */
  readonly strategy_id: number;
  /** Visibility: 0 private, 1 public on the profile, 2 by share key only. */
  readonly publish_state: (0 | 1 | 2);
  /** True puts a public strategy into the explore catalogue, false takes it out. As before when absent. */
  readonly is_listed?: boolean | undefined;
}

export interface PublishExploreStrategyInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Strategy id. */
  readonly strategy_id: number;
}

export interface ReadDeploymentNotificationsInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
}

export interface ReceiveSignalInput {
  /** Token of the address. */
  readonly token: string;
  readonly body: SignalIn;
}

export interface RegisterLoginInput {
  readonly body: BodyRegisterLoginRegisterLoginPost;
}

export interface RegisterPushTokenInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Firebase registration token, or a Web Push subscription as JSON. */
  readonly push_key: string;
}

export interface RegisterUserInput {
  /** Client key of the calling app. */
  readonly auth: string;
  readonly body: UserIn;
}

export interface RegisterUserBrokerInput {
  readonly body: BodyRegisterUserBrokerRegisterUserBrokerPost;
}

export interface RegisterWebhookInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  readonly body: WebhookIn;
}

export interface RemoveBacktestInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Id of the backtest. */
  readonly backtest_id: number;
}

export interface RemovePushTokenInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  readonly body: PushRemovalIn;
}

export interface RemoveSubscriptionInput {
  /** E-mail address. Compared without regard to case. */
  readonly email: string;
}

export interface RemoveSweepInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Id of the sweep. */
  readonly sweep_id: number;
}

export interface RemoveUserInput {
  /** Id of the dummy user. */
  readonly id: string;
}

export interface RemoveWebhookInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Id of the webhook endpoint. */
  readonly endpoint_id: string;
}

export interface RenameStrategyInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Strategy id. */
  readonly strategy_id: number;
  /** New name. Unique among the user’s strategies. */
  readonly strategy_name: string;
  /** New description. Unchanged when absent. */
  readonly description?: string | undefined;
}

export interface ReplayWebhookInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Id of the webhook endpoint. */
  readonly endpoint_id: string;
  readonly body: WebhookReplayIn;
}

export interface ResendWebhookInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Id of the webhook endpoint. */
  readonly endpoint_id: string;
  /** Id of the delivery. */
  readonly delivery_id: string;
}

export interface ResetPasswordInput {
  /** E-mail address. Compared without regard to case. */
  readonly email: string;
  /** New password, 8 to 1,024 characters. */
  readonly new_password: string;
  /** One-time code of six digits. */
  readonly otp: number;
}

export interface ResumeDeploymentInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Deployment id. */
  readonly deployment_id: number;
  /** Reason for the audit trail. Required if others than the owner paused or halted the deployment. */
  readonly reason?: string | undefined;
}

export interface RevokeSignalHookInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Deployment id. */
  readonly deployment_id: number;
}

export interface RotateKeygenInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Strategy id. */
  readonly strategy_id: number;
}

export interface RotateWebhookSecretInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Id of the webhook endpoint. */
  readonly endpoint_id: string;
}

export interface RunBacktestInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  readonly body: BacktestIn;
}

export interface SearchExploreStrategiesInput {
  /** Words to find. Each is a prefix of a word in name, symbol, author or category. */
  readonly term: string;
}

export interface SendOtpPasswordResetInput {
  /** E-mail address. Compared without regard to case. */
  readonly email: string;
}

export interface SendSmsOtpInput {
  /** Phone number, E.164. */
  readonly ph_number: string;
  /** E-mail address. Compared without regard to case. */
  readonly email: string;
  /** Token of the challenge widget that the user solved. */
  readonly cf_token: string;
}

export interface SessionLogoutInput {
}

export interface SessionReloginInput {
}

export interface SessionStateInput {
}

export interface SetNotificationPreferencesInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  readonly body: NotificationPreferencesIn;
}

export interface SetRiskLimitsInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Deployment to limit. The user when absent. */
  readonly deployment_id?: number | undefined;
  readonly body: {
    /** Limits of the level, as a whole. */
    readonly limits: {
      /** Largest loss of a day (UTC), with open positions at their prices. */
      readonly daily_loss?: (number | string) | undefined;
      /** Largest loss of a day (UTC), in percent points of the equity at its beginning. */
      readonly daily_loss_pct?: (number | string) | undefined;
      /** Largest fall of equity below its peak, in percent points. */
      readonly drawdown_pct?: (number | string) | undefined;
      /** Largest value of the position in a symbol, with the entry. An entry in another currency counts as for `order_value`. */
      readonly position_value?: (number | string) | undefined;
      /** Largest value of an entry order. In another currency than that of the deployment it counts at the `rate` of its report, else at the newest known rate; without any, from its first fill. */
      readonly order_value?: (number | string) | undefined;
      /** Most symbols with an open position or a waiting entry. */
      readonly open_positions?: number | undefined;
      /** Most orders of a day (UTC). Exits count, and are never refused. */
      readonly orders_per_day?: number | undefined;
      /** Most orders of a clock minute. Exits count, and are never refused. */
      readonly orders_per_minute?: number | undefined;
      /** Symbols in which entries are allowed. */
      readonly symbols?: readonly string[] | undefined;
      /** Hours in which entries are allowed; all of them have to be open. */
      readonly hours?: {
        /** Time zone of the IANA database. */
        readonly time_zone: string;
        /** Weekdays on which the hours begin. All when absent. */
        readonly weekdays?: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[] | undefined;
        /** Local time from which entries are allowed, as HH:MM. */
        readonly from: string;
        /** Local time before which entries are allowed, as HH:MM. The hours may pass midnight. */
        readonly to: string;
      } | undefined;
      /** Days that a strategy has to trade on paper before it is deployed with real orders. */
      readonly paper_days?: number | undefined;
      /** Measure when a loss limit is reached: `pause` stops entries, `flatten` halts and closes the positions. `pause` when absent. */
      readonly action?: ("pause" | "flatten") | undefined;
    };
    /** Reason for the audit trail. */
    readonly reason?: string | undefined;
  };
}

export interface SetStrategyRulesInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Strategy id. */
  readonly strategy_id: number;
  /** `open`: others can copy the strategy and read its sentence. `closed`: they cannot. As before when absent, `open` at first. */
  readonly rules_visibility?: ("open" | "closed") | undefined;
  /** `rules_version` that the caller has read; 0 for a strategy without rules. Any when absent. */
  readonly expected_rules_version?: number | undefined;
  readonly body: Rules;
}

export interface StopDeploymentInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Deployment id. */
  readonly deployment_id: number;
  /** Closes the open positions as well. */
  readonly flatten?: boolean | undefined;
  /** Reason for the audit trail. */
  readonly reason?: string | undefined;
}

export interface SweepStrategyInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  readonly body: SweepIn;
}

export interface TestWebhookInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Id of the webhook endpoint. */
  readonly endpoint_id: string;
}

export interface UndeployLiveStrategyInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Deployment id. */
  readonly deployment_id: number;
}

export interface UndeployNotificationStrategyInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Deployment id. */
  readonly deployment_id: number;
}

export interface UndeployScannerInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Deployment id. */
  readonly deployment_id: string;
}

export interface UnlikeStrategyInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Strategy id. */
  readonly strategy_id: number;
}

export interface UnlinkBrokerInput {
  /** Sub-domain of the white-label broker. */
  readonly broker_domain: string;
}

export interface UnsubscribeInput {
  /** Token of the link. It stops mails of its user, and opens nothing. */
  readonly token: string;
  /** Group of notification kinds whose mails stop. */
  readonly group: ("signals" | "fills" | "orders" | "status" | "risk");
}

export interface UnsubscribePageInput {
  /** Token of the link. It stops mails of its user, and opens nothing. */
  readonly token: string;
  /** Group of notification kinds whose mails stop. */
  readonly group: ("signals" | "fills" | "orders" | "status" | "risk");
}

export interface UpdateLiveTradeInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Order id. */
  readonly order_id: number;
  /** Price of the close as decimal text, in the quote currency of the symbol. */
  readonly close_value: string;
}

export interface UpdateLiveTradeInOrderBookInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Order id. */
  readonly ob: number;
  /** Symbol of the instrument at the broker. */
  readonly symbol: string;
}

export interface UpdateStrategyInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Strategy id. */
  readonly strategy_id: number;
  readonly body: StrategyEdit;
}

export interface UpdateWebhookInput {
  /** Secret id of the user. It is a credential: do not log or share it. With a session, `me` is the user of the session. */
  readonly user_id: string;
  /** Id of the webhook endpoint. */
  readonly endpoint_id: string;
  readonly body: WebhookChangeIn;
}

export interface ValidateBTokenInput {
  /** Token (JWT). It is a credential. */
  readonly token: string;
  /** Sub-domain of the broker that the token must name. Any broker when absent. */
  readonly broker_sub?: string | undefined;
}

export interface ValidateSmsOtpInput {
  /** One-time code of six digits. */
  readonly otp: string;
  /** E-mail address. Compared without regard to case. */
  readonly email: string;
}

export interface VerifySessionInput {
}

export interface VerifyUserInput {
}

export type ArchiveStrategyOutput = StrategyOut;

export type AuthIdpOutput = UserCustomOut;

export type BllooOutput = {
  /** Rules of passwords. */
  readonly password: {
    /** True if it is switched on. */
    readonly enabled: boolean;
    /** Smallest number of characters of a new password. */
    readonly min_length: number;
    /** True if a password can be reset by e-mail. */
    readonly reset_enabled: boolean;
  };
  /** Identity providers for `/auth/idp`. */
  readonly idp: readonly {
    /** Identifier of the identity provider, as `/blloo` lists it. */
    readonly provider: string;
    /** Name for people. */
    readonly name: string;
    /** Issuer of the provider’s ID tokens. */
    readonly issuer: string;
    /** Client id to send to the provider. */
    readonly client_id: string;
  }[];
  /** White-label brokers that users can sign in with. */
  readonly brokers: readonly {
    /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
    readonly broker_id: number;
    /** Name for people. */
    readonly name: string;
    /** Sub-domain of the white-label broker. */
    readonly broker_domain: string;
    /** HTTPS address of the logo. */
    readonly logo_url: (string | null);
    /** Address of the favicon. */
    readonly favicon_url: (string | null);
    /** Name of the broker’s app. */
    readonly app_name: (string | null);
    /** Accent colour of the broker’s branding, as `#rgb` or `#rrggbb`. */
    readonly accent_color: (string | null);
  }[];
};

export type BrokerGetWebhookDeliveriesOutput = {
  /** Deliveries, newest first. */
  readonly deliveries: readonly WebhookDelivery[];
  /** Cursor of the next page; null on the last one. */
  readonly next_cursor: (string | null);
};

export type BrokerGetWebhooksOutput = {
  /** Webhook endpoints, oldest first. */
  readonly webhooks: readonly Webhook[];
};

export type BrokerKillSwitchOutput = KillSwitchChange;

export type BrokerRegisterWebhookOutput = NewWebhook;

export type BrokerRemoveWebhookOutput = {
  /** Always true: the endpoint is removed. */
  readonly removed: true;
};

export type BrokerReplayWebhookOutput = WebhookReplay;

export type BrokerResendWebhookOutput = WebhookDelivery;

export type BrokerRotateWebhookSecretOutput = NewWebhook;

export type BrokerTestWebhookOutput = WebhookDelivery;

export type BrokerUpdateWebhookOutput = Webhook;

export type BuildNewStrategyOutput = StrategyPrefCustomOut;

export type CheckForTokenOutput = {
  /** True if a platform token is active now. */
  readonly active: boolean;
  /** Time of issue. ISO-8601 UTC. */
  readonly issued_at: (string | null);
  /** Time of expiry. ISO-8601 UTC; null without one. */
  readonly expires_at: (string | null);
};

export type CheckLatestOrderStatusOutput = {
  /** Deployment id. */
  readonly deployment_id: number;
  /** Strategy id. */
  readonly strategy_id: number;
  /** Status of the deployment. */
  readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
  /** Place in the trading cycle. */
  readonly phase: ("waiting" | "entered" | "exited");
  /** Order that the engine reported on last; null before the first. */
  readonly order: {
    /** Order id. */
    readonly order_id: number;
    /** Order id that the engine chose. Unique within the deployment. */
    readonly client_order_id: string;
    /** Symbol of the instrument. */
    readonly symbol: string;
    /** Direction. */
    readonly side: ("buy" | "sell");
    /** Status of the order. */
    readonly status: ("pending" | "submitted" | "open" | "trigger_pending" | "partially_filled" | "cancel_pending" | "unknown" | "filled" | "cancelled" | "rejected" | "expired");
    /** Message of the broker or engine; null without one. */
    readonly status_message: (string | null);
    /** Quantity, in lots of the instrument. Decimal. */
    readonly quantity: number;
    /** Quantity filled so far, in lots. Decimal. */
    readonly filled_quantity: number;
    /** Average price, weighted by quantity. Decimal, in the quote currency of the symbol. */
    readonly average_price: (number | null);
    /** Time of the last change. ISO-8601 UTC. */
    readonly updated_at: string;
  };
  /** Number of orders. */
  readonly orders_count: number;
  /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
  readonly as_of: string;
};

export type CheckTradesPositionOutput = {
  /** Open positions. */
  readonly positions: readonly {
    /** Deployment id. */
    readonly deployment_id: number;
    /** Strategy id. */
    readonly strategy_id: number;
    /** Name of the strategy. Unique among the user’s strategies. */
    readonly strategy_name: string;
    /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
    readonly broker_id: (number | null);
    /** `live` trades real money, `virtual` trades on paper. */
    readonly mode: ("live" | "virtual");
    /** Status of the deployment. */
    readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
    /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
    readonly currency: string;
    /** Symbol of the instrument. */
    readonly symbol: string;
    /** Direction. */
    readonly side: ("long" | "short");
    /** Quantity, in lots of the instrument. Decimal. */
    readonly quantity: number;
    /** Average price, weighted by quantity. Decimal, in the quote currency of the symbol. */
    readonly average_price: number;
    /** Latest price. Decimal, in the quote currency of the symbol; null before the first price. */
    readonly last_price: (number | null);
    /** Profit or loss of open positions at their latest price, in `currency`. Decimal; null without a price. */
    readonly unrealized_pnl: (number | null);
    /** Time of the oldest price behind these figures. ISO-8601 UTC; null without a price. */
    readonly as_of: (string | null);
    /** Time of the first entry fill. ISO-8601 UTC. */
    readonly opened_at: string;
  }[];
  /** Time of the oldest price behind these figures. ISO-8601 UTC; null without a price. */
  readonly as_of: (string | null);
};

export type ConnectExecutionOutput = ExecutionConnection;

export type CopyStrategyOutput = StrategyOut;

export type CreatePartneraSubdomainSecretOutput = {
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id: number;
  /** GUID of the broker. It is also the broker’s `client_id` at `/oauth/token`. */
  readonly guid: (string | null);
  /** Name of the broker. Its sub-domain is made from it. */
  readonly broker_name: string;
  /** Sub-domain of the broker: the `broker_domain` of other operations. */
  readonly subdomain: string;
  /** HTTPS address of the broker’s website. */
  readonly website: (string | null);
  /** HTTPS address of the logo. */
  readonly logo_url: (string | null);
  /** HTTPS address of the broker’s favicon. */
  readonly broker_favicon_url: (string | null);
  /** Name of the broker’s app. */
  readonly broker_app_name: (string | null);
  /** Accent colour of the broker’s branding, as `#rgb` or `#rrggbb`. */
  readonly accent_color: (string | null);
  /** Support address of the broker. */
  readonly support_email: (string | null);
  /** Secret of the broker. Shown once. */
  readonly secret: string;
  /** True if an existing broker’s secret was replaced. */
  readonly rotated: boolean;
  /** Time of creation. ISO-8601 UTC. */
  readonly created_at: string;
  /** Time until which the previous secret works. ISO-8601 UTC; null without one. */
  readonly previous_secret_valid_until: (string | null);
};

export type CreateSignalHookOutput = NewSignalHook;

export type CreateUserOutput = DummyUser;

export type DeleteAccountOutput = AccountDeletion;

export type DeployLiveStrategyOutput = LiveDeploymentCustomOut;

export type DeployNotificationStrategyOutput = NotificationDeploymentOut;

export type DeployScannerOutput = ScannerDeploymentsOut;

export type DisconnectExecutionOutput = {
  /** Always true: the connection is ended. */
  readonly disconnected: true;
};

export type EndSessionOutput = {
  /** Number of sessions that were ended. */
  readonly ended: number;
};

export type ExternalAnalysisOutput = {
  /** Always true: the event was forwarded or will be. */
  readonly accepted: true;
  /** True when the event was forwarded at once, false when it is queued. */
  readonly forwarded: boolean;
};

export type GeneratePartneraTokenOutput = {
  /** Token (JWT). It is a credential. */
  readonly token: string;
  /** Type of the token. */
  readonly token_type: "bearer";
  /** Seconds until expiry. */
  readonly expires_in: number;
  /** Time of expiry. ISO-8601 UTC; null without one. */
  readonly expires_at: string;
  /** True if the broker’s secret came with the request. Only then can the token sign a user in. */
  readonly verified: boolean;
  /** Sub-domain of the white-label broker. */
  readonly broker_sub_domain: (string | null);
};

export type GenerateTokenOutput = {
  /** Token (JWT). It is a credential. */
  readonly token: string;
  /** Type of the token. */
  readonly token_type: "bearer";
  /** Seconds until expiry. */
  readonly expires_in: number;
  /** Time of issue. ISO-8601 UTC. */
  readonly issued_at: string;
  /** Time of expiry. ISO-8601 UTC; null without one. */
  readonly expires_at: string;
};

export type GetAccountOverviewOutput = AccountOverview;

export type GetAllLiveDeploymentsV2Output = PageLiveDeploymentCustomOut;

export type GetAllNotificationDeploymentsOutput = PageNotificationDeploymentOut;

export type GetAllTradesByUserDeploymentsOutput = PageIntegratorTrade;

export type GetAllUserDeploymentsOutput = PageIntegratorDeployment;

export type GetAllUserScannersOutput = PageIntegratorScanner;

export type GetAuditTrailOutput = PageAuditEntries;

export type GetB2cBrokersOutput = readonly RetailBroker[];

export type GetBacktestOutput = BacktestOut;

export type GetBacktestTradesOutput = PageBacktestTrade;

export type GetBacktestsOutput = PageBacktestItem;

export type GetBrokerEventsOutput = BrokerChanges;

export type GetBrokerKillSwitchOutput = BrokerKillSwitch;

export type GetBrokerSpecificTickersOutput = readonly BrokerTickersOut[];

export type GetBrokerUserSlippageByEmailOutput = {
  /** Entries of this page. */
  readonly items: readonly IntegratorSlippage[];
  /** Sums over all entries of the answer. */
  readonly summary: {
    /** Orders in the summary. */
    readonly count: number;
    /** Mean slippage, in basis points. */
    readonly mean_bps: (number | null);
    /** Median slippage, in basis points. */
    readonly median_bps: (number | null);
    /** 95th percentile of slippage, in basis points. */
    readonly p95_bps: (number | null);
    /** Worst slippage, in basis points. */
    readonly worst_bps: (number | null);
    /** Sum of `slippage_amount`, in `currency`. Decimal; null for orders of several currencies. */
    readonly total_amount: (number | null);
    /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
    readonly currency: (string | null);
  };
  /** Entries of the whole list. */
  readonly total: number;
  /** Largest number of orders in the answer. */
  readonly limit: number;
  /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
  readonly as_of: string;
};

export type GetCandlesOutput = Candles;

export type GetConnectedBrokerDetailsV2Output = BrokerLink;

export type GetDeploymentOutput = DeploymentState;

export type GetDeploymentEngineOutput = DeploymentEngine;

export type GetDeploymentNotificationsOutput = PageUserDeploymentNotificationsCustomOut;

export type GetDeploymentPerformanceOutput = DeploymentPerformance;

export type GetDeploymentTradesOutput = PageDeploymentTrade;

export type GetEventsOutput = Changes;

export type GetExecutionConnectionsOutput = {
  /** Connected accounts, by account number. */
  readonly connections: readonly ExecutionConnection[];
};

export type GetExploreStrategiesOutput = PageExploreStrategyOut;

export type GetExploreStrategyFavouritesOutput = readonly ExploreStrategyFavouriteOut[];

export type GetGlobalOrderBookOutput = PageUnionVirtualDeploymentOrderBookOutLiveDeploymentOrderBookOut;

export type GetInstrumentSuggestionsV2Output = readonly InstrumentSuggestion[];

export type GetKillSwitchOutput = KillSwitch;

export type GetLiveDeploymentStrategiesVolumeOutput = {
  /** Trading volume by strategy. */
  readonly volume: readonly {
    /** Strategy id. */
    readonly strategy_id: number;
    /** Number of orders. */
    readonly orders: number;
    /** Closed trades. */
    readonly trades: number;
    /** Number of fills. */
    readonly fills: number;
    /** Filled quantity, in lots of the instrument. Decimal. */
    readonly lots: number;
    /** Value of all fills, in `currency`. Decimal. */
    readonly traded_value: number;
    /** Currency of `traded_value`: that of most deployments; null without deployments. */
    readonly currency: (string | null);
    /** The same sums by currency. */
    readonly by_currency: readonly {
      /** Currency of `traded_value`: that of most deployments; null without deployments. */
      readonly currency: string;
      /** Number of orders. */
      readonly orders: number;
      /** Closed trades. */
      readonly trades: number;
      /** Number of fills. */
      readonly fills: number;
      /** Filled quantity, in lots of the instrument. Decimal. */
      readonly lots: number;
      /** Value of all fills, in `currency`. Decimal. */
      readonly traded_value: number;
    }[];
    /** Start of the first deployment. ISO-8601 UTC; null without one. */
    readonly from: (string | null);
    /** Time of the latest event. ISO-8601 UTC; null without deployments. */
    readonly to: (string | null);
  }[];
  /** Requested ids that do not exist or that the caller may not see. */
  readonly unknown_ids: readonly number[];
  /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
  readonly as_of: (string | null);
};

export type GetLiveDeploymentsAggregatedStatsOutput = {
  /** Number of deployments by status. */
  readonly deployments: Readonly<Record<string, number>>;
  /** Deployments in the sum. */
  readonly deployments_count: number;
  /** Number of orders by status. */
  readonly orders: Readonly<Record<string, number>>;
  /** Number of orders. */
  readonly orders_count: number;
  /** Closed trades. */
  readonly trades_count: number;
  /** Realised profit or loss after fees and swap, in `currency`. Decimal. */
  readonly realized_pnl: number;
  /** Profit or loss of open positions at their latest price, in `currency`. Decimal; null without a price. */
  readonly unrealized_pnl: (number | null);
  /** Profit or loss since the start of the day (UTC), in `currency`. Decimal; null without a price. */
  readonly today_pnl: (number | null);
  /** `realized_pnl` plus `unrealized_pnl`, in `currency`. Decimal; null without a price. */
  readonly total_pnl: (number | null);
  /** Realised profit or loss before fees and swap, in `currency`. Decimal. */
  readonly gross_pnl: number;
  /** Fees, in `currency`. Decimal; positive is a cost. */
  readonly fees: number;
  /** Swap, in `currency`. Decimal; negative is a charge to the account. */
  readonly swap: number;
  /** Time of the oldest price behind `unrealized_pnl`. ISO-8601 UTC; null without a price. */
  readonly as_of: (string | null);
  /** Currency of the amounts at the top level: that of most deployments; null without deployments. */
  readonly currency: (string | null);
  /** Closed trades with a profit, in percent points of all; null without any. */
  readonly win_rate_pct: (number | null);
  /** The same sums by currency. */
  readonly by_currency: readonly {
    /** Currency of the amounts at the top level: that of most deployments; null without deployments. */
    readonly currency: string;
    /** Deployments in the sum. */
    readonly deployments_count: number;
    /** Number of orders. */
    readonly orders_count: number;
    /** Closed trades. */
    readonly trades_count: number;
    /** Realised profit or loss after fees and swap, in `currency`. Decimal. */
    readonly realized_pnl: number;
    /** Profit or loss of open positions at their latest price, in `currency`. Decimal; null without a price. */
    readonly unrealized_pnl: (number | null);
    /** Profit or loss since the start of the day (UTC), in `currency`. Decimal; null without a price. */
    readonly today_pnl: (number | null);
    /** `realized_pnl` plus `unrealized_pnl`, in `currency`. Decimal; null without a price. */
    readonly total_pnl: (number | null);
    /** Realised profit or loss before fees and swap, in `currency`. Decimal. */
    readonly gross_pnl: number;
    /** Fees, in `currency`. Decimal; positive is a cost. */
    readonly fees: number;
    /** Swap, in `currency`. Decimal; negative is a charge to the account. */
    readonly swap: number;
    /** Time of the oldest price behind `unrealized_pnl`. ISO-8601 UTC; null without a price. */
    readonly as_of: (string | null);
    /** Closed trades with a profit, in percent points of all; null without any. */
    readonly win_rate_pct: (number | null);
  }[];
  /** The same sums by broker and currency. */
  readonly by_broker: readonly {
    /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
    readonly broker_id: (number | null);
    /** Currency of the amounts at the top level: that of most deployments; null without deployments. */
    readonly currency: string;
    /** Deployments in the sum. */
    readonly deployments_count: number;
    /** Number of orders. */
    readonly orders_count: number;
    /** Closed trades. */
    readonly trades_count: number;
    /** Realised profit or loss after fees and swap, in `currency`. Decimal. */
    readonly realized_pnl: number;
    /** Profit or loss of open positions at their latest price, in `currency`. Decimal; null without a price. */
    readonly unrealized_pnl: (number | null);
    /** Profit or loss since the start of the day (UTC), in `currency`. Decimal; null without a price. */
    readonly today_pnl: (number | null);
    /** `realized_pnl` plus `unrealized_pnl`, in `currency`. Decimal; null without a price. */
    readonly total_pnl: (number | null);
    /** Realised profit or loss before fees and swap, in `currency`. Decimal. */
    readonly gross_pnl: number;
    /** Fees, in `currency`. Decimal; positive is a cost. */
    readonly fees: number;
    /** Swap, in `currency`. Decimal; negative is a charge to the account. */
    readonly swap: number;
    /** Time of the oldest price behind `unrealized_pnl`. ISO-8601 UTC; null without a price. */
    readonly as_of: (string | null);
    /** Closed trades with a profit, in percent points of all; null without any. */
    readonly win_rate_pct: (number | null);
  }[];
};

export type GetLiveDeploymentsOrderStatusOutput = {
  /** Figures by strategy. */
  readonly strategies: readonly {
    /** Strategy id. */
    readonly strategy_id: number;
    /** Figures by deployment, newest first. */
    readonly deployments: readonly {
      /** Deployment id. */
      readonly deployment_id: number;
      /** Status of the deployment. */
      readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
      /** Place in the trading cycle. */
      readonly phase: ("waiting" | "entered" | "exited");
      /** Number of orders by status. */
      readonly orders: Readonly<Record<string, number>>;
      /** Number of orders. */
      readonly orders_count: number;
      /** Orders that are not final. */
      readonly open_orders: number;
      /** Order that the engine reported on last; null before the first. */
      readonly latest_order: {
        /** Order id. */
        readonly order_id: number;
        /** Order id that the engine chose. Unique within the deployment. */
        readonly client_order_id: string;
        /** Symbol of the instrument. */
        readonly symbol: string;
        /** Direction. */
        readonly side: ("buy" | "sell");
        /** Status of the order. */
        readonly status: ("pending" | "submitted" | "open" | "trigger_pending" | "partially_filled" | "cancel_pending" | "unknown" | "filled" | "cancelled" | "rejected" | "expired");
        /** Message of the broker or engine; null without one. */
        readonly status_message: (string | null);
        /** Quantity, in lots of the instrument. Decimal. */
        readonly quantity: number;
        /** Quantity filled so far, in lots. Decimal. */
        readonly filled_quantity: number;
        /** Average price, weighted by quantity. Decimal, in the quote currency of the symbol. */
        readonly average_price: (number | null);
        /** Time of the last change. ISO-8601 UTC. */
        readonly updated_at: string;
      };
      /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
      readonly as_of: string;
    }[];
    /** Number of orders by status. */
    readonly orders: Readonly<Record<string, number>>;
    /** Number of orders. */
    readonly orders_count: number;
  }[];
  /** Requested ids that do not exist or that the caller may not see. */
  readonly unknown_ids: readonly number[];
};

export type GetLiveDepsPnlOutput = {
  /** Figures by deployment. */
  readonly pnl: readonly {
    /** Deployment id. */
    readonly deployment_id: number;
    /** Strategy id. */
    readonly strategy_id: number;
    /** Name of the strategy. Unique among the user’s strategies. */
    readonly strategy_name: string;
    /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
    readonly broker_id: (number | null);
    /** `live` trades real money, `virtual` trades on paper. */
    readonly mode: ("live" | "virtual");
    /** Status of the deployment. */
    readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
    /** Place in the trading cycle. */
    readonly phase: ("waiting" | "entered" | "exited");
    /** Realised profit or loss after fees and swap, in `currency`. Decimal. */
    readonly realized_pnl: number;
    /** Profit or loss of open positions at their latest price, in `currency`. Decimal; null without a price. */
    readonly unrealized_pnl: (number | null);
    /** Profit or loss since the start of the day (UTC), in `currency`. Decimal; null without a price. */
    readonly today_pnl: (number | null);
    /** `realized_pnl` plus `unrealized_pnl`, in `currency`. Decimal; null without a price. */
    readonly total_pnl: (number | null);
    /** Realised profit or loss before fees and swap, in `currency`. Decimal. */
    readonly gross_pnl: number;
    /** Fees, in `currency`. Decimal; positive is a cost. */
    readonly fees: number;
    /** Swap, in `currency`. Decimal; negative is a charge to the account. */
    readonly swap: number;
    /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
    readonly currency: string;
    /** Capital at deploying, in `currency`. Decimal. */
    readonly starting_capital: number;
    /** `total_pnl` in percent points of `starting_capital`. */
    readonly return_pct: (number | null);
    /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
    readonly as_of: (string | null);
  }[];
  /** Requested ids that do not exist or that the caller may not see. */
  readonly unknown_ids: readonly number[];
  /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
  readonly as_of: (string | null);
};

export type GetLiveExpiredStrategiesV2Output = LiveExpiredOut;

export type GetLiveStrategyFullOrderBookOutput = {
  readonly deployment: LiveDeploymentCustomOut;
  /** Orders, newest first. */
  readonly orders: readonly LiveDeploymentOrderBookOut[];
  /** All orders of the deployment, shown or not. */
  readonly orders_total: number;
  /** True if no entries are left after those that the answer covers, and none of them is left out because its record is damaged. */
  readonly is_complete: boolean;
  /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
  readonly as_of: (string | null);
};

export type GetLiveStrategyOrderBookOutput = PageLiveDeploymentOrderBookOut;

export type GetMultiAssetStrategiesOutput = {
  /** Strategies over several symbols, newest first, at most 100. */
  readonly items: readonly StrategyOut[];
  /** Entries of the whole list. */
  readonly total: number;
};

export type GetNotificationPreferencesOutput = NotificationPreferences;

export type GetPLLiveDeployedStrategiesOutput = {
  /** Figures by deployment, newest first. */
  readonly deployments: readonly {
    /** Deployment id. */
    readonly deployment_id: number;
    /** Strategy id. */
    readonly strategy_id: number;
    /** Name of the strategy. Unique among the user’s strategies. */
    readonly strategy_name: string;
    /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
    readonly broker_id: (number | null);
    /** `live` trades real money, `virtual` trades on paper. */
    readonly mode: ("live" | "virtual");
    /** Status of the deployment. */
    readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
    /** Place in the trading cycle. */
    readonly phase: ("waiting" | "entered" | "exited");
    /** Realised profit or loss after fees and swap, in `currency`. Decimal. */
    readonly realized_pnl: number;
    /** Profit or loss of open positions at their latest price, in `currency`. Decimal; null without a price. */
    readonly unrealized_pnl: (number | null);
    /** Profit or loss since the start of the day (UTC), in `currency`. Decimal; null without a price. */
    readonly today_pnl: (number | null);
    /** `realized_pnl` plus `unrealized_pnl`, in `currency`. Decimal; null without a price. */
    readonly total_pnl: (number | null);
    /** Realised profit or loss before fees and swap, in `currency`. Decimal. */
    readonly gross_pnl: number;
    /** Fees, in `currency`. Decimal; positive is a cost. */
    readonly fees: number;
    /** Swap, in `currency`. Decimal; negative is a charge to the account. */
    readonly swap: number;
    /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
    readonly currency: string;
    /** Capital at deploying, in `currency`. Decimal. */
    readonly starting_capital: number;
    /** `total_pnl` in percent points of `starting_capital`. */
    readonly return_pct: (number | null);
    /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
    readonly as_of: (string | null);
  }[];
  /** Sums by currency. */
  readonly totals: readonly {
    /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
    readonly currency: string;
    /** Realised profit or loss after fees and swap, in `currency`. Decimal. */
    readonly realized_pnl: number;
    /** Profit or loss of open positions at their latest price, in `currency`. Decimal; null without a price. */
    readonly unrealized_pnl: (number | null);
    /** Profit or loss since the start of the day (UTC), in `currency`. Decimal; null without a price. */
    readonly today_pnl: (number | null);
    /** `realized_pnl` plus `unrealized_pnl`, in `currency`. Decimal; null without a price. */
    readonly total_pnl: (number | null);
    /** Realised profit or loss before fees and swap, in `currency`. Decimal. */
    readonly gross_pnl: number;
    /** Fees, in `currency`. Decimal; positive is a cost. */
    readonly fees: number;
    /** Swap, in `currency`. Decimal; negative is a charge to the account. */
    readonly swap: number;
    /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
    readonly as_of: (string | null);
  }[];
  /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
  readonly as_of: (string | null);
};

export type GetParityOutput = Parity;

export type GetPublishedStrategiesOutput = PageStrategiesCustomOut;

export type GetPushTokenWebOutput = {
  /** Firebase registration token, or a Web Push subscription as JSON. */
  readonly push_key: (string | null);
  /** Registered devices, newest first. */
  readonly registrations: readonly PushRegistration[];
  /** Key for `PushManager.subscribe`; null when Web Push is not configured. */
  readonly vapid_public_key: (string | null);
};

export type GetReferredUserCountOutput = {
  /** Referral code. */
  readonly referral_code: string;
  /** Users who registered with the code. */
  readonly referred_user_count: number;
};

export type GetRiskLimitsOutput = RiskLimitsOut;

export type GetScannerDeploymentsOutput = PageScannerDeploymentsOut;

export type GetSessionsOutput = {
  /** Sessions, newest first. */
  readonly sessions: readonly UserSession[];
};

export type GetSignalHookOutput = SignalHook;

export type GetStrategiesByUserOutput = PaginatedStrategiesResponse;

export type GetStrategiesPerformanceMetricsOutput = {
  /** Performance figures by strategy. */
  readonly metrics: readonly {
    /** Strategy id. */
    readonly strategy_id: number;
    /** Name of the strategy. Unique among the user’s strategies. */
    readonly strategy_name: string;
    /** Total return, in percent points of the starting capital. */
    readonly total_return_pct: (number | null);
    /** Compound annual growth rate, in percent points. Calendar time. */
    readonly cagr_pct: (number | null);
    /** Largest fall of closed-trade equity from its peak, in percent points. */
    readonly max_drawdown_pct: (number | null);
    /** Annualised Sharpe ratio of daily returns (252 days, crypto 365). Risk-free rate 0. */
    readonly sharpe_ratio: (number | null);
    /** Closed trades with a profit, in percent points of all; null without any. */
    readonly win_rate_pct: (number | null);
    /** Closed trades. */
    readonly trades_count: number;
    /** `live` trades real money, `virtual` trades on paper. */
    readonly mode: ("live" | "virtual" | null);
    /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
    readonly as_of: (string | null);
    /** Start of the period that the figures cover. ISO-8601 UTC. */
    readonly period_start: (string | null);
    /** Returns since the start in percent points, at even intervals of days: at most 25, the newest last. Empty without figures. */
    readonly returns_pct: readonly number[];
  }[];
  /** Requested ids that do not exist or that the caller may not see. */
  readonly unknown_ids: readonly number[];
};

export type GetStrategyOutput = StrategyRulesOut;

export type GetStrategyAddOnsOutput = {
  /** Add-ons, available or not. */
  readonly add_ons: readonly {
    /** Identifier of the add-on. */
    readonly add_on_id: string;
    /** Name for people. */
    readonly name: string;
    /** Description for people. */
    readonly description: string;
    /** Group that the add-on belongs to. */
    readonly category: ("alerts" | "execution" | "sharing");
    /** True if it is switched on. */
    readonly enabled: boolean;
    /** True if the user’s plan and broker allow the add-on. */
    readonly available: boolean;
    /** Reason why the add-on is not available; null when it is. */
    readonly reason: (string | null);
  }[];
};

export type GetStrategyCategoriesOutput = readonly StrategyCategoryOut[];

export type GetStrategyTemplatesOutput = readonly StrategyTemplateOut[];

export type GetSwapValuesOutput = {
  /** Deployment id. */
  readonly deployment_id: number;
  /** Strategy id. */
  readonly strategy_id: number;
  /** Open and recently charged positions, by symbol. */
  readonly positions: readonly {
    /** Symbol of the instrument. */
    readonly symbol: string;
    /** Direction of the open position; null for a closed one. */
    readonly side: ("long" | "short" | null);
    /** Open quantity, in lots; 0 for a closed position. Decimal. */
    readonly quantity: number;
    /** Swap rate of a long position, per lot and night. Negative is a charge; null when the catalogue has none. */
    readonly swap_long: (number | null);
    /** Swap rate of a short position, per lot and night. Negative is a charge; null when the catalogue has none. */
    readonly swap_short: (number | null);
    /** Unit of `swap_long` and `swap_short`. */
    readonly calculation_type: ("pips" | "percentage" | "points" | null);
    /** Weekday that charges three nights; null when the catalogue has none. */
    readonly triple_swap_weekday: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday" | null);
    /** Swap of closed positions, in `currency`. Decimal; negative is a charge to the account. */
    readonly realized_swap: number;
    /** Swap charged so far on the open position, in `currency`. Decimal; negative is a charge to the account. */
    readonly accrued_swap: number;
    /** `realized_swap` plus `accrued_swap`, in `currency`. Decimal. */
    readonly total_swap: number;
    /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
    readonly currency: string;
    /** Time of the latest swap charge. ISO-8601 UTC; null before the first. */
    readonly last_rollover_at: (string | null);
  }[];
  /** Sums over all symbols. */
  readonly totals: {
    /** Swap of closed positions, in `currency`. Decimal; negative is a charge to the account. */
    readonly realized_swap: number;
    /** Swap charged so far on the open position, in `currency`. Decimal; negative is a charge to the account. */
    readonly accrued_swap: number;
    /** `realized_swap` plus `accrued_swap`, in `currency`. Decimal. */
    readonly total_swap: number;
    /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
    readonly currency: string;
  };
  /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
  readonly as_of: string;
};

export type GetSweepOutput = SweepOut;

export type GetSweepsOutput = PageSweepItem;

export type GetUniversesOutput = {
  /** Universes of instruments, by name. */
  readonly universes: readonly Universe[];
};

export type GetUserStrategiesOutput = PageIntegratorStrategy;

export type GetUserStrategyPerformanceOutput = {
  /** Deployment id. */
  readonly deployment_id: number;
  /** Strategy id. */
  readonly strategy_id: number;
  /** Name of the strategy. Unique among the user’s strategies. */
  readonly strategy_name: string;
  /** `live` trades real money, `virtual` trades on paper. */
  readonly mode: ("live" | "virtual");
  /** Status of the deployment. */
  readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
  /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
  readonly currency: string;
  /** Capital at deploying, in `currency`. Decimal. */
  readonly starting_capital: number;
  /** Performance figures, open positions at their latest price. */
  readonly metrics: {
    /** Total return, in percent points of the starting capital. */
    readonly total_return_pct: (number | null);
    /** Compound annual growth rate, in percent points. Calendar time. */
    readonly cagr_pct: (number | null);
    /** Annualised standard deviation of daily returns, in percent points. */
    readonly volatility_pct: (number | null);
    /** Annualised Sharpe ratio of daily returns (252 days, crypto 365). Risk-free rate 0. */
    readonly sharpe_ratio: (number | null);
    /** Annualised Sortino ratio of daily returns (252 days, crypto 365). Target 0. */
    readonly sortino_ratio: (number | null);
    /** Largest fall of closed-trade equity from its peak, in percent points. */
    readonly max_drawdown_pct: (number | null);
    /** Largest fall of closed-trade equity from its peak, in `currency`. Decimal. */
    readonly max_drawdown_abs: (number | null);
    /** Largest fall of daily equity from its peak, open positions included, in percent points. */
    readonly max_drawdown_equity_pct: (number | null);
    /** `cagr_pct` divided by `max_drawdown_equity_pct`. */
    readonly calmar_ratio: (number | null);
    /** Closed trades with a profit, in percent points of all; null without any. */
    readonly win_rate_pct: (number | null);
    /** Closed trades. */
    readonly trades_count: number;
    /** Number with a profit. */
    readonly wins: number;
    /** Number with a loss. */
    readonly losses: number;
    /** Closed trades without profit or loss. */
    readonly breakeven: number;
    /** Sum of profits divided by the sum of losses; null without losses. */
    readonly profit_factor: (number | null);
    /** Mean profit of winning trades, in `currency`. Decimal. */
    readonly avg_win: (number | null);
    /** Mean loss of losing trades, in `currency`. Decimal; negative. */
    readonly avg_loss: (number | null);
    /** `avg_win` divided by the size of `avg_loss`; null without losses. */
    readonly payoff_ratio: (number | null);
    /** Mean profit or loss per closed trade, in `currency`. Decimal. */
    readonly expectancy: (number | null);
    /** (1 + `payoff_ratio`) × win rate − 1, as a fraction. */
    readonly expectancy_ratio: (number | null);
    /** Largest profit of a closed trade, in `currency`. Decimal. */
    readonly largest_win: (number | null);
    /** Largest loss of a closed trade, in `currency`. Decimal; negative. */
    readonly largest_loss: (number | null);
    /** Longest run of winning trades. */
    readonly max_consecutive_wins: number;
    /** Longest run of losing trades. */
    readonly max_consecutive_losses: number;
    /** Mean duration of closed trades, in seconds. */
    readonly avg_duration_s: (number | null);
    /** Share of time with an open position, in percent points. */
    readonly exposure_pct: (number | null);
    /** Net profit divided by `max_drawdown_abs`. */
    readonly recovery_factor: (number | null);
    /** Start of the period that the figures cover. ISO-8601 UTC. */
    readonly period_start: string;
    /** End of the period that the figures cover. ISO-8601 UTC. */
    readonly period_end: string;
    /** True if there are at least 30 closed trades. */
    readonly sample_sufficient: boolean;
    /** Version of the formulas. */
    readonly metrics_version: number;
  };
  /** Daily equity, at most 500 points, oldest first. */
  readonly equity_curve: readonly {
    /** Day (UTC), as `2026-03-06`. */
    readonly day: string;
    /** Equity at the end of the day, in `currency`. Decimal; the open day at the latest prices. */
    readonly equity: number;
  }[];
  /** Profit and loss by day, week and month. */
  readonly pnl: {
    /** Profit and loss by day (UTC), oldest first. */
    readonly by_day: readonly {
      /** First day of the period (UTC), as `2026-03-02`. */
      readonly period: string;
      /** Realised result of the period after fees and swap, in `currency`. Decimal. */
      readonly pnl: number;
      /** Closed trades. */
      readonly trades: number;
    }[];
    /** Profit and loss by week (UTC, from Monday), oldest first. */
    readonly by_week: readonly {
      /** First day of the period (UTC), as `2026-03-02`. */
      readonly period: string;
      /** Realised result of the period after fees and swap, in `currency`. Decimal. */
      readonly pnl: number;
      /** Closed trades. */
      readonly trades: number;
    }[];
    /** Profit and loss by month (UTC), oldest first. */
    readonly by_month: readonly {
      /** Month (UTC), as `2026-03`. */
      readonly period: string;
      /** Realised result of the period after fees and swap, in `currency`. Decimal. */
      readonly pnl: number;
      /** Closed trades. */
      readonly trades: number;
    }[];
  };
  /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
  readonly as_of: string;
};

export type GetWebhookDeliveriesOutput = {
  /** Deliveries, newest first. */
  readonly deliveries: readonly WebhookDelivery[];
  /** Cursor of the next page; null on the last one. */
  readonly next_cursor: (string | null);
};

export type GetWebhooksOutput = {
  /** Webhook endpoints, oldest first. */
  readonly webhooks: readonly Webhook[];
};

export type HealthOutput = {
  /** `degraded` when the service runs but a check fails. */
  readonly status: ("ok" | "degraded");
  /** Version of the interface. */
  readonly version: string;
  /** State of each dependency. */
  readonly checks: {
    /** True if the database answers. */
    readonly table: ("ok" | "unreachable" | "unwritable");
  };
  /** Message for people. */
  readonly detail?: string | undefined;
};

export type JwksOutput = {
  /** Public keys, the current one and its neighbours in rotation. */
  readonly keys: readonly {
    /** Key type. */
    readonly kty: "OKP";
    /** Curve of the key. */
    readonly crv: string;
    /** Public key, base64url. */
    readonly x: string;
    /** Key id. */
    readonly kid: string;
    /** Signature algorithm of the key. */
    readonly alg: "EdDSA";
    /** Use of the key: signatures. */
    readonly use: "sig";
  }[];
};

export type KillSwitchOutput = KillSwitchChange;

export type LikeStrategyOutput = ExploreStrategyFavouriteOut;

export type ListUsersOutput = readonly DummyUser[];

export type LoginOutput = UserCustomOut;

export type LoginUserBrokerOutput = UserCustomOut;

export type OauthTokenOutput = AccessToken;

export type PartneraAuthOutput = {
  /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
  readonly broker_id: number;
  /** GUID of the broker. It is also the broker’s `client_id` at `/oauth/token`. */
  readonly guid: (string | null);
  /** Name of the broker. */
  readonly broker_name: string;
  /** Sub-domain of the broker: the `broker_domain` of other operations. */
  readonly subdomain: string;
  /** HTTPS address of the broker’s website. */
  readonly website: (string | null);
  /** HTTPS address of the logo. */
  readonly logo_url: (string | null);
  /** HTTPS address of the broker’s favicon. */
  readonly broker_favicon_url: (string | null);
  /** Name of the broker’s app. */
  readonly broker_app_name: (string | null);
  /** Accent colour of the broker’s branding, as `#rgb` or `#rrggbb`. */
  readonly accent_color: (string | null);
  /** Support address of the broker. */
  readonly support_email: (string | null);
  /** Address where the broker’s users sign in. */
  readonly sign_in_url: string;
  /** Address where the broker’s users register. */
  readonly register_url: string;
  /** True if this call changed the branding. */
  readonly updated: boolean;
  /** Session of the user whom a verified token signs in; null otherwise. */
  readonly session: (UserCustomOut | null);
};

export type PartnerbAuthOutput = UserCustomOut;

export type PartnerbGenerateTokenOutput = {
  /** Token (JWT). It is a credential. */
  readonly token: string;
  /** Type of the token. */
  readonly token_type: "bearer";
  /** Seconds until expiry. */
  readonly expires_in: number;
  /** Time of expiry. ISO-8601 UTC; null without one. */
  readonly expires_at: string;
  /** True if the broker’s secret came with the request. Only then can the token sign a user in. */
  readonly verified: boolean;
  /** Sub-domain of the white-label broker. */
  readonly broker_sub_domain: (string | null);
};

export type PartnercAccessOutput = {
  /** Address at partner C. Open it in the user’s browser to start the consent. */
  readonly authorization_url: string;
  /** Opaque value that ties the answer of partner C to this request. Valid for one use, 10 minutes. */
  readonly state: string;
  /** Time until which the consent can be completed. ISO-8601 UTC. */
  readonly expires_at: string;
  /** True if the connection is bound to the user of the session that started it. */
  readonly bound: boolean;
};

export type PartnercAuthCallbackOutput = PartnerCConnection;

export type PartnercConnectOutput = PartnerCConnection;

export type PartnercDisconnectOutput = {
  /** Always true: the connection is ended. */
  readonly disconnected: true;
};

export type PauseDeploymentOutput = DeploymentControl;

export type ProfilePublishStrategyOutput = {
  /** Strategy id. */
  readonly strategy_id: number;
  /** Visibility: 0 private, 1 public on the profile, 2 by share key only. */
  readonly publish_state: number;
  /** True puts a public strategy into the explore catalogue, false takes it out. As before when absent. */
  readonly is_listed: boolean;
  /** Time of publication. ISO-8601 UTC. */
  readonly published_at: (string | null);
};

export type PublishExploreStrategyOutput = ExploreStrategyOut;

export type ReadDeploymentNotificationsOutput = {
  /** Notifications that this call marked as read. */
  readonly marked_read: number;
  /** Time of reading. ISO-8601 UTC; null while unread. */
  readonly read_at: string;
};

export type ReceiveSignalOutput = SignalTaken;

export type RegisterLoginOutput = UserCustomOut;

export type RegisterPushTokenOutput = PushRegistration;

export type RegisterUserOutput = RegisteredUser;

export type RegisterUserBrokerOutput = RegisteredUser;

export type RegisterWebhookOutput = NewWebhook;

export type RemoveBacktestOutput = RemovedBacktest;

export type RemovePushTokenOutput = {
  /** Always true: the user is removed. */
  readonly removed: true;
};

export type RemoveSubscriptionOutput = {
  /** Always true, for unknown addresses too. */
  readonly unsubscribed: true;
  /** Message for people. */
  readonly detail: string;
};

export type RemoveSweepOutput = RemovedSweep;

export type RemoveUserOutput = {
  /** Id of the dummy user. */
  readonly id: string;
  /** Always true: the user is removed. */
  readonly removed: true;
};

export type RemoveWebhookOutput = {
  /** Always true: the endpoint is removed. */
  readonly removed: true;
};

export type RenameStrategyOutput = StrategyOut;

export type ReplayWebhookOutput = WebhookReplay;

export type ResendWebhookOutput = WebhookDelivery;

export type ResetPasswordOutput = {
  /** Message for people. */
  readonly detail: string;
};

export type ResumeDeploymentOutput = DeploymentControl;

export type RevokeSignalHookOutput = SignalHook;

export type RotateKeygenOutput = {
  /** Strategy id. */
  readonly strategy_id: number;
  /** Deploy key of the strategy. It is a credential: whoever has it can deploy. */
  readonly keygen: string;
  /** Time of the replacement. ISO-8601 UTC. */
  readonly rotated_at: string;
};

export type RotateWebhookSecretOutput = NewWebhook;

export type RunBacktestOutput = BacktestOut;

export type SearchExploreStrategiesOutput = readonly ExploreStrategyOut[];

export type SendOtpPasswordResetOutput = {
  /** Message for people. */
  readonly detail: string;
  /** Seconds until expiry. */
  readonly expires_in: number;
};

export type SendSmsOtpOutput = {
  /** Message for people. */
  readonly detail: string;
  /** Seconds until expiry. */
  readonly expires_in: number;
};

export type SessionLogoutOutput = {
  /** Always true: the session is ended. */
  readonly signed_out: true;
};

export type SessionReloginOutput = UserCustomOut;

export type SessionStateOutput = {
  /** True if the cookies hold a session that is valid or can be renewed. */
  readonly has_session: boolean;
  /** Seconds until expiry. */
  readonly expires_in: number;
};

export type SetNotificationPreferencesOutput = NotificationPreferences;

export type SetRiskLimitsOutput = RiskLimitsOut;

export type SetStrategyRulesOutput = StrategyRulesOut;

export type StopDeploymentOutput = DeploymentControl;

export type SweepStrategyOutput = SweepOut;

export type TestWebhookOutput = WebhookDelivery;

export type UndeployLiveStrategyOutput = {
  /** Deployment id. */
  readonly deployment_id: number;
  /** Status of the deployment. */
  readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
  /** Reason for the end; null while running. */
  readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
  /** Time of the end. ISO-8601 UTC; null while running. */
  readonly stopped_at: (string | null);
};

export type UndeployNotificationStrategyOutput = {
  /** Deployment id. */
  readonly deployment_id: number;
  /** Status of the deployment. */
  readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
  /** Reason for the end; null while running. */
  readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
  /** Time of the end. ISO-8601 UTC; null while running. */
  readonly stopped_at: (string | null);
};

export type UndeployScannerOutput = {
  /** Deployment id. */
  readonly deployment_id: number;
  /** Status of the deployment. */
  readonly status: ("requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error");
  /** Reason for the end; null while running. */
  readonly stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing" | null);
  /** Time of the end. ISO-8601 UTC; null while running. */
  readonly stopped_at: (string | null);
};

export type UnlikeStrategyOutput = ExploreStrategyFavouriteOut;

export type UnlinkBrokerOutput = {
  /** Always true: the link is ended. */
  readonly unlinked: true;
};

export type UnsubscribeOutput = {
  /** Group of notification kinds whose mails stop. */
  readonly group: ("signals" | "fills" | "orders" | "status" | "risk");
  /** Always true, for unknown addresses too. */
  readonly unsubscribed: true;
};

export type UnsubscribePageOutput = {
  /** Group of notification kinds whose mails stop. */
  readonly group: ("signals" | "fills" | "orders" | "status" | "risk");
  /** Message for people. */
  readonly detail: string;
};

export type UpdateLiveTradeOutput = LiveDeploymentOrderBookOut;

export type UpdateLiveTradeInOrderBookOutput = LiveDeploymentOrderBookOut;

export type UpdateStrategyOutput = StrategyOut;

export type UpdateWebhookOutput = Webhook;

export type ValidateBTokenOutput = {
  /** Always true; an invalid one is refused with status 401. */
  readonly valid: true;
  /** Partner that the token is for. */
  readonly partner: ("a" | "b");
  /** True if the broker’s secret came with the request. Only then can the token sign a user in. */
  readonly verified: boolean;
  /** Account number at the broker. */
  readonly account_id: (string | null);
  /** Id of the trading server of the account. */
  readonly server_id: (number | null);
  /** Sub-domain of the white-label broker. */
  readonly broker_sub_domain: (string | null);
  /** Name of the broker. */
  readonly broker_name: (string | null);
  /** Support address of the broker. */
  readonly support_email: (string | null);
  /** Time of issue. ISO-8601 UTC. */
  readonly issued_at: string;
  /** Time of expiry. ISO-8601 UTC; null without one. */
  readonly expires_at: string;
};

export type ValidateSmsOtpOutput = {
  /** Always true: the phone number is proved. */
  readonly ph_verified: true;
  /** Phone number, E.164. */
  readonly ph_number: string;
};

export type VerifySessionOutput = {
  /** Always true; an invalid one is refused with status 401. */
  readonly valid: true;
  /** Session id. It is not a credential. */
  readonly session_id: string;
  /** Time until which the access token is valid. ISO-8601 UTC. */
  readonly expires_at: string;
};

export type VerifyUserOutput = UserCustomOut;

/**
 * Client of the Strategy Hub API. Parameters of an operation are fields of its input, and its body is `body`.
 *
 * @example
 * const hub = new HubClient({ baseUrl: 'https://hub.example', token });
 * for await (const strategy of hub.getStrategiesByUser({ user_id })) console.log(strategy.strategy_name);
 */
export class HubClient {
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
  }

  /** Archive a strategy, or take it back. An archived strategy is private and cannot be deployed or published. Copies and likes stay. Running deployments go on; stop them on their own. `archived=false` makes it ready again, still private. Idempotent. */
  archiveStrategy(input: ArchiveStrategyInput, options?: CallOptions): Promise<ArchiveStrategyOutput> {
    return this.#transport.send({ name: "archive_strategy", method: "POST", path: "/archive_strategy" }, input, options);
  }

  /** Sign in with an identity provider. Takes an OpenID Connect ID token. A known identity is signed in. A new one is linked to the account with the same e-mail if both e-mails are verified; otherwise it gets a new account. */
  authIdp(input: AuthIdpInput, options?: CallOptions): Promise<AuthIdpOutput> {
    return this.#transport.send({ name: "auth_idp", method: "POST", path: "/auth/idp", body: "json" }, input, options);
  }

  /** Broker-linked login options. Options of a sign-in page: rules of passwords, identity providers, white-label brokers. */
  blloo(input: BllooInput = {}, options?: CallOptions): Promise<BllooOutput> {
    return this.#transport.send({ name: "blloo", method: "GET", path: "/blloo" }, input, options);
  }

  /** List the deliveries of a webhook endpoint, of the broker. Newest first, of the last 30 days, with the outcome of the last attempt. Needs the scope `broker:webhooks`. */
  brokerGetWebhookDeliveries(input: BrokerGetWebhookDeliveriesInput, options?: CallOptions): Promise<BrokerGetWebhookDeliveriesOutput> {
    return this.#transport.send({ name: "broker_get_webhook_deliveries", method: "GET", path: "/broker/get_webhook_deliveries" }, input, options);
  }

  /** List the webhook endpoints, of the broker. At most 10, without their secrets. An endpoint that answered 410, or accepted nothing for 5 days, is `disabled`. Needs the scope `broker:webhooks`. */
  brokerGetWebhooks(input: BrokerGetWebhooksInput = {}, options?: CallOptions): Promise<BrokerGetWebhooksOutput> {
    return this.#transport.send({ name: "broker_get_webhooks", method: "GET", path: "/broker/get_webhooks" }, input, options);
  }

  /** Stop all orders at the broker at once, or allow them again. Covers the deployments at the calling broker: of all users, or of the user with `user_email`. Deployments elsewhere go on. Needs the scope `broker:risk`. See `/kill_switch` for the effect. */
  brokerKillSwitch(input: BrokerKillSwitchInput, options?: CallOptions): Promise<BrokerKillSwitchOutput> {
    return this.#transport.send({ name: "broker_kill_switch", method: "POST", path: "/broker/kill_switch", body: "json" }, input, options);
  }

  /** Register a webhook endpoint, of the broker. Events are posted to the URL by the Standard Webhooks specification, signed with the secret of the answer, which is shown once. `events` and `deployment_ids` filter them; all when absent. At most 10 endpoints. Needs the scope `broker:webhooks`. */
  brokerRegisterWebhook(input: BrokerRegisterWebhookInput, options?: CallOptions): Promise<BrokerRegisterWebhookOutput> {
    return this.#transport.send({ name: "broker_register_webhook", method: "POST", path: "/broker/register_webhook", body: "json" }, input, options);
  }

  /** Remove a webhook endpoint, of the broker. Events that wait for it are not sent any more. Its secret is deleted. Needs the scope `broker:webhooks`. */
  brokerRemoveWebhook(input: BrokerRemoveWebhookInput, options?: CallOptions): Promise<BrokerRemoveWebhookOutput> {
    return this.#transport.send({ name: "broker_remove_webhook", method: "POST", path: "/broker/remove_webhook" }, input, options);
  }

  /** Send the events since a time to a webhook endpoint again, of the broker. Sends the events of the change log from a time until now again, oldest first, with the same `webhook-id`. The log has 30 days. Begins within a minute; replaces a replay in progress. At most 20 replays a day (UTC), over all endpoints. Needs the scope `broker:webhooks`. */
  brokerReplayWebhook(input: BrokerReplayWebhookInput, options?: CallOptions): Promise<BrokerReplayWebhookOutput> {
    return this.#transport.send({ name: "broker_replay_webhook", method: "POST", path: "/broker/replay_webhook", body: "json" }, input, options);
  }

  /** Send an event to a webhook endpoint again, of the broker. Sends the event of a delivery again, with the same `webhook-id`, as a new delivery. With test events, at most 60 a minute. Needs the scope `broker:webhooks`. */
  brokerResendWebhook(input: BrokerResendWebhookInput, options?: CallOptions): Promise<BrokerResendWebhookOutput> {
    return this.#transport.send({ name: "broker_resend_webhook", method: "POST", path: "/broker/resend_webhook" }, input, options);
  }

  /** Replace the secret of a webhook endpoint, of the broker. The answer shows the new secret once. For 24 hours, events are signed with both secrets, so that no event is refused meanwhile. A secret that was replaced before ends at once. Needs the scope `broker:webhooks`. */
  brokerRotateWebhookSecret(input: BrokerRotateWebhookSecretInput, options?: CallOptions): Promise<BrokerRotateWebhookSecretOutput> {
    return this.#transport.send({ name: "broker_rotate_webhook_secret", method: "POST", path: "/broker/rotate_webhook_secret" }, input, options);
  }

  /** Send a test event to a webhook endpoint, of the broker. Sends an event of the type `webhook.test`, whatever the filters are. `/get_webhook_deliveries` shows the outcome within seconds. With events sent again, at most 60 a minute. Needs the scope `broker:webhooks`. */
  brokerTestWebhook(input: BrokerTestWebhookInput, options?: CallOptions): Promise<BrokerTestWebhookOutput> {
    return this.#transport.send({ name: "broker_test_webhook", method: "POST", path: "/broker/test_webhook" }, input, options);
  }

  /** Change a webhook endpoint, of the broker. Fields that are absent stay as they are; `deployment_ids: null` and `events: []` remove a filter. `enabled: true` also sends what waited, if it is less than 3 days old. The URL holds for events that wait, too. Needs the scope `broker:webhooks`. */
  brokerUpdateWebhook(input: BrokerUpdateWebhookInput, options?: CallOptions): Promise<BrokerUpdateWebhookOutput> {
    return this.#transport.send({ name: "broker_update_webhook", method: "POST", path: "/broker/update_webhook", body: "json" }, input, options);
  }

  /** Build a strategy. Builds a strategy over one or several instruments. It starts private. */
  buildNewStrategy(input: BuildNewStrategyInput, options?: CallOptions): Promise<BuildNewStrategyOutput> {
    return this.#transport.send({ name: "build_new_strategy", method: "POST", path: "/build_new_strategy" }, input, options);
  }

  /** Check for an active platform token. Returns its times of issue and expiry, never the token. */
  checkForToken(input: CheckForTokenInput, options?: CallOptions): Promise<CheckForTokenOutput> {
    return this.#transport.send({ name: "check_for_token", method: "GET", path: "/check_for_token" }, input, options);
  }

  /** Get the latest order of a deployment. The order that the engine reported on last. */
  checkLatestOrderStatus(input: CheckLatestOrderStatusInput, options?: CallOptions): Promise<CheckLatestOrderStatusOutput> {
    return this.#transport.send({ name: "check_latest_order_status", method: "GET", path: "/check_latest_order_status" }, input, options);
  }

  /** List the open positions of all live and paper deployments. Positions of running and ended deployments, those of the newest deployment first. last_price is the newest of candle, quote and fill. It, unrealized_pnl and as_of are null if the symbol has neither candle nor quote yet. */
  checkTradesPosition(input: CheckTradesPositionInput, options?: CallOptions): Promise<CheckTradesPositionOutput> {
    return this.#transport.send({ name: "check_trades_position", method: "GET", path: "/check_trades_position" }, input, options);
  }

  /** Connect an account for real orders. Checks the keys at the broker at once and stores them encrypted; no answer ever shows them. `account_id` of the answer names the account for /deploy_live_strategy. Connecting the same account again replaces its keys. The user is notified by all channels. Always requires the session of the user. A user connects at most 10 accounts. Ten refused pairs of keys from an address in an hour lead to 429. */
  connectExecution(input: ConnectExecutionInput, options?: CallOptions): Promise<ConnectExecutionOutput> {
    return this.#transport.send({ name: "connect_execution", method: "POST", path: "/connect_execution", body: "json" }, input, options);
  }

  /** Copy a strategy. Copies a published strategy, one shared by link, or an own one, by its share key. `symbol` replaces the instruments. The copy is private, refers to its source, and has its name and rules. A strategy with closed rules cannot be copied: 403 `rules_closed`. */
  copyStrategy(input: CopyStrategyInput, options?: CallOptions): Promise<CopyStrategyOutput> {
    return this.#transport.send({ name: "copy_strategy", method: "POST", path: "/copy_strategy" }, input, options);
  }

  /** Register a white-label broker, or replace its secret. Makes a sub-domain from the name, and a secret that is shown once. With the current secret as bearer, and the guid or the same name, replaces the secret: the old one works for 24 more hours, and the one before it ends at once. A new broker has no users: its tokens read nothing until users link to it. */
  createPartneraSubdomainSecret(input: CreatePartneraSubdomainSecretInput, options?: CallOptions): Promise<CreatePartneraSubdomainSecretOutput> {
    return this.#transport.send({ name: "create_partnera_subdomain_secret", method: "POST", path: "/create_partnera_subdomain_secret" }, input, options);
  }

  /** Make the address at which a deployment takes signals. For a paper deployment, whose signals are orders, or a notification deployment, of a strategy without rules. The answer shows the address once. A new address replaces the one before, which ends at once. A deployment that waits for an engine starts. The user is notified by all channels. Requires the session of the owner. */
  createSignalHook(input: CreateSignalHookInput, options?: CallOptions): Promise<CreateSignalHookOutput> {
    return this.#transport.send({ name: "create_signal_hook", method: "POST", path: "/create_signal_hook" }, input, options);
  }

  /** Create a dummy user. Keeps the newest 100: a further one replaces the oldest. */
  createUser(input: CreateUserInput, options?: CallOptions): Promise<CreateUserOutput> {
    return this.#transport.send({ name: "create_user", method: "POST", path: "/users", body: "json" }, input, options);
  }

  /** Delete the account of a user. Ends all other sessions at once, and nobody signs in to the account any more. Within minutes, deployments are stopped and everything of the user is removed, for good. Refused with 409 while real deployments run, or real positions or orders are open: stop and close them first. Requires the session of the user, and their e-mail with the password, or with a code of /send_otp_password_reset. The audit trail stays under a pseudonym; published strategies that others copied or like stay archived, without the author. */
  deleteAccount(input: DeleteAccountInput, options?: CallOptions): Promise<DeleteAccountOutput> {
    return this.#transport.send({ name: "delete_account", method: "POST", path: "/delete_account", body: "json" }, input, options);
  }

  /** Deploy a strategy to trade. Trades the strategy that the deploy key names, on a connected account or on paper, until it is undeployed or expires. Real orders require the session of the owner, and an account that the broker confirmed with a partner token; those of a strategy with rules an account of `/connect_execution`, named by `account_id`. Without that session the answer names no account. */
  deployLiveStrategy(input: DeployLiveStrategyInput, options?: CallOptions): Promise<DeployLiveStrategyOutput> {
    return this.#transport.send({ name: "deploy_live_strategy", method: "POST", path: "/deploy_live_strategy", body: "form" }, input, options);
  }

  /** Deploy a strategy as notifications. Notifies of the signals of the strategy that the deploy key names, until it is undeployed or expires. */
  deployNotificationStrategy(input: DeployNotificationStrategyInput, options?: CallOptions): Promise<DeployNotificationStrategyOutput> {
    return this.#transport.send({ name: "deploy_notification_strategy", method: "POST", path: "/deploy_notification_strategy", body: "form" }, input, options);
  }

  /** Deploy a strategy as a scanner. Watches every instrument of a universe for the signals of the strategy that the deploy key names. */
  deployScanner(input: DeployScannerInput, options?: CallOptions): Promise<DeployScannerOutput> {
    return this.#transport.send({ name: "deploy_scanner", method: "POST", path: "/deploy_scanner" }, input, options);
  }

  /** Disconnect an account for real orders. Removes the stored keys. Refused with 409 while a live deployment on the account runs, or has open orders: stop it first. Positions at the broker stay open. Delete the keys at the broker too. Always requires the session of the user. */
  disconnectExecution(input: DisconnectExecutionInput, options?: CallOptions): Promise<DisconnectExecutionOutput> {
    return this.#transport.send({ name: "disconnect_execution", method: "POST", path: "/disconnect_execution" }, input, options);
  }

  /** End sessions of the user. Ends the session or platform token of a `session_id` of /get_sessions, or with `others=true` all but the one of the request. Their next request is refused. Idempotent: an id of no session ends none. To sign out, use /session/logout. Always requires the session of the user. */
  endSession(input: EndSessionInput, options?: CallOptions): Promise<EndSessionOutput> {
    return this.#transport.send({ name: "end_session", method: "POST", path: "/end_session" }, input, options);
  }

  /** Forward an analytics event. Forwards at once, or later if the analytics service is down. The server adds its own measurement id and secret. A `user_id` is replaced by a pseudonym, because it is a credential. */
  externalAnalysis(input: ExternalAnalysisInput, options?: CallOptions): Promise<ExternalAnalysisOutput> {
    return this.#transport.send({ name: "external_analysis", method: "POST", path: "/api/external_analysis", body: "json" }, input, options);
  }

  /** Make a token of partner A. Names an account at a broker, for 10 minutes and one use. With the broker’s secret as bearer the token is verified: it can sign in the user linked to the account, or link one. An unverified token grants no access. */
  generatePartneraToken(input: GeneratePartneraTokenInput = {}, options?: CallOptions): Promise<GeneratePartneraTokenOutput> {
    return this.#transport.send({ name: "generate_partnera_token", method: "POST", path: "/generate_partnera_token" }, input, options);
  }

  /** Make the user's platform token. Bearer token for the user’s own programs, accepted as a session for 24 hours and shown once. One token is active at a time: a new one or a password reset ends it. It cannot make another token. A token that was made without a session places no real orders. */
  generateToken(input: GenerateTokenInput, options?: CallOptions): Promise<GenerateTokenOutput> {
    return this.#transport.send({ name: "generate_token", method: "POST", path: "/generate_token" }, input, options);
  }

  /** Get the equity and exposure of a user. Covers the running live and paper deployments, and ended ones with open positions or orders; at most 600. Real money (live) and paper (virtual) are kept apart, and so are currencies. An open position counts at the newest of candle, quote and fill; if one has no price yet, equity, return_pct, unrealized_pnl, today_pnl and total_pnl are null, and its value is its cost. risk has each deployment with risk limits, and the limit of which the largest part is used. */
  getAccountOverview(input: GetAccountOverviewInput, options?: CallOptions): Promise<GetAccountOverviewOutput> {
    return this.#transport.send({ name: "get_account_overview", method: "GET", path: "/get_account_overview" }, input, options);
  }

  /** List the live and paper deployments of a user. Running deployments, and ended ones with open positions or orders, newest first. search_key finds parts of names and symbols. */
  getAllLiveDeploymentsV2(input: GetAllLiveDeploymentsV2Input, options?: CallOptions): PageRequest<GetAllLiveDeploymentsV2Output['items'][number], GetAllLiveDeploymentsV2Output> {
    return new PageRequest((choice) => this.#transport.send({ name: "get_all_live_deployments_v2", method: "GET", path: "/get_all_live_deployments_v2" }, { ...input, ...choice }, options));
  }

  /** List the notification deployments of a user. Running and ended deployments, newest first. */
  getAllNotificationDeployments(input: GetAllNotificationDeploymentsInput, options?: CallOptions): PageRequest<GetAllNotificationDeploymentsOutput['items'][number], GetAllNotificationDeploymentsOutput> {
    return new PageRequest((choice) => this.#transport.send({ name: "get_all_notification_deployments", method: "GET", path: "/get_all_notification_deployments" }, { ...input, ...choice }, options));
  }

  /** List the closed trades of a user. Trades from the entry until the position was flat or flipped, real and on paper, newest first. */
  getAllTradesByUserDeployments(input: GetAllTradesByUserDeploymentsInput, options?: CallOptions): PageRequest<GetAllTradesByUserDeploymentsOutput['items'][number], GetAllTradesByUserDeploymentsOutput> {
    return new PageRequest((choice) => this.#transport.send({ name: "get_all_trades_by_user_deployments", method: "GET", path: "/broker/get_all_trades_by_user_deployments" }, { ...input, ...choice }, options));
  }

  /** List the deployments of a user. Deployments of every `type`, running and ended, newest first. */
  getAllUserDeployments(input: GetAllUserDeploymentsInput, options?: CallOptions): PageRequest<GetAllUserDeploymentsOutput['items'][number], GetAllUserDeploymentsOutput> {
    return new PageRequest((choice) => this.#transport.send({ name: "get_all_user_deployments", method: "GET", path: "/broker/get_all_user_deployments" }, { ...input, ...choice }, options));
  }

  /** List the scanners of a user. Running and ended deployments, newest first. */
  getAllUserScanners(input: GetAllUserScannersInput, options?: CallOptions): PageRequest<GetAllUserScannersOutput['items'][number], GetAllUserScannersOutput> {
    return new PageRequest((choice) => this.#transport.send({ name: "get_all_user_scanners", method: "GET", path: "/broker/get_all_user_scanners" }, { ...input, ...choice }, options));
  }

  /** List who did what to the deployments of a user, and why. Pauses, resumes, halts, stops, changes and trips of risk limits, and kill switches, newest first; with `deployment_id`, those of one deployment. Entries never change and are never removed. */
  getAuditTrail(input: GetAuditTrailInput, options?: CallOptions): PageRequest<GetAuditTrailOutput['items'][number], GetAuditTrailOutput> {
    return new PageRequest((choice) => this.#transport.send({ name: "get_audit_trail", method: "GET", path: "/get_audit_trail" }, { ...input, ...choice }, options));
  }

  /** List the retail brokers. Brokers that anybody can open an account with, and the user’s connections to them. */
  getB2cBrokers(input: GetB2cBrokersInput, options?: CallOptions): Promise<GetB2cBrokersOutput> {
    return this.#transport.send({ name: "get_b2c_brokers", method: "GET", path: "/get_b2c_brokers" }, input, options);
  }

  /** Get a backtest with its result. The status of a backtest, and its result once it is done. `full` gives the equity of every bar, computed again, for up to 30,000 bars. */
  getBacktest(input: GetBacktestInput, options?: CallOptions): Promise<GetBacktestOutput> {
    return this.#transport.send({ name: "get_backtest", method: "GET", path: "/get_backtest" }, input, options);
  }

  /** List the trades of a backtest. Closed trades in the order of closing. The list of a running backtest grows. */
  getBacktestTrades(input: GetBacktestTradesInput, options?: CallOptions): PageRequest<GetBacktestTradesOutput['items'][number], GetBacktestTradesOutput> {
    return new PageRequest((choice) => this.#transport.send({ name: "get_backtest_trades", method: "GET", path: "/get_backtest_trades" }, { ...input, ...choice }, options));
  }

  /** List the stored backtests of a user. Backtests of a user, or of one strategy, newest first, with their main figures. */
  getBacktests(input: GetBacktestsInput, options?: CallOptions): PageRequest<GetBacktestsOutput['items'][number], GetBacktestsOutput> {
    return new PageRequest((choice) => this.#transport.send({ name: "get_backtests", method: "GET", path: "/get_backtests" }, { ...input, ...choice }, options));
  }

  /** Read the change events of a broker. Events of the live and paper deployments at the broker whose users are linked to it, as `GET /events`: those of a deployment in the order of their `sequence`, those of different deployments in any order. Data have the fields that a broker may read. Recording reaches running deployments and those that begin within a minute after the first request. */
  getBrokerEvents(input: GetBrokerEventsInput = {}, options?: CallOptions): Promise<GetBrokerEventsOutput> {
    return this.#transport.send({ name: "get_broker_events", method: "GET", path: "/broker/events" }, input, options);
  }

  /** Read the kill switches of a broker, and who threw them. The thrown switches that cover deployments at the calling broker, with `user_email` also those that it threw over the user; and a page of all that were ever thrown and re-armed, newest first. Needs the scope `broker:risk`. */
  getBrokerKillSwitch(input: GetBrokerKillSwitchInput = {}, options?: CallOptions): PageRequest<GetBrokerKillSwitchOutput['items'][number], GetBrokerKillSwitchOutput> {
    return new PageRequest((choice) => this.#transport.send({ name: "get_broker_kill_switch", method: "GET", path: "/broker/get_kill_switch" }, { ...input, ...choice }, options));
  }

  /** List a broker's tickers. Sorted by symbol, at most 1,000. */
  getBrokerSpecificTickers(input: GetBrokerSpecificTickersInput, options?: CallOptions): Promise<GetBrokerSpecificTickersOutput> {
    return this.#transport.send({ name: "get_broker_specific_tickers", method: "GET", path: "/get_broker_specific_tickers" }, input, options);
  }

  /** Get the slippage of a user’s orders. The latest filled orders with an expected price, real and on paper, newest first, with a summary. Positive slippage is to the user’s disadvantage. */
  getBrokerUserSlippageByEmail(input: GetBrokerUserSlippageByEmailInput, options?: CallOptions): Promise<GetBrokerUserSlippageByEmailOutput> {
    return this.#transport.send({ name: "get_broker_user_slippage_by_email", method: "GET", path: "/broker/get_broker_user_slippage_by_email" }, input, options);
  }

  /** Read candles of an instrument. The newest candles that start from `from` and before `to`, oldest first. A timeframe that is not stored is derived from the largest smaller one, by the sessions of the exchange; such candles may reach back less far. 403 `candles_hidden` for candles whose source does not allow showing them. */
  getCandles(input: GetCandlesInput, options?: CallOptions): Promise<GetCandlesOutput> {
    return this.#transport.send({ name: "get_candles", method: "GET", path: "/get_candles" }, input, options);
  }

  /** Show a user's link to a broker. Account numbers are masked to the last four characters. */
  getConnectedBrokerDetailsV2(input: GetConnectedBrokerDetailsV2Input, options?: CallOptions): Promise<GetConnectedBrokerDetailsV2Output> {
    return this.#transport.send({ name: "get_connected_broker_details_v2", method: "GET", path: "/get_connected_broker_details_v2" }, input, options);
  }

  /** Get a deployment of any kind. State of a running or ended deployment, with the command that holds or stops it, and the record of its kind: `live`, `notification` or `scanner`; the others are null. `market_time` is true if its times are those of its bars, which for a replay and the demo market are not those of the clock. */
  getDeployment(input: GetDeploymentInput, options?: CallOptions): Promise<GetDeploymentOutput> {
    return this.#transport.send({ name: "get_deployment", method: "GET", path: "/get_deployment" }, input, options);
  }

  /** Explain what a deployment waits for. For a deployment that the hub runs, of any kind: what each symbol waits for, its last bar and the delay of its data, the conditions of the rules with their values at the last bar, orders and trades of the account with stops and targets, the last decisions with their reasons, errors. A scanner shows the instruments that it watches; with `symbol`, it explains that instrument. */
  getDeploymentEngine(input: GetDeploymentEngineInput, options?: CallOptions): Promise<GetDeploymentEngineOutput> {
    return this.#transport.send({ name: "get_deployment_engine", method: "GET", path: "/get_deployment_engine" }, input, options);
  }

  /** List the notifications of a user. Notifications of all deployments, newest first. `from`, `to`, `symbol`, `kind`, `deployment_id` and `unread` choose notifications. An answer with a filter covers the next 500 notifications, or fewer large ones: `total` counts the chosen ones among them, and `next_cursor` leads to the others. */
  getDeploymentNotifications(input: GetDeploymentNotificationsInput, options?: CallOptions): PageRequest<GetDeploymentNotificationsOutput['items'][number], GetDeploymentNotificationsOutput> {
    return new PageRequest((choice) => this.#transport.send({ name: "get_deployment_notifications", method: "GET", path: "/get_deployment_notifications" }, { ...input, ...choice }, options));
  }

  /** Get the performance of a deployment. Statistics of a live or paper deployment, running or ended; its equity and drawdown by day; and its results by day, week (from Monday) and month, in UTC. The open day is included, with open positions at the newest of candle, quote and fill. The curve of a longer time is thinned out to 500 points; max_drawdown_equity_pct covers every day. Results cover the last 366 days, 260 weeks and 240 months with a result. */
  getDeploymentPerformance(input: GetDeploymentPerformanceInput, options?: CallOptions): Promise<GetDeploymentPerformanceOutput> {
    return this.#transport.send({ name: "get_deployment_performance", method: "GET", path: "/get_deployment_performance" }, input, options);
  }

  /** List the closed trades of a deployment. Trades of a live or paper deployment, from the entry until the position was flat or flipped, in the order of closing. `from`, `to`, `symbol` and `side` choose trades; `best` and `worst` sort by `net_pnl`. Such an answer covers the next 1000 trades: `total` counts those chosen, and `next_cursor` leads to the others. */
  getDeploymentTrades(input: GetDeploymentTradesInput, options?: CallOptions): PageRequest<GetDeploymentTradesOutput['items'][number], GetDeploymentTradesOutput> {
    return new PageRequest((choice) => this.#transport.send({ name: "get_deployment_trades", method: "GET", path: "/get_deployment_trades" }, { ...input, ...choice }, options));
  }

  /** Read the change events of a user. Events after the cursor `after`, oldest first: those of a deployment in the order of their `sequence`. Pass `next` as `after` of the next request; it goes on where this answer ends. Events are kept for 30 days. Without a cursor, it begins with the oldest; with `latest`, at the end. A cursor before the oldest event, or before one whose record is damaged, is refused with 410. The first request begins to record events, within seconds for running deployments; recording ends 30 days after the last request, unless there are webhook endpoints. If no event is there, the answer waits for one up to `wait` seconds, or returns at once if too many requests wait. With `Accept: text/event-stream` it returns Server-Sent Events, ends after ten seconds at most, and goes on after the header `Last-Event-ID`. Ignore events with an `id` that you know, and types that you do not know. */
  getEvents(input: GetEventsInput, options?: CallOptions): Promise<GetEventsOutput> {
    return this.#transport.send({ name: "get_events", method: "GET", path: "/events" }, input, options);
  }

  /** List the connected accounts for real orders. Lists at most 10 accounts, without their keys. An account whose keys the broker refuses has the status `refused`: connect it again. Always requires the session of the user. */
  getExecutionConnections(input: GetExecutionConnectionsInput, options?: CallOptions): Promise<GetExecutionConnectionsOutput> {
    return this.#transport.send({ name: "get_execution_connections", method: "GET", path: "/get_execution_connections" }, input, options);
  }

  /** List the explore catalogue. Newest first. */
  getExploreStrategies(input: GetExploreStrategiesInput, options?: CallOptions): PageRequest<GetExploreStrategiesOutput['items'][number], GetExploreStrategiesOutput> {
    return new PageRequest((choice) => this.#transport.send({ name: "get_explore_strategies", method: "GET", path: "/get_explore_strategies" }, { ...input, ...choice }, options));
  }

  /** List the strategies that a user likes. Newest strategies first, at most 100. A strategy that became private is left out until it is published again. */
  getExploreStrategyFavourites(input: GetExploreStrategyFavouritesInput, options?: CallOptions): Promise<GetExploreStrategyFavouritesOutput> {
    return this.#transport.send({ name: "get_explore_strategy_favourites", method: "GET", path: "/get_explore_strategy_favourites" }, input, options);
  }

  /** List the orders of all deployments of a user. Orders with real money, or on paper, newest first. `from`, `to`, `symbol`, `status` and `side` choose orders. An answer with a filter covers the next 100 orders: `total` counts the chosen ones among them, and `next_cursor` leads to the others. */
  getGlobalOrderBook(input: GetGlobalOrderBookInput, options?: CallOptions): PageRequest<GetGlobalOrderBookOutput['items'][number], GetGlobalOrderBookOutput> {
    return new PageRequest((choice) => this.#transport.send({ name: "get_global_order_book", method: "GET", path: "/get_global_order_book" }, { ...input, ...choice }, options));
  }

  /** Suggest instruments. Instruments whose symbol begins with the text, then those with a word of the name that does; at most 20. Case, accents and separators do not matter. `server` and `broker_id` leave only what is offered there, and find it by the name that the broker has for it, too. */
  getInstrumentSuggestionsV2(input: GetInstrumentSuggestionsV2Input, options?: CallOptions): Promise<GetInstrumentSuggestionsV2Output> {
    return this.#transport.send({ name: "get_instrument_suggestions_v2", method: "GET", path: "/get_instrument_suggestions_v2" }, input, options);
  }

  /** Read the kill switches that cover a user. All thrown switches that cover deployments of the user: their own, those of their brokers and that of the service, with the time, the reason and who threw them. */
  getKillSwitch(input: GetKillSwitchInput, options?: CallOptions): Promise<GetKillSwitchOutput> {
    return this.#transport.send({ name: "get_kill_switch", method: "GET", path: "/get_kill_switch" }, input, options);
  }

  /** Get the trading volume of strategies. Adds up all live and paper deployments of own strategies, running and ended: orders, closed trades, fills, filled lots and their value. The top level has the value in the currency of most deployments; by_currency has all. as_of is the latest event. Trades after the end of a deployment are added within seconds. */
  getLiveDeploymentStrategiesVolume(input: GetLiveDeploymentStrategiesVolumeInput, options?: CallOptions): Promise<GetLiveDeploymentStrategiesVolumeOutput> {
    return this.#transport.send({ name: "get_live_deployment_strategies_volume", method: "GET", path: "/get_live_deployment_strategies_volume" }, input, options);
  }

  /** Get sums over all live and paper deployments of a user. Covers running and ended deployments. Counts and win_rate_pct are over all of them. Amounts of different currencies do not add up: those at the top level are in the currency of most deployments (of several, the first by code), and by_currency has all. An open position counts at the newest of candle, quote and fill; if one has no price yet, unrealized_pnl, today_pnl and total_pnl are null. today_pnl covers deployments that run or have open positions or orders. as_of is the oldest price behind the figures. Trades after the end of a deployment are added within seconds. */
  getLiveDeploymentsAggregatedStats(input: GetLiveDeploymentsAggregatedStatsInput, options?: CallOptions): Promise<GetLiveDeploymentsAggregatedStatsOutput> {
    return this.#transport.send({ name: "get_live_deployments_aggregated_stats", method: "GET", path: "/get_live_deployments_aggregated_stats" }, input, options);
  }

  /** Get the order status of strategies. Per own strategy: its running live and paper deployments, and ended ones with open positions or orders, newest first; and the orders by status of all its deployments, ended ones included. as_of is the latest event of a deployment. */
  getLiveDeploymentsOrderStatus(input: GetLiveDeploymentsOrderStatusInput, options?: CallOptions): Promise<GetLiveDeploymentsOrderStatusOutput> {
    return this.#transport.send({ name: "get_live_deployments_order_status", method: "GET", path: "/get_live_deployments_order_status" }, input, options);
  }

  /** Get the profit and loss of chosen deployments. Running and ended live and paper deployments. unrealized_pnl, today_pnl, total_pnl and return_pct are null if an open position has no price yet; as_of is the oldest price behind the figures. */
  getLiveDepsPnl(input: GetLiveDepsPnlInput, options?: CallOptions): Promise<GetLiveDepsPnlOutput> {
    return this.#transport.send({ name: "get_live_deps_pnl", method: "GET", path: "/get_live_deps_pnl" }, input, options);
  }

  /** List the ended live and paper deployments of a user. Stopped and expired deployments, the latest end first: those on prediction markets, or the others. search_key finds parts of names and symbols among the newest 1000. summary and by_currency cover all matches, not only this page: total_pnl is the sum of final_pnl, wins and losses count deployments whose final_pnl is a profit or a loss. final_pnl counts what is still open at the price of its last event or closed day; if an open position has none, it is null, and so is each sum with it. Amounts of different currencies do not add up: total_pnl of the summary is in the currency of most deployments. Trades after the end are in the sums within seconds. */
  getLiveExpiredStrategiesV2(input: GetLiveExpiredStrategiesV2Input, options?: CallOptions): PageRequest<GetLiveExpiredStrategiesV2Output['items'][number], GetLiveExpiredStrategiesV2Output> {
    return new PageRequest((choice) => this.#transport.send({ name: "get_live_expired_strategies_v2", method: "GET", path: "/get_live_expired_strategies_v2" }, { ...input, ...choice }, options));
  }

  /** Get a deployment with its orders. The deployment with its figures and its orders, newest first. Of more than 1000 orders only the newest 90 are in the answer; /get_live_strategy_order_book has the others in pages. `from`, `to`, `symbol`, `status` and `side` choose orders of the answer; `is_complete` tells whether they were looked for in the whole book. */
  getLiveStrategyFullOrderBook(input: GetLiveStrategyFullOrderBookInput, options?: CallOptions): Promise<GetLiveStrategyFullOrderBookOutput> {
    return this.#transport.send({ name: "get_live_strategy_full_order_book", method: "GET", path: "/get_live_strategy_full_order_book" }, input, options);
  }

  /** List the orders of a deployment. The orders of a live or paper deployment, newest first. `from`, `to`, `symbol`, `status` and `side` choose orders. An answer with a filter covers a book of up to 1000 orders, of a longer one the next 100 orders: `total` counts the chosen ones among them, and `next_cursor` leads to the others. */
  getLiveStrategyOrderBook(input: GetLiveStrategyOrderBookInput, options?: CallOptions): PageRequest<GetLiveStrategyOrderBookOutput['items'][number], GetLiveStrategyOrderBookOutput> {
    return new PageRequest((choice) => this.#transport.send({ name: "get_live_strategy_order_book", method: "GET", path: "/get_live_strategy_order_book" }, { ...input, ...choice }, options));
  }

  /** List the multi-instrument strategies of a user. Newest first, at most 100; `total` counts all. */
  getMultiAssetStrategies(input: GetMultiAssetStrategiesInput, options?: CallOptions): Promise<GetMultiAssetStrategiesOutput> {
    return this.#transport.send({ name: "get_multi_asset_strategies", method: "POST", path: "/get_multi_asset_strategies" }, input, options);
  }

  /** Get the notification preferences of a user. Channels by which each group of notifications may leave; all may by default. Every notification is in the list of the app. A deployment leaves by those of its own channels that its group allows; the group security leaves by all that are allowed, whatever the channels of the deployment. */
  getNotificationPreferences(input: GetNotificationPreferencesInput, options?: CallOptions): Promise<GetNotificationPreferencesOutput> {
    return this.#transport.send({ name: "get_notification_preferences", method: "GET", path: "/get_notification_preferences" }, input, options);
  }

  /** Get the profit and loss of deployments. Running live and paper deployments, and ended ones with open positions or orders, newest first: all of them, those at a broker, or one deployment, which may have ended. totals sums the listed deployments by currency. unrealized_pnl, today_pnl and total_pnl are null if an open position has no price yet. */
  getPLLiveDeployedStrategies(input: GetPLLiveDeployedStrategiesInput, options?: CallOptions): Promise<GetPLLiveDeployedStrategiesOutput> {
    return this.#transport.send({ name: "get_p_l_live_deployed_strategies", method: "GET", path: "/get_p_l_live_deployed_strategies" }, input, options);
  }

  /** Compare a paper deployment with its backtest. Backtests the rules and the account of a paper deployment that the hub runs, over the bars that it has seen and with its manual closes and commands (pauses, halts, stops), and lists what differs in the order book, in the closed trades of the books and in the engine’s account: nothing, as expected. A deployment that has lived through a split of a symbol has no such backtest: 409. Symbols whose bars are too many for one answer are left out; ask for them by `symbol`. */
  getParity(input: GetParityInput, options?: CallOptions): Promise<GetParityOutput> {
    return this.#transport.send({ name: "get_parity", method: "GET", path: "/get_parity" }, input, options);
  }

  /** List the published strategies on a profile. Newest first. `user_id` marks the likes and copies of the caller. */
  getPublishedStrategies(input: GetPublishedStrategiesInput, options?: CallOptions): PageRequest<GetPublishedStrategiesOutput['items'][number], GetPublishedStrategiesOutput> {
    return new PageRequest((choice) => this.#transport.send({ name: "get_published_strategies", method: "GET", path: "/get_published_strategies" }, { ...input, ...choice }, options));
  }

  /** List the user's devices for push messages. Newest first; `push_key` is that of the newest. A browser subscribes with `vapid_public_key` as its `applicationServerKey`. */
  getPushTokenWeb(input: GetPushTokenWebInput, options?: CallOptions): Promise<GetPushTokenWebOutput> {
    return this.#transport.send({ name: "get_push_token_web", method: "GET", path: "/get_push_token_web" }, input, options);
  }

  /** Count the users whom a user referred */
  getReferredUserCount(input: GetReferredUserCountInput, options?: CallOptions): Promise<GetReferredUserCountOutput> {
    return this.#transport.send({ name: "get_referred_user_count", method: "GET", path: "/get_referred_user_count" }, input, options);
  }

  /** Get risk limits and their use. Limits of plan, user and deployment, and the strictest of each, which apply (`merged`). For a deployment, how much of each limit is used, with open positions at their newest prices, and the limit that stopped it. Without `deployment_id`, `merged` is what a new deployment with real orders begins with. */
  getRiskLimits(input: GetRiskLimitsInput, options?: CallOptions): Promise<GetRiskLimitsOutput> {
    return this.#transport.send({ name: "get_risk_limits", method: "GET", path: "/get_risk_limits" }, input, options);
  }

  /** List the scanner deployments of a user. Running and ended deployments, newest first. */
  getScannerDeployments(input: GetScannerDeploymentsInput, options?: CallOptions): PageRequest<GetScannerDeploymentsOutput['items'][number], GetScannerDeploymentsOutput> {
    return new PageRequest((choice) => this.#transport.send({ name: "get_scanner_deployments", method: "POST", path: "/get_scanner_deployments" }, { ...input, ...choice }, options));
  }

  /** List the sessions of the user. At most 20 sessions, and the platform token if one is active; newest first. `session_id` is no credential. Always requires the session of the user. */
  getSessions(input: GetSessionsInput, options?: CallOptions): Promise<GetSessionsOutput> {
    return this.#transport.send({ name: "get_sessions", method: "GET", path: "/get_sessions" }, input, options);
  }

  /** Show whether a deployment takes signals. Never shows the address. Requires the session of the owner. */
  getSignalHook(input: GetSignalHookInput, options?: CallOptions): Promise<GetSignalHookOutput> {
    return this.#transport.send({ name: "get_signal_hook", method: "GET", path: "/get_signal_hook" }, input, options);
  }

  /** List the strategies of a user. Built strategies (`is_copied` 0) or copies (1), newest first. */
  getStrategiesByUser(input: GetStrategiesByUserInput, options?: CallOptions): PageRequest<GetStrategiesByUserOutput['items'][number], GetStrategiesByUserOutput> {
    return new PageRequest((choice) => this.#transport.send({ name: "get_strategies_by_user", method: "GET", path: "/get_strategies_by_user" }, { ...input, ...choice }, options));
  }

  /** Get the performance of strategies. Own and published strategies. Figures are null before the first trade. */
  getStrategiesPerformanceMetrics(input: GetStrategiesPerformanceMetricsInput, options?: CallOptions): Promise<GetStrategiesPerformanceMetricsOutput> {
    return this.#transport.send({ name: "get_strategies_performance_metrics", method: "GET", path: "/get_strategies_performance_metrics" }, input, options);
  }

  /** Get a strategy with its rules. The owner gets the rules, their sentence and the last 20 versions; `rules_version` chooses an earlier one. Of public strategies, others get the sentence, unless the rules are closed. Copying hands over the rules. */
  getStrategy(input: GetStrategyInput, options?: CallOptions): Promise<GetStrategyOutput> {
    return this.#transport.send({ name: "get_strategy", method: "GET", path: "/get_strategy" }, input, options);
  }

  /** List the add-ons of a strategy. Each add-on is enabled, available, or has the reason why not, by the user's plan and broker. */
  getStrategyAddOns(input: GetStrategyAddOnsInput, options?: CallOptions): Promise<GetStrategyAddOnsOutput> {
    return this.#transport.send({ name: "get_strategy_add_ons", method: "GET", path: "/get_strategy_add_ons" }, input, options);
  }

  /** List the categories of the explore catalogue. By asset class and by style, with the number of listed strategies. */
  getStrategyCategories(input: GetStrategyCategoriesInput = {}, options?: CallOptions): Promise<GetStrategyCategoriesOutput> {
    return this.#transport.send({ name: "get_strategy_categories", method: "GET", path: "/get_strategy_categories" }, input, options);
  }

  /** List ready-made rules. Rules of well-known strategies, for `/set_strategy_rules`. The first suggested timeframe fits best. */
  getStrategyTemplates(input: GetStrategyTemplatesInput = {}, options?: CallOptions): Promise<GetStrategyTemplatesOutput> {
    return this.#transport.send({ name: "get_strategy_templates", method: "GET", path: "/get_strategy_templates" }, input, options);
  }

  /** Get the swap of a deployment’s positions. Open positions, and at least the 32 most recently charged closed ones, by symbol. totals covers all symbols. accrued_swap is that of the open position, realized_swap that of closed ones. Rates are those of the catalogue. as_of is the latest event of the deployment. */
  getSwapValues(input: GetSwapValuesInput, options?: CallOptions): Promise<GetSwapValuesOutput> {
    return this.#transport.send({ name: "get_swap_values", method: "GET", path: "/get_swap_values" }, input, options);
  }

  /** Get a sweep with its best combinations. The status of a sweep, and the 50 best combinations once it is done, with figures in sample and out of sample. `/run_backtest` with `to` or with `from` at the split, and the parameters of a combination, gives the same figures. */
  getSweep(input: GetSweepInput, options?: CallOptions): Promise<GetSweepOutput> {
    return this.#transport.send({ name: "get_sweep", method: "GET", path: "/get_sweep" }, input, options);
  }

  /** List the stored sweeps of a user. Sweeps of a user, or of one strategy, newest first, each with its best combination. */
  getSweeps(input: GetSweepsInput, options?: CallOptions): PageRequest<GetSweepsOutput['items'][number], GetSweepsOutput> {
    return new PageRequest((choice) => this.#transport.send({ name: "get_sweeps", method: "GET", path: "/get_sweeps" }, { ...input, ...choice }, options));
  }

  /** List the universes of instruments. Sets of instruments that a scanner can watch, by name, each with its first 10 symbols. */
  getUniverses(input: GetUniversesInput, options?: CallOptions): Promise<GetUniversesOutput> {
    return this.#transport.send({ name: "get_universes", method: "GET", path: "/get_universes" }, input, options);
  }

  /** List the strategies of a user. Built strategies and copies, private ones included, newest first. */
  getUserStrategies(input: GetUserStrategiesInput, options?: CallOptions): PageRequest<GetUserStrategiesOutput['items'][number], GetUserStrategiesOutput> {
    return new PageRequest((choice) => this.#transport.send({ name: "get_user_strategies", method: "GET", path: "/broker/get_user_strategies" }, { ...input, ...choice }, options));
  }

  /** Get the performance of a deployment. Statistics of a live or paper deployment, its equity curve, and its results by day, week and month. */
  getUserStrategyPerformance(input: GetUserStrategyPerformanceInput, options?: CallOptions): Promise<GetUserStrategyPerformanceOutput> {
    return this.#transport.send({ name: "get_user_strategy_performance", method: "GET", path: "/broker/get_user_strategy_performance" }, input, options);
  }

  /** List the deliveries of a webhook endpoint. Newest first, of the last 30 days, with the outcome of the last attempt. Always requires the session of the user. */
  getWebhookDeliveries(input: GetWebhookDeliveriesInput, options?: CallOptions): Promise<GetWebhookDeliveriesOutput> {
    return this.#transport.send({ name: "get_webhook_deliveries", method: "GET", path: "/get_webhook_deliveries" }, input, options);
  }

  /** List the webhook endpoints. At most 10, without their secrets. An endpoint that answered 410, or accepted nothing for 5 days, is `disabled`. Always requires the session of the user. */
  getWebhooks(input: GetWebhooksInput, options?: CallOptions): Promise<GetWebhooksOutput> {
    return this.#transport.send({ name: "get_webhooks", method: "GET", path: "/get_webhooks" }, input, options);
  }

  /** Liveness and readiness. `status` is `degraded` when the service runs but a check fails. */
  health(input: HealthInput = {}, options?: CallOptions): Promise<HealthOutput> {
    return this.#transport.send({ name: "health", method: "GET", path: "/health" }, input, options);
  }

  /** List the public keys of our tokens. JSON Web Key Set (RFC 7517): the current key and, around a rotation, the previous or next one. */
  jwks(input: JwksInput = {}, options?: CallOptions): Promise<JwksOutput> {
    return this.#transport.send({ name: "jwks", method: "GET", path: "/.well-known/jwks.json" }, input, options);
  }

  /** Stop all orders of a user at once, or allow them again. While the switch is thrown, no order leaves, nothing is deployed or resumed, and all deployments are halted within seconds; `flatten` also cancels orders and closes positions. `re_arm` clears the switch; deployments stay halted until they are resumed one by one. Switches that a broker or the operator threw stay thrown, except those of brokers that the user has left. Requires the session of the owner. */
  killSwitch(input: KillSwitchInput, options?: CallOptions): Promise<KillSwitchOutput> {
    return this.#transport.send({ name: "kill_switch", method: "POST", path: "/kill_switch", body: "json" }, input, options);
  }

  /** Like a strategy. Idempotent. */
  likeStrategy(input: LikeStrategyInput, options?: CallOptions): Promise<LikeStrategyOutput> {
    return this.#transport.send({ name: "like_strategy", method: "POST", path: "/like_strategy" }, input, options);
  }

  /** List the dummy users. Illustrative records, separate from real users. Newest first, at most 100. */
  listUsers(input: ListUsersInput = {}, options?: CallOptions): Promise<ListUsersOutput> {
    return this.#transport.send({ name: "list_users", method: "GET", path: "/users" }, input, options);
  }

  /** Sign in with e-mail and password. Password form of OAuth 2.0. Limits in 15 minutes: five wrong passwords per e-mail, five of its own for a known device, 50 from an address. */
  login(input: LoginInput, options?: CallOptions): Promise<LoginOutput> {
    return this.#transport.send({ name: "login", method: "POST", path: "/login", body: "form" }, input, options);
  }

  /** Sign in a user of a white-label broker. Works as /login for users linked to the broker of this domain. A verified partner token links the user, if the platform approved the broker; tokens for its account can sign the user in afterwards. */
  loginUserBroker(input: LoginUserBrokerInput, options?: CallOptions): Promise<LoginUserBrokerOutput> {
    return this.#transport.send({ name: "login_user_broker", method: "POST", path: "/login_user_broker" }, input, options);
  }

  /** Get an access token for the operations under /broker. OAuth 2.0 client credentials (RFC 6749, section 4.4): the broker’s guid is the client id, its secret the client secret, by HTTP Basic or in the form. The token is valid for an hour. The scope `broker:risk` needs the grant of the operator, `broker:webhooks` does not. Ten failed attempts from an address in 15 minutes lead to 429. */
  oauthToken(input: OauthTokenInput, options?: CallOptions): Promise<OauthTokenOutput> {
    return this.#transport.send({ name: "oauth_token", method: "POST", path: "/oauth/token", body: "form" }, input, options);
  }

  /** Handshake with partner A. Returns the branding and sign-in address of the broker with this guid or name. With the broker’s secret as bearer, changes name, logo and support address to the given ones. With a verified token of partner A as bearer, signs in the user linked to its account and spends the token. */
  partneraAuth(input: PartneraAuthInput = {}, options?: CallOptions): Promise<PartneraAuthOutput> {
    return this.#transport.send({ name: "partnera_auth", method: "POST", path: "/partnera_auth" }, input, options);
  }

  /** Exchange a token of partner B for a session. Takes a verified token of partner B as bearer, signs in the user linked to its account, and spends the token. A broker that the platform has not approved signs in only users who registered with its token, for a day, with sessions that cannot be renewed. */
  partnerbAuth(input: PartnerbAuthInput = {}, options?: CallOptions): Promise<PartnerbAuthOutput> {
    return this.#transport.send({ name: "partnerb_auth", method: "POST", path: "/partnerb/auth" }, input, options);
  }

  /** Make a token of partner B. Names an account at a broker, for 10 minutes and one use. With the broker’s secret as bearer the token is verified: it can sign in the user linked to the account, or link one. An unverified token grants no access. */
  partnerbGenerateToken(input: PartnerbGenerateTokenInput = {}, options?: CallOptions): Promise<PartnerbGenerateTokenOutput> {
    return this.#transport.send({ name: "partnerb_generate_token", method: "POST", path: "/partnerb/generate_token" }, input, options);
  }

  /** Start connecting partner C. Open `authorization_url` in the browser within 10 minutes (OAuth 2.0 authorization code with PKCE). With a session, only the same session can complete the consent, and the connection belongs to its user. Without one, only the same browser can, identified by a cookie (send the request with credentials), and the connection waits for /partnerc_connect. */
  partnercAccess(input: PartnercAccessInput = {}, options?: CallOptions): Promise<PartnercAccessOutput> {
    return this.#transport.send({ name: "partnerc_access", method: "GET", path: "/partnerc_access" }, input, options);
  }

  /** Complete the consent of partner C. Takes the redirect of partner C (`code`, `state` and `iss`, or `error`), exchanges the code for tokens and stores them encrypted. Ends an earlier connection of the user. A state works once, for the session or the browser that started. If partner C does not answer (502), the same address can be opened again. */
  partnercAuthCallback(input: PartnercAuthCallbackInput = {}, options?: CallOptions): Promise<PartnercAuthCallbackOutput> {
    return this.#transport.send({ name: "partnerc_auth_callback", method: "GET", path: "/partnerc_auth_callback" }, input, options);
  }

  /** Take over a connection to partner C. Claims a connection that was made without a session, by its `connection_id` and within an hour. An unclaimed connection then ends. Ends an earlier connection of the user. */
  partnercConnect(input: PartnercConnectInput, options?: CallOptions): Promise<PartnercConnectOutput> {
    return this.#transport.send({ name: "partnerc_connect", method: "POST", path: "/partnerc_connect" }, input, options);
  }

  /** End the connection to partner C. Revokes the tokens at partner C and removes them here. If partner C does not answer (502), the connection is disabled at once and the revocation is retried later; repeating the call retries it now. */
  partnercDisconnect(input: PartnercDisconnectInput, options?: CallOptions): Promise<PartnercDisconnectOutput> {
    return this.#transport.send({ name: "partnerc_disconnect", method: "POST", path: "/partnerc_disconnect" }, input, options);
  }

  /** Pause a deployment. Of any kind. While it is paused, a deployment that trades opens no position; orders that wait for an entry are cancelled, and stops, targets and exits go on. A notification deployment raises no signals, a scanner reports no matches. An event notifies the engine; only `/resume_deployment` ends the pause. A deployment that is paused already stays as it is. */
  pauseDeployment(input: PauseDeploymentInput, options?: CallOptions): Promise<PauseDeploymentOutput> {
    return this.#transport.send({ name: "pause_deployment", method: "POST", path: "/pause_deployment" }, input, options);
  }

  /** Set who can see a strategy. 0 private, 1 public on the profile, 2 by share key only. 0 and 2 remove it from the explore catalogue. `is_listed` decides whether a public one is in it; without it, that stays as it is. */
  profilePublishStrategy(input: ProfilePublishStrategyInput, options?: CallOptions): Promise<ProfilePublishStrategyOutput> {
    return this.#transport.send({ name: "profile_publish_strategy", method: "POST", path: "/profile_publish_strategy" }, input, options);
  }

  /** List a strategy in the explore catalogue. Also makes it public on the profile. Idempotent. */
  publishExploreStrategy(input: PublishExploreStrategyInput, options?: CallOptions): Promise<PublishExploreStrategyOutput> {
    return this.#transport.send({ name: "publish_explore_strategy", method: "POST", path: "/publish_explore_strategy" }, input, options);
  }

  /** Mark all notifications read. The cost does not depend on the number of notifications. */
  readDeploymentNotifications(input: ReadDeploymentNotificationsInput, options?: CallOptions): Promise<ReadDeploymentNotificationsOutput> {
    return this.#transport.send({ name: "read_deployment_notifications", method: "POST", path: "/read_deployment_notifications" }, input, options);
  }

  /** Take a signal from outside. For alerts of TradingView and other senders of JSON. The address is that of `/create_signal_hook`; nobody else needs to be signed in. On a paper deployment the signal is a market order that fills at once: at the newest close of the hub’s candles if it is at most three minutes old, else at `price`. On a notification deployment it raises a signal. The same body within a minute, or with the same `time`, counts once. An address takes 30 signals a minute and 2,000 a day. */
  receiveSignal(input: ReceiveSignalInput, options?: CallOptions): Promise<ReceiveSignalOutput> {
    return this.#transport.send({ name: "receive_signal", method: "POST", path: "/hooks/{token}", body: "json" }, input, options);
  }

  /** Register and sign in, or sign in. Registers a new e-mail and signs it in. Signs a registered e-mail in if the password matches. `is_new_user` tells the two apart. */
  registerLogin(input: RegisterLoginInput, options?: CallOptions): Promise<RegisterLoginOutput> {
    return this.#transport.send({ name: "register_login", method: "POST", path: "/register_login", body: "form" }, input, options);
  }

  /** Register a device for push messages. Idempotent; a repeat only updates `last_seen_at`. A user has at most 20 devices: a further one replaces the one not seen for the longest time. A device belongs to the user who registered it last. */
  registerPushToken(input: RegisterPushTokenInput, options?: CallOptions): Promise<RegisterPushTokenOutput> {
    return this.#transport.send({ name: "register_push_token", method: "POST", path: "/register_push_token" }, input, options);
  }

  /** Register a user. For client applications, which authenticate with their key. Does not sign the user in. */
  registerUser(input: RegisterUserInput, options?: CallOptions): Promise<RegisterUserOutput> {
    return this.#transport.send({ name: "register_user", method: "POST", path: "/register_user", body: "json" }, input, options);
  }

  /** Register a user of a white-label broker. Links the new user to the broker of this domain, without signing in. With a verified partner token, links the account that it names; tokens for this account can sign the user in afterwards, only for a day if the platform has not approved the broker. */
  registerUserBroker(input: RegisterUserBrokerInput, options?: CallOptions): Promise<RegisterUserBrokerOutput> {
    return this.#transport.send({ name: "register_user_broker", method: "POST", path: "/register_user_broker", body: "form" }, input, options);
  }

  /** Register a webhook endpoint. Events are posted to the URL by the Standard Webhooks specification, signed with the secret of the answer, which is shown once. `events` and `deployment_ids` filter them; all when absent. At most 10 endpoints. The user is notified by all channels. Always requires the session of the user. */
  registerWebhook(input: RegisterWebhookInput, options?: CallOptions): Promise<RegisterWebhookOutput> {
    return this.#transport.send({ name: "register_webhook", method: "POST", path: "/register_webhook", body: "json" }, input, options);
  }

  /** Remove a stored backtest. Removes a backtest with its trades. A running one is stopped. Idempotent. */
  removeBacktest(input: RemoveBacktestInput, options?: CallOptions): Promise<RemoveBacktestOutput> {
    return this.#transport.send({ name: "remove_backtest", method: "POST", path: "/remove_backtest" }, input, options);
  }

  /** Remove a device for push messages. Idempotent. The device gets no more messages of the user; a device that another user has registered since is left alone. */
  removePushToken(input: RemovePushTokenInput, options?: CallOptions): Promise<RemovePushTokenOutput> {
    return this.#transport.send({ name: "remove_push_token", method: "POST", path: "/remove_push_token", body: "json" }, input, options);
  }

  /** Unsubscribe an e-mail. Switches the mails of the groups signals, fills, orders and status off, as `/set_notification_preferences` does, and notifies the owner. Warnings of limits, security and requested codes are still sent, as the e-mail alone proves nothing. Works once: a later choice of the owner stays. Mails hold the link of `/unsubscribe`, which always works. The answer is the same for every e-mail. Limit: 30 an hour from an address. */
  removeSubscription(input: RemoveSubscriptionInput, options?: CallOptions): Promise<RemoveSubscriptionOutput> {
    return this.#transport.send({ name: "remove_subscription", method: "GET", path: "/remove_subscription" }, input, options);
  }

  /** Remove a stored sweep. Removes a sweep with its result. A running one is stopped. Idempotent. */
  removeSweep(input: RemoveSweepInput, options?: CallOptions): Promise<RemoveSweepOutput> {
    return this.#transport.send({ name: "remove_sweep", method: "POST", path: "/remove_sweep" }, input, options);
  }

  /** Remove a dummy user */
  removeUser(input: RemoveUserInput, options?: CallOptions): Promise<RemoveUserOutput> {
    return this.#transport.send({ name: "remove_user", method: "DELETE", path: "/users/{id}" }, input, options);
  }

  /** Remove a webhook endpoint. Events that wait for it are not sent any more. Its secret is deleted. Always requires the session of the user. */
  removeWebhook(input: RemoveWebhookInput, options?: CallOptions): Promise<RemoveWebhookOutput> {
    return this.#transport.send({ name: "remove_webhook", method: "POST", path: "/remove_webhook" }, input, options);
  }

  /** Rename or describe a strategy. The new name is shown in every list at once. */
  renameStrategy(input: RenameStrategyInput, options?: CallOptions): Promise<RenameStrategyOutput> {
    return this.#transport.send({ name: "rename_strategy", method: "POST", path: "/rename_strategy" }, input, options);
  }

  /** Send the events since a time to a webhook endpoint again. Sends the events of the change log from a time until now again, oldest first, with the same `webhook-id`. The log has 30 days. Begins within a minute; replaces a replay in progress. At most 20 replays a day (UTC), over all endpoints. Always requires the session of the user. */
  replayWebhook(input: ReplayWebhookInput, options?: CallOptions): Promise<ReplayWebhookOutput> {
    return this.#transport.send({ name: "replay_webhook", method: "POST", path: "/replay_webhook", body: "json" }, input, options);
  }

  /** Send an event to a webhook endpoint again. Sends the event of a delivery again, with the same `webhook-id`, as a new delivery. With test events, at most 60 a minute. Always requires the session of the user. */
  resendWebhook(input: ResendWebhookInput, options?: CallOptions): Promise<ResendWebhookOutput> {
    return this.#transport.send({ name: "resend_webhook", method: "POST", path: "/resend_webhook" }, input, options);
  }

  /** Set a new password with a mailed code. Ends every session and every push registration of the user. A code has one use. The requester, known devices, and all others together have five tries each. Send the parameters as a form or a JSON object in the body, so that no address holds the password; the query takes them, too. */
  resetPassword(input: ResetPasswordInput, options?: CallOptions): Promise<ResetPasswordOutput> {
    return this.#transport.send({ name: "reset_password", method: "POST", path: "/reset_password", parameters: "body" }, input, options);
  }

  /** Resume a paused or halted deployment. Lifts a pause or a halt. If others than the owner paused or halted the deployment (a risk limit, a kill switch, the broker, the operator), `reason` is required. An event notifies the engine. A deployment that runs stays as it is. Real orders require the session of the owner. */
  resumeDeployment(input: ResumeDeploymentInput, options?: CallOptions): Promise<ResumeDeploymentOutput> {
    return this.#transport.send({ name: "resume_deployment", method: "POST", path: "/resume_deployment" }, input, options);
  }

  /** Revoke the address at which a deployment takes signals. Effective at once. Orders and positions stay as they are. Requires the session of the owner. */
  revokeSignalHook(input: RevokeSignalHookInput, options?: CallOptions): Promise<RevokeSignalHookOutput> {
    return this.#transport.send({ name: "revoke_signal_hook", method: "POST", path: "/revoke_signal_hook" }, input, options);
  }

  /** Replace the deploy key of a strategy. The old key ends at once; its deployments continue. The new key is in this answer, which an Idempotency-Key does not repeat, and in the owner’s list of strategies. */
  rotateKeygen(input: RotateKeygenInput, options?: CallOptions): Promise<RotateKeygenOutput> {
    return this.#transport.send({ name: "rotate_keygen", method: "POST", path: "/rotate_keygen" }, input, options);
  }

  /** Replace the secret of a webhook endpoint. The answer shows the new secret once. For 24 hours, events are signed with both secrets, so that no event is refused meanwhile. A secret that was replaced before ends at once. Always requires the session of the user. */
  rotateWebhookSecret(input: RotateWebhookSecretInput, options?: CallOptions): Promise<RotateWebhookSecretOutput> {
    return this.#transport.send({ name: "rotate_webhook_secret", method: "POST", path: "/rotate_webhook_secret" }, input, options);
  }

  /** Backtest rules or a strategy. Runs rules, or a strategy of the user, over stored candles. Symbols and timeframe are those of the strategy when absent. Small backtests are `done` in the answer. Larger ones are `queued`: read their progress with `/get_backtest`. */
  runBacktest(input: RunBacktestInput, options?: CallOptions): Promise<RunBacktestOutput> {
    return this.#transport.send({ name: "run_backtest", method: "POST", path: "/run_backtest", body: "json" }, input, options);
  }

  /** Search the explore catalogue. Every word of `term` begins a word of the name, a symbol, the author or a category, regardless of case and accents. Best liked first, at most 50. A name is found by its beginning however little it is liked; a single word that very many share shows those that are liked best. */
  searchExploreStrategies(input: SearchExploreStrategiesInput, options?: CallOptions): Promise<SearchExploreStrategiesOutput> {
    return this.#transport.send({ name: "search_explore_strategies", method: "POST", path: "/search_explore_strategies" }, input, options);
  }

  /** Mail a code for a password reset. The answer is the same whether or not the e-mail is registered. Limits: one code in 30 seconds and five an hour from an address; a known device or a session of the account has five of its own. A code that is still valid is sent again. After a bounce or a complaint, only these get a code. */
  sendOtpPasswordReset(input: SendOtpPasswordResetInput, options?: CallOptions): Promise<SendOtpPasswordResetOutput> {
    return this.#transport.send({ name: "send_otp_password_reset", method: "POST", path: "/send_otp_password_reset" }, input, options);
  }

  /** Send a code to a phone. Requires a solved challenge. The code is sent if the call has the session of the account, or if the account has verified this number. The answer is the same otherwise. Limits: one code in 30 seconds and five an hour from an address, or five of its own for a session or a known device; five an hour to a number; 20 requests an hour from an address. A code that is still valid is sent again. */
  sendSmsOtp(input: SendSmsOtpInput, options?: CallOptions): Promise<SendSmsOtpOutput> {
    return this.#transport.send({ name: "send_sms_otp", method: "POST", path: "/send_sms_otp" }, input, options);
  }

  /** Sign out. Ends the session of the tokens in the request, bearer or cookies, so that neither its access token nor its refresh token works any more, and clears the cookies. A platform token ends itself. Idempotent: a session that has ended, or none, is the same answer. */
  sessionLogout(input: SessionLogoutInput = {}, options?: CallOptions): Promise<SessionLogoutOutput> {
    return this.#transport.send({ name: "session_logout", method: "POST", path: "/session/logout" }, input, options);
  }

  /** Renew a session. Takes the refresh token as bearer or cookie, and returns new tokens. A refresh token works once. Presenting it a second time ends the session, because one of the two callers stole it. */
  sessionRelogin(input: SessionReloginInput = {}, options?: CallOptions): Promise<SessionReloginOutput> {
    return this.#transport.send({ name: "session_relogin", method: "POST", path: "/session/relogin" }, input, options);
  }

  /** Look for a session. Tells whether the cookies of the browser hold a session, which a web page cannot read itself. Without a session, this is no error. A session that was revoked is still told; the next request with it is refused. */
  sessionState(input: SessionStateInput = {}, options?: CallOptions): Promise<SessionStateOutput> {
    return this.#transport.send({ name: "session_state", method: "GET", path: "/session/state" }, input, options);
  }

  /** Set the notification preferences of a user. Sets the named channels of the named groups, and the quiet hours; null ends these. What is not named stays. During quiet hours nothing is pushed or texted but the group security. Switching a channel of the group security off needs the session of the owner. */
  setNotificationPreferences(input: SetNotificationPreferencesInput, options?: CallOptions): Promise<SetNotificationPreferencesOutput> {
    return this.#transport.send({ name: "set_notification_preferences", method: "POST", path: "/set_notification_preferences", body: "json" }, input, options);
  }

  /** Set risk limits. Sets the limits of one deployment, or without `deployment_id` those of the user, which apply to each of its trading deployments. They replace the stored limits of their level; an empty object removes them. The strictest of plan, user and deployment applies. Amounts are in the currency of the deployment. Limits of the user reach running deployments within seconds. Needs the session of the owner. */
  setRiskLimits(input: SetRiskLimitsInput, options?: CallOptions): Promise<SetRiskLimitsOutput> {
    return this.#transport.send({ name: "set_risk_limits", method: "POST", path: "/set_risk_limits", body: "json" }, input, options);
  }

  /** Set the rules of a strategy. Replaces the rules and raises the version; the same rules change nothing. The direction of the strategy becomes that of the entries. `rules_visibility` decides whether others can copy the strategy and read its sentence. With `expected_rules_version` the answer is 409 `rules_changed` if another call has changed the rules since. Running deployments keep the rules that they started with. */
  setStrategyRules(input: SetStrategyRulesInput, options?: CallOptions): Promise<SetStrategyRulesOutput> {
    return this.#transport.send({ name: "set_strategy_rules", method: "POST", path: "/set_strategy_rules", body: "json" }, input, options);
  }

  /** Stop a deployment. Of any kind. Cancels its orders and, with `flatten`, closes its positions at the market. A paper deployment of the hub’s engine ends at once, and closes positions at the close of the last bar. One that takes signals ends at once, and its positions stay open. A deployment of an external engine is halted and its engine asked to stop; it ends when the engine confirms, at the latest after ten minutes. Without an answer, check orders and positions at the broker. `/undeploy_live_strategy` ends it at once and leaves positions open. A deployment that is being stopped, or has stopped, stays as it is; `flatten` may be added. To close positions with real orders requires the session of the owner. */
  stopDeployment(input: StopDeploymentInput, options?: CallOptions): Promise<StopDeploymentOutput> {
    return this.#transport.send({ name: "stop_deployment", method: "POST", path: "/stop_deployment" }, input, options);
  }

  /** Try combinations of parameters. Backtests every combination of the values of `params`, at most 2,000, up to the split (in sample) and from the split on (out of sample), and ranks them by a figure in sample. Always `queued`: read the progress and the 50 best with `/get_sweep`. */
  sweepStrategy(input: SweepStrategyInput, options?: CallOptions): Promise<SweepStrategyOutput> {
    return this.#transport.send({ name: "sweep_strategy", method: "POST", path: "/sweep_strategy", body: "json" }, input, options);
  }

  /** Send a test event to a webhook endpoint. Sends an event of the type `webhook.test`, whatever the filters are. `/get_webhook_deliveries` shows the outcome within seconds. With events sent again, at most 60 a minute. Always requires the session of the user. */
  testWebhook(input: TestWebhookInput, options?: CallOptions): Promise<TestWebhookOutput> {
    return this.#transport.send({ name: "test_webhook", method: "POST", path: "/test_webhook" }, input, options);
  }

  /** End a live or paper deployment. Open positions stay on the books. Later reports of the engine are still recorded. */
  undeployLiveStrategy(input: UndeployLiveStrategyInput, options?: CallOptions): Promise<UndeployLiveStrategyOutput> {
    return this.#transport.send({ name: "undeploy_live_strategy", method: "POST", path: "/undeploy_live_strategy" }, input, options);
  }

  /** End a notification deployment */
  undeployNotificationStrategy(input: UndeployNotificationStrategyInput, options?: CallOptions): Promise<UndeployNotificationStrategyOutput> {
    return this.#transport.send({ name: "undeploy_notification_strategy", method: "POST", path: "/undeploy_notification_strategy" }, input, options);
  }

  /** End a scanner deployment */
  undeployScanner(input: UndeployScannerInput, options?: CallOptions): Promise<UndeployScannerOutput> {
    return this.#transport.send({ name: "undeploy_scanner", method: "POST", path: "/undeploy_scanner" }, input, options);
  }

  /** Unlike a strategy. Idempotent. */
  unlikeStrategy(input: UnlikeStrategyInput, options?: CallOptions): Promise<UnlikeStrategyOutput> {
    return this.#transport.send({ name: "unlike_strategy", method: "POST", path: "/unlike_strategy" }, input, options);
  }

  /** Leave a white-label broker. Ends the link of the session’s user to the broker of this domain. Its tokens no longer sign the user in, and its account can be linked to another user. Every other session of the user and the platform token end, since the broker may have opened them. A platform token cannot do this. To leave partner C, call /partnerc_disconnect. */
  unlinkBroker(input: UnlinkBrokerInput, options?: CallOptions): Promise<UnlinkBrokerOutput> {
    return this.#transport.send({ name: "unlink_broker", method: "POST", path: "/unlink_broker" }, input, options);
  }

  /** Stop mails with the link of a mail. Target of the header List-Unsubscribe in mails of notifications (RFC 8058). Switches the mails of the group off, as `/set_notification_preferences` does, and puts a notice in the list of the owner. The token of a mail is for the group of the mail only. Needs no session, reads no body and ignores cookies, as mail services send the request. A repeat and an unknown token get the same answer: a page for `Accept: text/html`, as browsers send it. */
  unsubscribe(input: UnsubscribeInput, options?: CallOptions): Promise<UnsubscribeOutput> {
    return this.#transport.send({ name: "unsubscribe", method: "POST", path: "/unsubscribe" }, input, options);
  }

  /** Show the page that stops mails. Link in mails of notifications. Asks for a click, which posts to the same address. Changes nothing, as programs that check mails open their links. The same for every token. A page for `Accept: text/html`, as browsers send it. */
  unsubscribePage(input: UnsubscribePageInput, options?: CallOptions): Promise<UnsubscribePageOutput> {
    return this.#transport.send({ name: "unsubscribe_page", method: "GET", path: "/unsubscribe" }, input, options);
  }

  /** Close the position of an order by hand. Records that the owner closed the open position of the order at close_value, as a filled market order in the other direction. Fills in the other direction close the oldest fills first. Without an open position, 409. close_value may be zero, or negative if the market has negative prices. An event notifies the engine; the hub’s own engine closes the trade before its next bar. For real orders of the hub it requires the session of the owner. Returns the order. */
  updateLiveTrade(input: UpdateLiveTradeInput, options?: CallOptions): Promise<UpdateLiveTradeOutput> {
    return this.#transport.send({ name: "update_live_trade", method: "POST", path: "/update_live_trade" }, input, options);
  }

  /** Correct the broker symbol of an order. Stores the broker’s symbol with the order. The books keep the symbol that the engine reports. */
  updateLiveTradeInOrderBook(input: UpdateLiveTradeInOrderBookInput, options?: CallOptions): Promise<UpdateLiveTradeInOrderBookOutput> {
    return this.#transport.send({ name: "update_live_trade_in_order_book", method: "POST", path: "/update_live_trade_in_order_book" }, input, options);
  }

  /** Edit a strategy. Changes the given fields and raises the version; the same values change nothing. The new name is shown in every list at once. Other symbols get equal weights unless `legs` gives them. Rules stay: their operands must fit the timeframe, and they decide the direction. Running deployments and copies keep what they started with. */
  updateStrategy(input: UpdateStrategyInput, options?: CallOptions): Promise<UpdateStrategyOutput> {
    return this.#transport.send({ name: "update_strategy", method: "POST", path: "/update_strategy", body: "json" }, input, options);
  }

  /** Change a webhook endpoint. Fields that are absent stay as they are; `deployment_ids: null` and `events: []` remove a filter. `enabled: true` also sends what waited, if it is less than 3 days old. The URL holds for events that wait, too; the user is notified of another one by all channels. Always requires the session of the user. */
  updateWebhook(input: UpdateWebhookInput, options?: CallOptions): Promise<UpdateWebhookOutput> {
    return this.#transport.send({ name: "update_webhook", method: "POST", path: "/update_webhook", body: "json" }, input, options);
  }

  /** Check a partner token. Checks signature, expiry and use and, with `broker_sub`, the broker and its suspension. A token that fails a check is refused. Checking does not spend the token. */
  validateBToken(input: ValidateBTokenInput, options?: CallOptions): Promise<ValidateBTokenOutput> {
    return this.#transport.send({ name: "validate_b_token", method: "GET", path: "/validate_b_token" }, input, options);
  }

  /** Verify a phone with the code sent to it. A code has one use. The requester, the sessions of the account, and all others together have five tries each. */
  validateSmsOtp(input: ValidateSmsOtpInput, options?: CallOptions): Promise<ValidateSmsOtpOutput> {
    return this.#transport.send({ name: "validate_sms_otp", method: "POST", path: "/validate_sms_otp" }, input, options);
  }

  /** Verify the session. Returns the expiry of the access token, or 401 if the session is not valid. */
  verifySession(input: VerifySessionInput = {}, options?: CallOptions): Promise<VerifySessionOutput> {
    return this.#transport.send({ name: "verify_session", method: "POST", path: "/verify_session" }, input, options);
  }

  /** Get the user of the session. Returns the presented session with the current user, without a refresh token. */
  verifyUser(input: VerifyUserInput = {}, options?: CallOptions): Promise<VerifyUserOutput> {
    return this.#transport.send({ name: "verify_user", method: "POST", path: "/verify_user" }, input, options);
  }

  /** Follows the change events of a user, in order, without an end and through outages. Stop with `break` or the signal. */
  followEvents(input: Omit<GetEventsInput, 'wait'>, options?: FollowOptions) {
    return followEvents((choice) => this.getEvents({ ...input, ...choice }, options), input.after, options);
  }

  /** Follows the change events of the users of a broker, in order, without an end and through outages. Stop with `break` or the signal. */
  followBrokerEvents(input: Omit<GetBrokerEventsInput, 'wait'> = {}, options?: FollowOptions) {
    return followEvents((choice) => this.getBrokerEvents({ ...input, ...choice }, options), input.after, options);
  }
}
