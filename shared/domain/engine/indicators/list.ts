import * as accumulationDistribution from './accumulation-distribution.ts';
import * as adx from './adx.ts';
import * as anchoredVwap from './anchored-vwap.ts';
import * as atr from './atr.ts';
import * as bollinger from './bollinger.ts';
import * as cci from './cci.ts';
import * as chaikinMoneyFlow from './chaikin-money-flow.ts';
import * as chaikinOscillator from './chaikin-oscillator.ts';
import * as chandelier from './chandelier.ts';
import type { Formula, Row } from './declare.ts';
import * as donchian from './donchian.ts';
import * as easeOfMovement from './ease-of-movement.ts';
import * as elderRay from './elder-ray.ts';
import * as ema from './ema.ts';
import * as forceIndex from './force-index.ts';
import * as gap from './gap.ts';
import * as highest from './highest.ts';
import * as ichimoku from './ichimoku.ts';
import * as keltner from './keltner.ts';
import * as lowest from './lowest.ts';
import * as macd from './macd.ts';
import * as mfi from './mfi.ts';
import * as natr from './natr.ts';
import * as obv from './obv.ts';
import * as openingRange from './opening-range.ts';
import * as periodBefore from './period-before.ts';
import * as pivots from './pivots.ts';
import * as psar from './psar.ts';
import * as roc from './roc.ts';
import * as rsi from './rsi.ts';
import * as sessionRange from './session-range.ts';
import * as sma from './sma.ts';
import * as stddev from './stddev.ts';
import * as stochastic from './stochastic.ts';
import * as supertrend from './supertrend.ts';
import * as trueRange from './true-range.ts';
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
  donchian: donchian.declaration,
  keltner: keltner.declaration,
  ichimoku: ichimoku.declaration,
  chandelier: chandelier.declaration,
  natr: natr.declaration,
  true_range: trueRange.declaration,
  chaikin_money_flow: chaikinMoneyFlow.declaration,
  chaikin_oscillator: chaikinOscillator.declaration,
  accumulation_distribution: accumulationDistribution.declaration,
  force_index: forceIndex.declaration,
  ease_of_movement: easeOfMovement.declaration,
  elder_ray: elderRay.declaration,
  pivots: pivots.declaration,
  period_before: periodBefore.declaration,
  anchored_vwap: anchoredVwap.declaration,
  opening_range: openingRange.declaration,
  gap: gap.declaration,
  session_range: sessionRange.declaration,
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
  donchian: donchian.formula,
  keltner: keltner.formula,
  ichimoku: ichimoku.formula,
  chandelier: chandelier.formula,
  natr: natr.formula,
  true_range: trueRange.formula,
  chaikin_money_flow: chaikinMoneyFlow.formula,
  chaikin_oscillator: chaikinOscillator.formula,
  accumulation_distribution: accumulationDistribution.formula,
  force_index: forceIndex.formula,
  ease_of_movement: easeOfMovement.formula,
  elder_ray: elderRay.formula,
  pivots: pivots.formula,
  period_before: periodBefore.formula,
  anchored_vwap: anchoredVwap.formula,
  opening_range: openingRange.formula,
  gap: gap.formula,
  session_range: sessionRange.formula,
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
  donchian: donchian.row,
  keltner: keltner.row,
  ichimoku: ichimoku.row,
  chandelier: chandelier.row,
  natr: natr.row,
  true_range: trueRange.row,
  chaikin_money_flow: chaikinMoneyFlow.row,
  chaikin_oscillator: chaikinOscillator.row,
  accumulation_distribution: accumulationDistribution.row,
  force_index: forceIndex.row,
  ease_of_movement: easeOfMovement.row,
  elder_ray: elderRay.row,
  pivots: pivots.row,
  period_before: periodBefore.row,
  anchored_vwap: anchoredVwap.row,
  opening_range: openingRange.row,
  gap: gap.row,
  session_range: sessionRange.row,
};
