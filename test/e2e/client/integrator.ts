// @ts-nocheck
/**
 * Strategy Hub
 * 0.1.0
 * DO NOT MODIFY - This file has been generated using oazapfts.
 * See https://www.npmjs.com/package/oazapfts
 */
import * as Oazapfts from "@oazapfts/runtime";
import * as QS from "@oazapfts/runtime/query";
export const defaults: Oazapfts.Defaults<Oazapfts.CustomHeaders> = {
    headers: {},
    baseUrl: "/"
};
const oazapfts = Oazapfts.runtime(defaults);
export const servers = {};
export type BodyRegisterUserBrokerRegisterUserBrokerPost = {
    /** E-mail address. Compared without regard to case. */
    email: string;
    /** Password, 8 to 1,024 characters. */
    password: string;
    /** Sub-domain of the white-label broker. */
    broker_domain: string;
    /** Name for people. */
    name?: string;
    /** Phone number, E.164. */
    ph_number?: string;
    /** Account number at the broker. */
    account_id?: string;
    /** Id of the trading server of the account. */
    server_id?: number;
    /** Partner token, from `/generate_partnera_token` or `/partnerb/generate_token`. */
    partner_token?: string;
};
export type UserBroker = {
    /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
    broker_id: number;
    /** Name for people. */
    name: string;
    /** Whether the connection works now. */
    connected: boolean;
    /** Account number at the broker. */
    account_id: string | null;
    /** Id of the trading server of the account. */
    server_id: number | null;
};
export type Subscription = {
    /** Subscription plan. */
    plan: "free" | "pro" | "unlimited";
    /** Status of the subscription. */
    status: "active" | "cancelled" | "expired";
    /** Time when the subscription ends. ISO-8601 UTC; null without an end. */
    expires_at: string | null;
    /** Active deployments that the plan allows. */
    deploy_limit: number;
    /** Active deployments now. */
    deploy_used: number;
};
export type RegisteredUser = {
    /** Secret id of the user. It is a credential: do not log or share it. */
    user_id: string;
    /** Public id of the user. */
    user_key: string;
    /** E-mail address. Compared without regard to case. */
    email: string;
    /** Name for people. */
    name: string;
    /** Address of the profile picture. */
    avatar_url: string | null;
    /** Whether the user proved the e-mail address. */
    email_verified: boolean;
    /** Phone number, E.164. */
    ph_number: string | null;
    /** Whether the user proved the phone number. */
    ph_verified: boolean;
    /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
    broker_id: number | null;
    /** Brokers that the user is linked to. */
    brokers: UserBroker[];
    subscription: Subscription;
    /** Referral code. */
    referral_code: string;
    /** Time of creation. ISO-8601 UTC. */
    created_at: string;
};
export type ErrorResponse = {
    /** Message for people. */
    detail: string;
    /** Stable error code for programs. */
    code: string;
};
export type ValidationError = {
    /** Path to the value: part of the request, then field names and indexes. */
    loc: (string | number)[];
    /** Problem with the value. */
    msg: string;
    /** Stable error type for programs. */
    "type": string;
};
export type HttpValidationError = {
    /** All problems of the request. */
    detail?: ValidationError[];
};
export type KillSwitchChange = {
    /** Whether a kill switch is thrown. */
    thrown: boolean;
    /** Whether the request changed something. */
    changed: boolean;
};
export type GatewayError = {
    /** Message of the gateway. */
    message: string;
};
export type ThrownSwitch = {
    /** Deployments that it covers: of the `user`, of the `broker`, or of the whole `service`. */
    level: "user" | "broker" | "service";
    /** Who threw it: `user`, `broker` or `operator`. Only they re-arm it. */
    by: "user" | "broker" | "operator";
    /** Broker whose deployments it covers; null for deployments everywhere. */
    broker_id: number | null;
    /** Time since which it holds. ISO-8601 UTC. */
    since: string;
    /** Reason that was given. */
    reason: string;
    /** Whether positions are closed, too. */
    flatten: boolean;
};
export type KillSwitchTrailEntry = {
    /** Time of the action. ISO-8601 UTC. */
    at: string;
    /** Recorded action. */
    action: "kill_switch_thrown" | "kill_switch_re_armed";
    /** Who did it: `broker` or `operator`. */
    by: "user" | "broker" | "operator";
    /** Reason that was given. */
    reason: string;
    /** User whose deployments it covers; null for all users of the broker. */
    user_email: string | null;
    /** Whether positions are closed, too. */
    flatten: boolean;
};
export type BrokerKillSwitch = {
    /** Whether a kill switch is thrown. */
    thrown: boolean;
    /** Thrown kill switches, of the service first, then of brokers, then of the user. */
    switches: ThrownSwitch[];
    /** Entries of this page. */
    items: KillSwitchTrailEntry[];
    /** Entries of the whole list. */
    total: number;
    /** Page number, from 1. A page past the end is empty. */
    page: number;
    /** Entries per page. */
    size: number;
    /** Number of pages; 0 for an empty list. */
    pages: number;
};
export type BodyOauthTokenOauthTokenPost = {
    /** Always `client_credentials`. */
    grant_type?: "client_credentials";
    /** Scope to ask for. `broker:read` when absent. `broker:risk` lets the broker throw kill switches. */
    scope?: "broker:read" | "broker:read broker:risk";
    /** GUID of the broker, unless HTTP Basic carries it. */
    client_id?: string;
    /** Secret of the broker, unless HTTP Basic carries it. */
    client_secret?: string;
};
export type AccessToken = {
    /** Access token (JWT). Send it as `Authorization: Bearer`. */
    access_token: string;
    /** Type of the token. */
    token_type: "Bearer";
    /** Seconds until expiry. */
    expires_in: number;
    /** Granted scope. */
    scope: "broker:read" | "broker:read broker:risk";
};
export type OAuthError = {
    /** Error code of OAuth 2.0. */
    error: "invalid_request" | "invalid_client" | "unauthorized_client" | "unsupported_grant_type" | "invalid_scope";
    /** Explanation of the error for people. */
    error_description: string;
};
export type IntegratorSlippage = {
    /** Order id. */
    order_id: number;
    /** Deployment id. */
    deployment_id: number;
    /** Strategy id. */
    strategy_id: number;
    /** `live` trades real money, `virtual` trades on paper. */
    mode: "live" | "virtual";
    /** Symbol of the instrument. */
    "symbol": string;
    /** Direction. */
    side: "buy" | "sell";
    /** Filled quantity, in lots of the instrument. Decimal. */
    quantity: number;
    /** Price at the time of the signal. Decimal, in the quote currency of the symbol. */
    expected_price: number;
    /** Average fill price. Decimal, in the quote currency of the symbol. */
    fill_price: number;
    /** Difference of fill price and expected price. Positive is to the user’s disadvantage. Decimal, in the quote currency of the symbol. */
    slippage: number;
    /** Slippage in basis points of the expected price. Positive is to the user’s disadvantage; null for an expected price of zero. */
    slippage_bps: number | null;
    /** Cost of the slippage, in `currency`. Decimal; positive is to the user’s disadvantage. */
    slippage_amount: number;
    /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
    currency: string;
    /** Time of the signal. ISO-8601 UTC. */
    signal_at: string;
    /** Time when the order was filled, or of its first fill before. ISO-8601 UTC. */
    filled_at: string;
    /** Milliseconds from the signal to the first fill. */
    latency_ms: number;
};
export type IntegratorLiveDeployment = {
    /** Deployment id. */
    deployment_id: number;
    /** Strategy id. */
    strategy_id: number;
    /** Name of the strategy. Unique among the user’s strategies. */
    strategy_name: string;
    /** Symbols of the instruments. */
    symbols: string[];
    /** Length of a bar. */
    timeframe: "1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w";
    /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
    broker_id: number | null;
    /** Account at the calling broker; null for an account elsewhere. */
    account_id: string | null;
    /** `live` trades real money, `virtual` trades on paper. */
    mode: "live" | "virtual";
    /** Engine that runs the deployment: `hub` for a strategy with rules, else `external`, which reports as events. */
    engine: "external" | "hub";
    /** Status of the deployment. */
    status: "requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error";
    /** Place in the trading cycle. */
    phase: "waiting" | "entered" | "exited";
    /** Reason for the end; null while running. */
    stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing") | null;
    /** Realised profit or loss after fees and swap, in `currency`. Decimal. */
    realized_pnl: number;
    /** Profit or loss of open positions at their latest price, in `currency`. Decimal; null without a price. */
    unrealized_pnl: number | null;
    /** Profit or loss since the start of the day (UTC), in `currency`. Decimal; null without a price. */
    today_pnl: number | null;
    /** `realized_pnl` plus `unrealized_pnl`, in `currency`. Decimal; null without a price. */
    total_pnl: number | null;
    /** Realised profit or loss before fees and swap, in `currency`. Decimal. */
    gross_pnl: number;
    /** Fees, in `currency`. Decimal; positive is a cost. */
    fees: number;
    /** Swap, in `currency`. Decimal; negative is a charge to the account. */
    swap: number;
    /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
    currency: string;
    /** Capital at deploying, in `currency`. Decimal. */
    starting_capital: number;
    /** `total_pnl` in percent points of `starting_capital`. */
    return_pct: number | null;
    /** Closed trades. */
    trades_count: number;
    /** Orders that are not final. */
    open_orders: number;
    /** Whether the deployment trades on a prediction market. */
    prediction_market: boolean;
    /** Time of deploying. ISO-8601 UTC. */
    deployed_at: string;
    /** Time when the engine started. ISO-8601 UTC; null before. */
    started_at: string | null;
    /** Time of the end. ISO-8601 UTC; null while running. */
    stopped_at: string | null;
    /** Time of expiry. ISO-8601 UTC; null without one. */
    expires_at: string | null;
    /** Time of the last change. ISO-8601 UTC. */
    updated_at: string;
    /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
    as_of: string | null;
    /** Open positions. */
    positions: {
        /** Symbol of the instrument. */
        "symbol": string;
        /** Direction. */
        side: "long" | "short";
        /** Quantity, in lots of the instrument. Decimal. */
        quantity: number;
        /** Average price, weighted by quantity. Decimal, in the quote currency of the symbol. */
        average_price: number;
        /** Latest price. Decimal, in the quote currency of the symbol; null before the first price. */
        last_price: number | null;
        /** Profit or loss of open positions at their latest price, in `currency`. Decimal; null without a price. */
        unrealized_pnl: number | null;
        /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
        as_of: string | null;
    }[];
    /** Kind of the deployment; `live` covers real and paper trading. */
    "type": "live";
};
export type IntegratorNotificationDeployment = {
    /** Deployment id. */
    deployment_id: number;
    /** Strategy id. */
    strategy_id: number;
    /** Name of the strategy. Unique among the user’s strategies. */
    strategy_name: string;
    /** Symbols of the instruments. */
    symbols: string[];
    /** Length of a bar. */
    timeframe: "1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w";
    /** Engine that runs the deployment: `hub` for a strategy with rules, else `external`, which reports as events. */
    engine: "external" | "hub";
    /** Status of the deployment. */
    status: "requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error";
    /** Place in the trading cycle. */
    phase: "waiting" | "entered" | "exited";
    /** Time of deploying. ISO-8601 UTC. */
    deployed_at: string;
    /** Time when the engine started. ISO-8601 UTC; null before. */
    started_at: string | null;
    /** Time of the end. ISO-8601 UTC; null while running. */
    stopped_at: string | null;
    /** Time of expiry. ISO-8601 UTC; null without one. */
    expires_at: string | null;
    /** Reason for the end; null while running. */
    stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing") | null;
    /** Kind of the deployment; `live` covers real and paper trading. */
    "type": "notification";
    /** Limit on how often a signal notifies. */
    frequency: "every_signal" | "once_per_bar" | "once_per_day";
    /** Latest signal; null before the first. */
    last_signal: {
        /** Direction. */
        side: "buy" | "sell";
        /** Limit price. Decimal, in the quote currency of the symbol; null without one. */
        price: number | null;
        /** Time of the event. ISO-8601 UTC. */
        at: string;
    } | null;
    /** Signals since deploying. */
    signals_count: number;
};
export type IntegratorScanner = {
    /** Deployment id. */
    deployment_id: number;
    /** Strategy id. */
    strategy_id: number;
    /** Name of the strategy. Unique among the user’s strategies. */
    strategy_name: string;
    /** Symbols of the instruments. */
    symbols: string[];
    /** Length of a bar. */
    timeframe: "1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w";
    /** Engine that runs the deployment: `hub` for a strategy with rules, else `external`, which reports as events. */
    engine: "external" | "hub";
    /** Status of the deployment. */
    status: "requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error";
    /** Place in the trading cycle. */
    phase: "waiting" | "entered" | "exited";
    /** Time of deploying. ISO-8601 UTC. */
    deployed_at: string;
    /** Time when the engine started. ISO-8601 UTC; null before. */
    started_at: string | null;
    /** Time of the end. ISO-8601 UTC; null while running. */
    stopped_at: string | null;
    /** Time of expiry. ISO-8601 UTC; null without one. */
    expires_at: string | null;
    /** Reason for the end; null while running. */
    stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected" | "position_missing") | null;
    /** Kind of the deployment; `live` covers real and paper trading. */
    "type": "scanner";
    /** Universe of instruments that is watched. */
    universe_id: string;
    /** Name of the universe. */
    universe_name: string;
    /** Time of the latest run of the scanner. ISO-8601 UTC; null before the first. */
    last_run_at: string | null;
    /** Matches since deploying. */
    matches_count: number;
    /** Instruments of the latest match; empty before the first. */
    last_matches: {
        /** Symbol of the instrument. */
        "symbol": string;
        /** Limit price. Decimal, in the quote currency of the symbol; null without one. */
        price: number | null;
        /** Time of the event. ISO-8601 UTC. */
        at: string;
    }[];
};
export type PageIntegratorDeployment = {
    /** Entries of this page. */
    items: (IntegratorLiveDeployment | IntegratorNotificationDeployment | IntegratorScanner)[];
    /** Entries of the whole list. */
    total: number;
    /** Page number, from 1. A page past the end is empty. */
    page: number;
    /** Entries per page. */
    size: number;
    /** Number of pages; 0 for an empty list. */
    pages: number;
};
export type PageIntegratorScanner = {
    /** Entries of this page. */
    items: IntegratorScanner[];
    /** Entries of the whole list. */
    total: number;
    /** Page number, from 1. A page past the end is empty. */
    page: number;
    /** Entries per page. */
    size: number;
    /** Number of pages; 0 for an empty list. */
    pages: number;
};
export type IntegratorTrade = {
    /** Number of the trade within the deployment, from 1. */
    trade_number: number;
    /** Deployment id. */
    deployment_id: number;
    /** Strategy id. */
    strategy_id: number;
    /** `live` trades real money, `virtual` trades on paper. */
    mode: "live" | "virtual";
    /** Symbol of the instrument. */
    "symbol": string;
    /** Direction. */
    side: "long" | "short";
    /** Quantity, in lots of the instrument. Decimal. */
    quantity: number;
    /** Average entry price. Decimal, in the quote currency of the symbol. */
    entry_price: number;
    /** Average exit price. Decimal, in the quote currency of the symbol. */
    exit_price: number;
    /** Realised profit or loss before fees and swap, in `currency`. Decimal. */
    gross_pnl: number;
    /** Fees, in `currency`. Decimal; positive is a cost. */
    fees: number;
    /** Swap, in `currency`. Decimal; negative is a charge to the account. */
    swap: number;
    /** Profit or loss after fees and swap, in `currency`. Decimal. */
    net_pnl: number;
    /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
    currency: string;
    /** Time of the first entry fill. ISO-8601 UTC. */
    opened_at: string;
    /** Time of the last exit fill. ISO-8601 UTC. */
    closed_at: string;
    /** Seconds from the first entry to the last exit. */
    duration_s: number;
};
export type PageIntegratorTrade = {
    /** Entries of this page. */
    items: IntegratorTrade[];
    /** Entries of the whole list. */
    total: number;
    /** Page number, from 1. A page past the end is empty. */
    page: number;
    /** Entries per page. */
    size: number;
    /** Number of pages; 0 for an empty list. */
    pages: number;
};
export type IntegratorStrategy = {
    /** Strategy id. */
    strategy_id: number;
    /** Name of the strategy. Unique among the user’s strategies. */
    strategy_name: string;
    /** Description for people. */
    description: string | null;
    /** Symbols of the instruments. */
    symbols: string[];
    /** Length of a bar. */
    timeframe: "1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w";
    /** Asset class; `multi` for a strategy over several classes. */
    asset_class: "equity" | "index" | "forex" | "commodity" | "crypto" | "multi";
    /** Directions that the strategy trades. */
    direction: "long" | "short" | "both";
    /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
    broker_id: number | null;
    /** Status of the strategy. */
    status: "draft" | "ready" | "archived";
    /** Whether the strategy is a copy: 1 yes, 0 no. */
    is_copied: number;
    /** Strategy that this one was copied from; null for a built one. */
    parent_strategy_id: number | null;
    /** Visibility: 0 private, 1 public on the profile, 2 by share key only. */
    publish_state: number;
    /** Whether the strategy is in the explore catalogue. */
    is_listed: boolean;
    /** Version of the strategy. It grows with each change. */
    version: number;
    /** Users who like the strategy. */
    like_count: number;
    /** Copies that were made of the strategy. */
    copy_count: number;
    /** Deployments that were made of the strategy. */
    deployment_count: number;
    /** Time of creation. ISO-8601 UTC. */
    created_at: string;
    /** Time of the last change. ISO-8601 UTC. */
    updated_at: string;
    /** Instruments of the strategy with their weights. */
    legs: {
        /** Symbol of the instrument. */
        "symbol": string;
        /** Weight of the leg. */
        weight: number;
    }[];
};
export type PageIntegratorStrategy = {
    /** Entries of this page. */
    items: IntegratorStrategy[];
    /** Entries of the whole list. */
    total: number;
    /** Page number, from 1. A page past the end is empty. */
    page: number;
    /** Entries per page. */
    size: number;
    /** Number of pages; 0 for an empty list. */
    pages: number;
};
/**
 * Register a user of a white-label broker
 */
export function registerUserBrokerRegisterUserBrokerPost(bodyRegisterUserBrokerRegisterUserBrokerPost: BodyRegisterUserBrokerRegisterUserBrokerPost, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: RegisteredUser;
    } | {
        status: 401;
        data: ErrorResponse;
    } | {
        status: 403;
        data: ErrorResponse;
    } | {
        status: 404;
        data: ErrorResponse;
    } | {
        status: 409;
        data: ErrorResponse;
    } | {
        status: 413;
        data: ErrorResponse;
    } | {
        status: 422;
        data: HttpValidationError;
    } | {
        status: 429;
        data: ErrorResponse;
    }>("/register_user_broker", oazapfts.form({
        ...opts,
        method: "POST",
        body: bodyRegisterUserBrokerRegisterUserBrokerPost,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Stop all orders at the broker at once, or allow them again
 */
export function brokerKillSwitchBrokerKillSwitchPost(body: {
    /** `throw` or `re_arm`. */
    action: "throw" | "re_arm";
    /** Reason, for the audit trail and for those who are affected. At most 300 characters. */
    reason: string;
    /** Whether positions are closed, too. */
    flatten?: boolean;
}, { userEmail, idempotencyKey }: {
    userEmail?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: KillSwitchChange;
    } | {
        status: 401;
        data: ErrorResponse | GatewayError;
    } | {
        status: 403;
        data: ErrorResponse | GatewayError;
    } | {
        status: 404;
        data: ErrorResponse;
    } | {
        status: 409;
        data: ErrorResponse;
    } | {
        status: 413;
        data: ErrorResponse;
    } | {
        status: 414;
        data: ErrorResponse;
    } | {
        status: 422;
        data: HttpValidationError;
    } | {
        status: 429;
        data: ErrorResponse;
    } | {
        status: 500;
        data: ErrorResponse | GatewayError;
    }>(`/broker/kill_switch${QS.query(QS.explode({
        user_email: userEmail
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read the kill switches of a broker, and who threw them
 */
export function getBrokerKillSwitchBrokerGetKillSwitchGet({ userEmail, page, size }: {
    userEmail?: string;
    page?: number;
    size?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: BrokerKillSwitch;
    } | {
        status: 401;
        data: ErrorResponse | GatewayError;
    } | {
        status: 403;
        data: ErrorResponse | GatewayError;
    } | {
        status: 404;
        data: ErrorResponse;
    } | {
        status: 414;
        data: ErrorResponse;
    } | {
        status: 422;
        data: HttpValidationError;
    } | {
        status: 429;
        data: ErrorResponse;
    } | {
        status: 500;
        data: ErrorResponse | GatewayError;
    }>(`/broker/get_kill_switch${QS.query(QS.explode({
        user_email: userEmail,
        page,
        size
    }))}`, {
        ...opts
    });
}
/**
 * Register a white-label broker, or replace its secret
 */
export function createPartneraSubdomainSecretCreatePartneraSubdomainSecretPost(brokerName: string, email: string, { website, guid, logoUrl, brokerFaviconUrl, brokerAppName, accentColor, idempotencyKey }: {
    website?: string;
    guid?: string;
    logoUrl?: string;
    brokerFaviconUrl?: string;
    brokerAppName?: string;
    accentColor?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Broker id, as `/get_b2c_brokers` and `/blloo` list them. */
            broker_id: number;
            /** GUID of the broker. It is also the broker’s `client_id` at `/oauth/token`. */
            guid: string | null;
            /** Name of the broker. Its sub-domain is made from it. */
            broker_name: string;
            /** Sub-domain of the broker: the `broker_domain` of other operations. */
            subdomain: string;
            /** HTTPS address of the broker’s website. */
            website: string | null;
            /** HTTPS address of the logo. */
            logo_url: string | null;
            /** HTTPS address of the broker’s favicon. */
            broker_favicon_url: string | null;
            /** Name of the broker’s app. */
            broker_app_name: string | null;
            /** Accent colour of the broker’s branding, as `#rgb` or `#rrggbb`. */
            accent_color: string | null;
            /** Support address of the broker. */
            support_email: string | null;
            /** Secret of the broker. Shown once. */
            secret: string;
            /** Whether an existing broker’s secret was replaced. */
            rotated: boolean;
            /** Time of creation. ISO-8601 UTC. */
            created_at: string;
            /** Time until which the previous secret works. ISO-8601 UTC; null without one. */
            previous_secret_valid_until: string | null;
        };
    } | {
        status: 401;
        data: ErrorResponse;
    } | {
        status: 403;
        data: ErrorResponse;
    } | {
        status: 409;
        data: ErrorResponse;
    } | {
        status: 414;
        data: ErrorResponse;
    } | {
        status: 422;
        data: HttpValidationError;
    } | {
        status: 429;
        data: ErrorResponse;
    }>(`/create_partnera_subdomain_secret${QS.query(QS.explode({
        broker_name: brokerName,
        email,
        website,
        guid,
        logo_url: logoUrl,
        broker_favicon_url: brokerFaviconUrl,
        broker_app_name: brokerAppName,
        accent_color: accentColor
    }))}`, {
        ...opts,
        method: "POST",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Get an access token for the operations under /broker
 */
export function oauthTokenOauthTokenPost(bodyOauthTokenOauthTokenPost: BodyOauthTokenOauthTokenPost, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: AccessToken;
    } | {
        status: 400;
        data: OAuthError;
    } | {
        status: 401;
        data: OAuthError;
    } | {
        status: 409;
        data: ErrorResponse;
    } | {
        status: 413;
        data: ErrorResponse;
    } | {
        status: 422;
        data: HttpValidationError;
    } | {
        status: 429;
        data: OAuthError;
    }>("/oauth/token", oazapfts.form({
        ...opts,
        method: "POST",
        body: bodyOauthTokenOauthTokenPost,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Get the slippage of a user’s orders
 */
export function getBrokerUserSlippageByEmailBrokerGetBrokerUserSlippageByEmailGet(userEmail: string, { limit }: {
    limit?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Entries of this page. */
            items: IntegratorSlippage[];
            /** Sums over all entries of the answer. */
            summary: {
                /** Orders in the summary. */
                count: number;
                /** Mean slippage, in basis points. */
                mean_bps: number | null;
                /** Median slippage, in basis points. */
                median_bps: number | null;
                /** 95th percentile of slippage, in basis points. */
                p95_bps: number | null;
                /** Worst slippage, in basis points. */
                worst_bps: number | null;
                /** Sum of `slippage_amount`, in `currency`. Decimal; null for orders of several currencies. */
                total_amount: number | null;
                /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
                currency: string | null;
            };
            /** Entries of the whole list. */
            total: number;
            /** Largest number of orders in the answer. */
            limit: number;
            /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
            as_of: string;
        };
    } | {
        status: 401;
        data: ErrorResponse | GatewayError;
    } | {
        status: 403;
        data: ErrorResponse | GatewayError;
    } | {
        status: 404;
        data: ErrorResponse;
    } | {
        status: 414;
        data: ErrorResponse;
    } | {
        status: 422;
        data: HttpValidationError;
    } | {
        status: 429;
        data: ErrorResponse;
    } | {
        status: 500;
        data: ErrorResponse | GatewayError;
    }>(`/broker/get_broker_user_slippage_by_email${QS.query(QS.explode({
        user_email: userEmail,
        limit
    }))}`, {
        ...opts
    });
}
/**
 * Get the performance of a deployment
 */
export function getUserStrategyPerformanceBrokerGetUserStrategyPerformanceGet(strategyId: number, deploymentId: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Deployment id. */
            deployment_id: number;
            /** Strategy id. */
            strategy_id: number;
            /** Name of the strategy. Unique among the user’s strategies. */
            strategy_name: string;
            /** `live` trades real money, `virtual` trades on paper. */
            mode: "live" | "virtual";
            /** Status of the deployment. */
            status: "requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error";
            /** Currency of the amounts in this record: ISO 4217, or a crypto symbol. */
            currency: string;
            /** Capital at deploying, in `currency`. Decimal. */
            starting_capital: number;
            /** Performance figures, open positions at their latest price. */
            metrics: {
                /** Total return, in percent points of the starting capital. */
                total_return_pct: number | null;
                /** Compound annual growth rate, in percent points. Calendar time. */
                cagr_pct: number | null;
                /** Annualised standard deviation of daily returns, in percent points. */
                volatility_pct: number | null;
                /** Annualised Sharpe ratio of daily returns (252 days, crypto 365). Risk-free rate 0. */
                sharpe_ratio: number | null;
                /** Annualised Sortino ratio of daily returns (252 days, crypto 365). Target 0. */
                sortino_ratio: number | null;
                /** Largest fall of closed-trade equity from its peak, in percent points. */
                max_drawdown_pct: number | null;
                /** Largest fall of closed-trade equity from its peak, in `currency`. Decimal. */
                max_drawdown_abs: number | null;
                /** Largest fall of daily equity from its peak, open positions included, in percent points. */
                max_drawdown_equity_pct: number | null;
                /** `cagr_pct` divided by `max_drawdown_equity_pct`. */
                calmar_ratio: number | null;
                /** Closed trades with a profit, in percent points of all; null without any. */
                win_rate_pct: number | null;
                /** Closed trades. */
                trades_count: number;
                /** Number with a profit. */
                wins: number;
                /** Number with a loss. */
                losses: number;
                /** Closed trades without profit or loss. */
                breakeven: number;
                /** Sum of profits divided by the sum of losses; null without losses. */
                profit_factor: number | null;
                /** Mean profit of winning trades, in `currency`. Decimal. */
                avg_win: number | null;
                /** Mean loss of losing trades, in `currency`. Decimal; negative. */
                avg_loss: number | null;
                /** `avg_win` divided by the size of `avg_loss`; null without losses. */
                payoff_ratio: number | null;
                /** Mean profit or loss per closed trade, in `currency`. Decimal. */
                expectancy: number | null;
                /** (1 + `payoff_ratio`) × win rate − 1, as a fraction. */
                expectancy_ratio: number | null;
                /** Largest profit of a closed trade, in `currency`. Decimal. */
                largest_win: number | null;
                /** Largest loss of a closed trade, in `currency`. Decimal; negative. */
                largest_loss: number | null;
                /** Longest run of winning trades. */
                max_consecutive_wins: number;
                /** Longest run of losing trades. */
                max_consecutive_losses: number;
                /** Mean duration of closed trades, in seconds. */
                avg_duration_s: number | null;
                /** Share of time with an open position, in percent points. */
                exposure_pct: number | null;
                /** Net profit divided by `max_drawdown_abs`. */
                recovery_factor: number | null;
                /** Start of the period that the figures cover. ISO-8601 UTC. */
                period_start: string;
                /** End of the period that the figures cover. ISO-8601 UTC. */
                period_end: string;
                /** Whether there are at least 30 closed trades. */
                sample_sufficient: boolean;
                /** Version of the formulas. */
                metrics_version: number;
            };
            /** Daily equity, at most 500 points, oldest first. */
            equity_curve: {
                /** Day (UTC), as `2026-03-06`. */
                day: string;
                /** Equity at the end of the day, in `currency`. Decimal; the open day at the latest prices. */
                equity: number;
            }[];
            /** Profit and loss by day, week and month. */
            pnl: {
                /** Profit and loss by day (UTC), oldest first. */
                by_day: {
                    /** First day of the period (UTC), as `2026-03-02`. */
                    period: string;
                    /** Realised result of the period after fees and swap, in `currency`. Decimal. */
                    pnl: number;
                    /** Closed trades. */
                    trades: number;
                }[];
                /** Profit and loss by week (UTC, from Monday), oldest first. */
                by_week: {
                    /** First day of the period (UTC), as `2026-03-02`. */
                    period: string;
                    /** Realised result of the period after fees and swap, in `currency`. Decimal. */
                    pnl: number;
                    /** Closed trades. */
                    trades: number;
                }[];
                /** Profit and loss by month (UTC), oldest first. */
                by_month: {
                    /** Month (UTC), as `2026-03`. */
                    period: string;
                    /** Realised result of the period after fees and swap, in `currency`. Decimal. */
                    pnl: number;
                    /** Closed trades. */
                    trades: number;
                }[];
            };
            /** Time of the newest data behind these figures. ISO-8601 UTC; null without data. */
            as_of: string;
        };
    } | {
        status: 401;
        data: ErrorResponse | GatewayError;
    } | {
        status: 403;
        data: ErrorResponse | GatewayError;
    } | {
        status: 404;
        data: ErrorResponse;
    } | {
        status: 414;
        data: ErrorResponse;
    } | {
        status: 422;
        data: HttpValidationError;
    } | {
        status: 429;
        data: ErrorResponse;
    } | {
        status: 500;
        data: ErrorResponse | GatewayError;
    }>(`/broker/get_user_strategy_performance${QS.query(QS.explode({
        strategy_id: strategyId,
        deployment_id: deploymentId
    }))}`, {
        ...opts
    });
}
/**
 * List the deployments of a user
 */
export function getAllUserDeploymentsBrokerGetAllUserDeploymentsGet(userEmail: string, { page, size }: {
    page?: number;
    size?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PageIntegratorDeployment;
    } | {
        status: 401;
        data: ErrorResponse | GatewayError;
    } | {
        status: 403;
        data: ErrorResponse | GatewayError;
    } | {
        status: 404;
        data: ErrorResponse;
    } | {
        status: 414;
        data: ErrorResponse;
    } | {
        status: 422;
        data: HttpValidationError;
    } | {
        status: 429;
        data: ErrorResponse;
    } | {
        status: 500;
        data: ErrorResponse | GatewayError;
    }>(`/broker/get_all_user_deployments${QS.query(QS.explode({
        user_email: userEmail,
        page,
        size
    }))}`, {
        ...opts
    });
}
/**
 * List the scanners of a user
 */
export function getAllUserScannersBrokerGetAllUserScannersGet(userEmail: string, { page, size }: {
    page?: number;
    size?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PageIntegratorScanner;
    } | {
        status: 401;
        data: ErrorResponse | GatewayError;
    } | {
        status: 403;
        data: ErrorResponse | GatewayError;
    } | {
        status: 404;
        data: ErrorResponse;
    } | {
        status: 414;
        data: ErrorResponse;
    } | {
        status: 422;
        data: HttpValidationError;
    } | {
        status: 429;
        data: ErrorResponse;
    } | {
        status: 500;
        data: ErrorResponse | GatewayError;
    }>(`/broker/get_all_user_scanners${QS.query(QS.explode({
        user_email: userEmail,
        page,
        size
    }))}`, {
        ...opts
    });
}
/**
 * List the closed trades of a user
 */
export function getAllTradesByUserDeploymentsBrokerGetAllTradesByUserDeploymentsGet(userEmail: string, { page, size }: {
    page?: number;
    size?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PageIntegratorTrade;
    } | {
        status: 401;
        data: ErrorResponse | GatewayError;
    } | {
        status: 403;
        data: ErrorResponse | GatewayError;
    } | {
        status: 404;
        data: ErrorResponse;
    } | {
        status: 414;
        data: ErrorResponse;
    } | {
        status: 422;
        data: HttpValidationError;
    } | {
        status: 429;
        data: ErrorResponse;
    } | {
        status: 500;
        data: ErrorResponse | GatewayError;
    }>(`/broker/get_all_trades_by_user_deployments${QS.query(QS.explode({
        user_email: userEmail,
        page,
        size
    }))}`, {
        ...opts
    });
}
/**
 * List the strategies of a user
 */
export function getUserStrategiesBrokerGetUserStrategiesGet(userEmail: string, { page, size }: {
    page?: number;
    size?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PageIntegratorStrategy;
    } | {
        status: 401;
        data: ErrorResponse | GatewayError;
    } | {
        status: 403;
        data: ErrorResponse | GatewayError;
    } | {
        status: 404;
        data: ErrorResponse;
    } | {
        status: 414;
        data: ErrorResponse;
    } | {
        status: 422;
        data: HttpValidationError;
    } | {
        status: 429;
        data: ErrorResponse;
    } | {
        status: 500;
        data: ErrorResponse | GatewayError;
    }>(`/broker/get_user_strategies${QS.query(QS.explode({
        user_email: userEmail,
        page,
        size
    }))}`, {
        ...opts
    });
}
