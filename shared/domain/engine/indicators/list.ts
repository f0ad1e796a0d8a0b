import * as adx from './adx.ts';
import * as atr from './atr.ts';
import * as bollinger from './bollinger.ts';
import * as cci from './cci.ts';
import type { Formula, Row } from './declare.ts';
import * as ema from './ema.ts';
import * as highest from './highest.ts';
import * as lowest from './lowest.ts';
import * as macd from './macd.ts';
import * as mfi from './mfi.ts';
import * as obv from './obv.ts';
import * as psar from './psar.ts';
import * as roc from './roc.ts';
import * as rsi from './rsi.ts';
import * as sma from './sma.ts';
import * as stddev from './stddev.ts';
import * as stochastic from './stochastic.ts';
import * as supertrend from './supertrend.ts';
import * as vwap from './vwap.ts';
import * as wma from './wma.ts';

/** Declarations in the order of lists. */
export const DECLARATIONS = {
  sma: sma.declaration,
  ema: ema.declaration,
  wma: wma.declaration,
  rsi: rsi.declaration,
  macd: macd.declaration,
  bollinger: bollinger.declaration,
  atr: atr.declaration,
  adx: adx.declaration,
  stochastic: stochastic.declaration,
  supertrend: supertrend.declaration,
  vwap: vwap.declaration,
  highest: highest.declaration,
  lowest: lowest.declaration,
  roc: roc.declaration,
  stddev: stddev.declaration,
  cci: cci.declaration,
  obv: obv.declaration,
  mfi: mfi.declaration,
  psar: psar.declaration,
} as const;

type Declarations = typeof DECLARATIONS;
export type IndicatorName = keyof Declarations;

/** Formulas, apart from the declarations so that bundles without the engine leave them out. */
export const FORMULAS: { readonly [N in IndicatorName]: Formula<Declarations[N]> } = {
  sma: sma.formula,
  ema: ema.formula,
  wma: wma.formula,
  rsi: rsi.formula,
  macd: macd.formula,
  bollinger: bollinger.formula,
  atr: atr.formula,
  adx: adx.formula,
  stochastic: stochastic.formula,
  supertrend: supertrend.formula,
  vwap: vwap.formula,
  highest: highest.formula,
  lowest: lowest.formula,
  roc: roc.formula,
  stddev: stddev.formula,
  cci: cci.formula,
  obv: obv.formula,
  mfi: mfi.formula,
  psar: psar.formula,
};

/** Rows of the page of rules. */
export const ROWS: { readonly [N in IndicatorName]: Row } = {
  sma: sma.row,
  ema: ema.row,
  wma: wma.row,
  rsi: rsi.row,
  macd: macd.row,
  bollinger: bollinger.row,
  atr: atr.row,
  adx: adx.row,
  stochastic: stochastic.row,
  supertrend: supertrend.row,
  vwap: vwap.row,
  highest: highest.row,
  lowest: lowest.row,
  roc: roc.row,
  stddev: stddev.row,
  cci: cci.row,
  obv: obv.row,
  mfi: mfi.row,
  psar: psar.row,
};
