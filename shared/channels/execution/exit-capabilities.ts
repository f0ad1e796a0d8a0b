import type { AdapterName } from '../../domain/deployments/event-source.ts';
import { decimal } from '../../domain/money.ts';

/** Exits that a broker keeps for a position until a price is reached. */
export interface ExitCapabilities {
  /**
   * - `oco`: a stop and a target, of which one fills.
   * - `stop`: a stop that becomes a market order.
   * - `stop_limit`: a stop that becomes a limit order, `band` beyond it.
   * - `none`: nothing rests at the broker. The hub watches all levels at closes of bars.
   */
  readonly kind: 'oco' | 'stop' | 'stop_limit' | 'none';
  /** Levels that rest at the broker. The hub watches the others at closes of bars. */
  readonly levels: readonly ('stop' | 'target')[];
  /** `day` orders end with the session and are placed again when the next one opens. */
  readonly timeInForce: 'day' | 'gtc';
  /** Hours in which a resting stop works. */
  readonly hours: 'session' | 'always';
  /** Distance of the limit of a `stop_limit` from its stop, as a part of it. The stop does not fill beyond it. */
  readonly band?: string;
  /** True if an order of an exit is moved by replacing it; it is cancelled and placed again otherwise. */
  readonly isMovable: boolean;
  /** True if a resting exit makes a second or an opposite order on the same account and symbol impossible. */
  readonly isExclusive: boolean;
}

/** Instrument and size of a position. */
export interface ExitSubject {
  readonly assetClass: string;
  /** Quantity of a position, or the step of the quantities that an account trades. Decimal text. */
  readonly quantity: string;
}

/** Distance of the limit from the stop for crypto assets at Alpaca. */
const ALPACA_BAND = '0.02';

const NONE: ExitCapabilities = {
  kind: 'none',
  levels: [],
  timeInForce: 'gtc',
  hours: 'always',
  isMovable: false,
  isExclusive: false,
};

/**
 * Returns the exits that Alpaca keeps, by its page "Placing Orders": order classes are for whole shares, fractions take
 * simple orders of a day, crypto assets have no stop orders and no classes.
 */
const alpacaExits = ({ assetClass, quantity }: ExitSubject): ExitCapabilities => {
  if (assetClass === 'crypto') {
    return {
      kind: 'stop_limit',
      levels: ['stop'],
      timeInForce: 'gtc',
      hours: 'always',
      band: ALPACA_BAND,
      isMovable: true,
      isExclusive: true,
    };
  }
  if (assetClass !== 'equity') return NONE;
  return decimal(quantity).mod(1).eq(0)
    ? {
        kind: 'oco',
        levels: ['stop', 'target'],
        timeInForce: 'gtc',
        hours: 'session',
        isMovable: true,
        isExclusive: true,
      }
    : {
        kind: 'stop',
        levels: ['stop'],
        timeInForce: 'day',
        hours: 'session',
        isMovable: true,
        isExclusive: true,
      };
};

/** Exits that Binance keeps, by its page "New Order list - OCO". A stop becomes an order at the market. */
const BINANCE_EXITS: ExitCapabilities = {
  kind: 'oco',
  levels: ['stop', 'target'],
  timeInForce: 'gtc',
  hours: 'always',
  isMovable: false,
  isExclusive: true,
};

/** Returns the exits that the broker of an adapter keeps for a position. Refusals before deploying and the adapter ask it. */
export const exitCapabilities = (adapter: AdapterName, subject: ExitSubject): ExitCapabilities => {
  switch (adapter) {
    case 'alpaca':
      return alpacaExits(subject);
    case 'binance':
      return BINANCE_EXITS;
    default:
      return adapter satisfies never;
  }
};
