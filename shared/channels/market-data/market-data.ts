import type { Bar } from '../../domain/candles/bars.ts';
import type { SourceTimeframe } from '../../domain/candles/timeframes.ts';
import type { Instrument } from '../../domain/instruments/instrument-records.ts';
import type { AssetClass } from '../../domain/instruments/instruments.ts';
import type { Timeframe } from '../../domain/strategies/strategies.ts';

/** Adjustment of prices, as a series names it. */
export type Adjustment = 'none' | 'splits' | 'splits_dividends';

/** Request for bars of symbols that have the other properties in common. */
export interface BarsRequest {
  /** Symbols of the provider, at most {@link MarketData.maxSymbols}. */
  readonly symbols: readonly string[];
  readonly assetClass: AssetClass;
  readonly timeframe: SourceTimeframe;
  readonly adjustment: Adjustment;
  /** Earliest and latest start of a bar, in milliseconds. */
  readonly from: number;
  readonly to: number;
  /** `next` of the page before. */
  readonly page?: string | undefined;
}

export interface BarsPage {
  /** Bars by symbol, oldest first. May lack symbols without bars. The newest bar may not be closed. */
  readonly bars: ReadonlyMap<string, readonly Bar[]>;
  /** Reason by symbol whose bars are not of the documented form. */
  readonly faults: ReadonlyMap<string, string>;
  /** Position of the next page; undefined after the last one. */
  readonly next: string | undefined;
  /** True if the provider's limit of requests is nearly used up. */
  readonly nearLimit: boolean;
}

/** A provider of market data. Its bars of minutes and hours start with the clock of the exchange. */
export interface MarketData {
  /** Symbols that one request may name. */
  readonly maxSymbols: number;
  /** Bars that one page may hold. */
  readonly pageBars: number;
  /** Requests that a run of a minute may make. */
  readonly maxRequests: number;
  /** Returns the provider's symbol of an instrument; undefined if it has none. */
  readonly symbolOf: (instrument: Instrument) => string | undefined;
  /** Returns the timeframe to request for a series; undefined if the provider has no bars for it. */
  readonly timeframeFor: (assetClass: AssetClass, timeframe: Timeframe) => SourceTimeframe | undefined;
  /** Returns the time after the close of a bar from which the provider no longer changes it. */
  readonly settleMs: (assetClass: AssetClass, timeframe: Timeframe) => number;
  /** @throws ProviderDownError, RequestRefusedError */
  readonly fetchPage: (request: BarsRequest) => Promise<BarsPage>;
}

/** The provider is down or slow, refuses the key or limits requests. Other requests would fail as well. */
export class ProviderDownError extends Error {
  /** True if no other request may be made before `retryAfterMs`, or an operator has to act. */
  readonly isFinal: boolean;
  readonly retryAfterMs: number | undefined;
  constructor(reason: string, options: { isFinal: boolean; retryAfterMs?: number | undefined }) {
    super(reason);
    this.name = 'ProviderDown';
    this.isFinal = options.isFinal;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The provider refuses one request, or its answer is not of the documented form. Other requests may succeed. */
export class RequestRefusedError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'RequestRefused';
  }
}
