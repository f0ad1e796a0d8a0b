import type { AdapterName } from '../deployments/event-source.ts';
import type { Instrument } from '../instruments/instrument-records.ts';

/** An instrument as a broker trades it. */
export interface TradedInstrument {
  /** Symbol of the broker. */
  readonly broker_symbol: string;
  readonly asset_class: 'equity' | 'crypto';
}

type InstrumentFacts = Pick<
  Instrument,
  'symbol' | 'asset_class' | 'base_currency' | 'quote_currency' | 'contract_size'
>;

/** Facts of an adapter that need no call to its broker. */
interface AdapterFacts {
  /** Name of the broker in texts. */
  readonly title: string;
  /** Sentence for the owner about the keys to make. */
  readonly keysHint: string;
  /** Currencies of deployments on any of its accounts, if an account has no currency of its own. */
  readonly currencies?: readonly string[];
  /** True if an account holds assets and no positions: never less than nothing, and what its owner has for other reasons. */
  readonly isSpot: boolean;
  /**
   * Time after an attempt without an answer in which a lookup may not find an order yet, in milliseconds. Until then it is
   * not placed again. Zero if the broker takes no second order with the same id.
   */
  readonly appearsWithinMs: number;
  /** Lookups of one order that cost as much as the list of all open ones. */
  readonly lookupsPerList: number;
  /** Returns how the broker names an instrument; a text is the reason why it does not trade it. */
  readonly instrumentAt: (instrument: InstrumentFacts) => TradedInstrument | string;
}

const LOTS = 'trades single units, and the instrument has lots.';

/** Brokers at which the hub places orders. The code that calls a broker is loaded by the functions of its adapter only. */
export const ADAPTER_FACTS: Readonly<Record<AdapterName, AdapterFacts>> = {
  alpaca: {
    title: 'Alpaca',
    keysHint: 'Make a pair of keys on the dashboard of the account.',
    isSpot: false,
    appearsWithinMs: 0,
    lookupsPerList: 1,
    instrumentAt: ({ symbol, asset_class, base_currency: base, quote_currency: quote, contract_size }) => {
      if (asset_class !== 'equity' && asset_class !== 'crypto')
        return 'Alpaca trades shares and crypto assets only.';
      if (contract_size !== 1) return `Alpaca ${LOTS}`;
      const isPair = asset_class === 'crypto' && base !== undefined;
      return { broker_symbol: isPair ? `${base}/${quote}` : symbol, asset_class };
    },
  },
  binance: {
    title: 'Binance',
    keysHint: 'Make a system-generated key that may read and trade spot, and not withdraw.',
    currencies: ['USDT', 'USDC', 'BTC', 'ETH', 'EUR'],
    isSpot: true,
    // An id of a filled order may be used again. Binance itself refuses a call five seconds after it was made.
    appearsWithinMs: 15_000,
    // The list of all has a weight of 80, a lookup one of 4.
    lookupsPerList: 20,
    instrumentAt: ({ asset_class, base_currency: base, quote_currency: quote, contract_size }) => {
      if (asset_class !== 'crypto' || base === undefined) return 'Binance trades crypto assets only.';
      if (quote === 'USD') return 'Binance trades no pairs with USD. Take the pair with USDT or USDC.';
      if (contract_size !== 1) return `Binance ${LOTS}`;
      return { broker_symbol: `${base}${quote}`, asset_class };
    },
  },
};
