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
    email: string;
    password: string;
    broker_domain: string;
    name?: string;
    ph_number?: string;
    account_id?: string;
    server_id?: number;
    partner_token?: string;
};
export type UserBroker = {
    broker_id: number;
    name: string;
    connected: boolean;
    account_id: string | null;
    server_id: number | null;
};
export type Subscription = {
    plan: "free" | "pro" | "unlimited";
    status: "active" | "cancelled" | "expired";
    expires_at: string | null;
    deploy_limit: number;
    deploy_used: number;
};
export type RegisteredUser = {
    user_id: string;
    user_key: string;
    email: string;
    name: string;
    avatar_url: string | null;
    email_verified: boolean;
    ph_number: string | null;
    ph_verified: boolean;
    broker_id: number | null;
    brokers: UserBroker[];
    subscription: Subscription;
    referral_code: string;
    created_at: string;
};
export type ErrorResponse = {
    /** A sentence to act on. */
    detail: string;
    /** Stable: what a client switches on. */
    code: string;
};
export type ValidationError = {
    loc: (string | number)[];
    msg: string;
    "type": string;
};
export type HttpValidationError = {
    detail?: ValidationError[];
};
export type BodyOauthTokenOauthTokenPost = {
    /** client_credentials */
    grant_type?: string;
    /** broker:read, which is also what is meant without it */
    scope?: string;
    client_id?: string;
    client_secret?: string;
};
export type AccessToken = {
    access_token: string;
    token_type: "Bearer";
    expires_in: number;
    scope: "broker:read";
};
export type OAuthError = {
    error: "invalid_request" | "invalid_client" | "unauthorized_client" | "unsupported_grant_type" | "invalid_scope";
    error_description: string;
};
export type IntegratorSlippage = {
    order_id: number;
    deployment_id: number;
    strategy_id: number;
    mode: "live" | "virtual";
    "symbol": string;
    side: "buy" | "sell";
    quantity: number;
    expected_price: number;
    fill_price: number;
    slippage: number;
    slippage_bps: number | null;
    slippage_amount: number;
    currency: string;
    signal_at: string;
    filled_at: string;
    latency_ms: number;
};
export type GatewayError = {
    message: string;
};
export type IntegratorLiveDeployment = {
    deployment_id: number;
    strategy_id: number;
    strategy_name: string;
    symbols: string[];
    timeframe: "1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w";
    broker_id: number | null;
    account_id: string | null;
    mode: "live" | "virtual";
    status: "requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error";
    phase: "waiting" | "entered" | "exited";
    stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected") | null;
    realized_pnl: number;
    unrealized_pnl: number | null;
    today_pnl: number | null;
    total_pnl: number | null;
    gross_pnl: number;
    fees: number;
    swap: number;
    currency: string;
    starting_capital: number;
    return_pct: number | null;
    trades_count: number;
    open_orders: number;
    prediction_market: boolean;
    deployed_at: string;
    started_at: string | null;
    stopped_at: string | null;
    expires_at: string | null;
    updated_at: string;
    as_of: string | null;
    positions: {
        "symbol": string;
        side: "long" | "short";
        quantity: number;
        average_price: number;
        last_price: number | null;
        unrealized_pnl: number | null;
        as_of: string | null;
    }[];
    "type": "live";
};
export type IntegratorNotificationDeployment = {
    deployment_id: number;
    strategy_id: number;
    strategy_name: string;
    symbols: string[];
    timeframe: "1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w";
    status: "requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error";
    phase: "waiting" | "entered" | "exited";
    deployed_at: string;
    started_at: string | null;
    stopped_at: string | null;
    expires_at: string | null;
    stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected") | null;
    "type": "notification";
    frequency: "every_signal" | "once_per_bar" | "once_per_day";
    last_signal: {
        side: "buy" | "sell";
        price: number | null;
        at: string;
    } | null;
    signals_count: number;
};
export type IntegratorScanner = {
    deployment_id: number;
    strategy_id: number;
    strategy_name: string;
    symbols: string[];
    timeframe: "1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w";
    status: "requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error";
    phase: "waiting" | "entered" | "exited";
    deployed_at: string;
    started_at: string | null;
    stopped_at: string | null;
    expires_at: string | null;
    stop_reason: ("completed" | "user" | "expired" | "order_rejected" | "risk_limit" | "kill_switch" | "broker_disconnected") | null;
    "type": "scanner";
    universe_id: string;
    universe_name: string;
    last_run_at: string | null;
    matches_count: number;
    last_matches: {
        "symbol": string;
        price: number | null;
        at: string;
    }[];
};
export type PageIntegratorDeployment = {
    items: (IntegratorLiveDeployment | IntegratorNotificationDeployment | IntegratorScanner)[];
    total: number;
    page: number;
    size: number;
    pages: number;
};
export type PageIntegratorScanner = {
    items: IntegratorScanner[];
    total: number;
    page: number;
    size: number;
    pages: number;
};
export type IntegratorTrade = {
    trade_number: number;
    deployment_id: number;
    strategy_id: number;
    mode: "live" | "virtual";
    "symbol": string;
    side: "long" | "short";
    quantity: number;
    entry_price: number;
    exit_price: number;
    gross_pnl: number;
    fees: number;
    swap: number;
    net_pnl: number;
    currency: string;
    opened_at: string;
    closed_at: string;
    duration_s: number;
};
export type PageIntegratorTrade = {
    items: IntegratorTrade[];
    total: number;
    page: number;
    size: number;
    pages: number;
};
export type IntegratorStrategy = {
    strategy_id: number;
    strategy_name: string;
    description: string | null;
    symbols: string[];
    timeframe: "1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w";
    asset_class: "equity" | "index" | "forex" | "commodity" | "crypto" | "multi";
    direction: "long" | "short" | "both";
    broker_id: number | null;
    status: "draft" | "ready" | "archived";
    is_copied: number;
    parent_strategy_id: number | null;
    publish_state: number;
    is_listed: boolean;
    version: number;
    like_count: number;
    copy_count: number;
    deployment_count: number;
    created_at: string;
    updated_at: string;
    legs: {
        "symbol": string;
        weight: number;
    }[];
};
export type PageIntegratorStrategy = {
    items: IntegratorStrategy[];
    total: number;
    page: number;
    size: number;
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
            broker_id: number;
            guid: string | null;
            broker_name: string;
            subdomain: string;
            website: string | null;
            logo_url: string | null;
            broker_favicon_url: string | null;
            broker_app_name: string | null;
            accent_color: string | null;
            support_email: string | null;
            secret: string;
            rotated: boolean;
            created_at: string;
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
 * The slippage of a user’s trades
 */
export function getBrokerUserSlippageByEmailBrokerGetBrokerUserSlippageByEmailGet(userEmail: string, { limit }: {
    limit?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            items: IntegratorSlippage[];
            summary: {
                count: number;
                mean_bps: number | null;
                median_bps: number | null;
                p95_bps: number | null;
                worst_bps: number | null;
                total_amount: number | null;
                currency: string | null;
            };
            total: number;
            limit: number;
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
 * How a deployment of a strategy has done
 */
export function getUserStrategyPerformanceBrokerGetUserStrategyPerformanceGet(strategyId: number, deploymentId: number, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            deployment_id: number;
            strategy_id: number;
            strategy_name: string;
            mode: "live" | "virtual";
            status: "requested" | "active" | "paused" | "halted" | "stopped" | "expired" | "error";
            currency: string;
            starting_capital: number;
            metrics: {
                total_return_pct: number | null;
                cagr_pct: number | null;
                volatility_pct: number | null;
                sharpe_ratio: number | null;
                sortino_ratio: number | null;
                max_drawdown_pct: number | null;
                max_drawdown_abs: number | null;
                max_drawdown_equity_pct: number | null;
                calmar_ratio: number | null;
                win_rate_pct: number | null;
                trades_count: number;
                wins: number;
                losses: number;
                breakeven: number;
                profit_factor: number | null;
                avg_win: number | null;
                avg_loss: number | null;
                payoff_ratio: number | null;
                expectancy: number | null;
                expectancy_ratio: number | null;
                largest_win: number | null;
                largest_loss: number | null;
                max_consecutive_wins: number;
                max_consecutive_losses: number;
                avg_duration_s: number | null;
                exposure_pct: number | null;
                recovery_factor: number | null;
                period_start: string;
                period_end: string;
                sample_sufficient: boolean;
                metrics_version: number;
            };
            equity_curve: {
                day: string;
                equity: number;
            }[];
            pnl: {
                by_day: {
                    period: string;
                    pnl: number;
                    trades: number;
                }[];
                by_week: {
                    period: string;
                    pnl: number;
                    trades: number;
                }[];
                by_month: {
                    period: string;
                    pnl: number;
                    trades: number;
                }[];
            };
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
 * The deployments of a user
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
 * The scanners of a user
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
 * The trades of a user’s deployments
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
 * The strategies of a user
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
