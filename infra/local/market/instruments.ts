import { completeInstrument } from '../../../shared/domain/instruments/instrument-completion.ts';
import type { Instrument, Universe } from '../../../shared/domain/instruments/instrument-records.ts';
import type { AssetClass } from '../../../shared/domain/instruments/instruments.ts';
import { DEMO_EXCHANGE } from '../../../shared/domain/instruments/instruments.ts';

/** Instrument of the demo market. Nothing of it exists. */
export interface DemoInstrument {
  readonly symbol: string;
  readonly name: string;
  readonly asset_class: AssetClass;
  /** Price that the random walk is drawn back to. */
  readonly price: number;
  /** Typical move of a minute, as a part of the price. */
  readonly volatility: number;
  readonly tick_size: number;
  readonly seed: number;
}

export const DEMO_INSTRUMENTS: readonly DemoInstrument[] = [
  {
    symbol: 'NOVA.DEMO',
    name: 'Nova Robotics (demo market)',
    asset_class: 'equity',
    price: 84,
    volatility: 0.0011,
    tick_size: 0.01,
    seed: 11,
  },
  {
    symbol: 'ORBIT.DEMO',
    name: 'Orbit Airlines (demo market)',
    asset_class: 'equity',
    price: 23,
    volatility: 0.0016,
    tick_size: 0.01,
    seed: 23,
  },
  {
    symbol: 'TERRA.DEMO',
    name: 'Terra Index (demo market)',
    asset_class: 'index',
    price: 4200,
    volatility: 0.0006,
    tick_size: 0.1,
    seed: 37,
  },
  {
    symbol: 'BLITZ.DEMO',
    name: 'Blitz Coin (demo market)',
    asset_class: 'crypto',
    price: 310,
    volatility: 0.0024,
    tick_size: 0.01,
    seed: 53,
  },
];

/** Universe of the demo market. */
export const DEMO_UNIVERSE: Universe = {
  universe_id: 'demo-market',
  name: 'Demo market',
  description: 'The instruments of the demo market. Nothing of them exists.',
  symbols: DEMO_INSTRUMENTS.map(({ symbol }) => symbol),
};

/** Returns an instrument as the catalogue stores it. */
export const catalogueEntryOf = ({ symbol, name, asset_class, tick_size }: DemoInstrument): Instrument => {
  const facts = {
    symbol,
    name,
    asset_class,
    exchange: DEMO_EXCHANGE,
    quote_currency: 'USD',
    tick_size,
    contract_size: 1,
    listings: {},
  };
  const { data, problems } = completeInstrument(facts, undefined);
  if (!data)
    throw new Error(`${symbol} of the demo market is not a valid instrument: ${problems.join('; ')}`);
  return data;
};
