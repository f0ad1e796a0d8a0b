import * as accumulationDistribution from './accumulation-distribution.ts';
import * as adx from './adx.ts';
import * as alma from './alma.ts';
import * as anchoredVwap from './anchored-vwap.ts';
import * as aroon from './aroon.ts';
import * as atr from './atr.ts';
import * as awesomeOscillator from './awesome-oscillator.ts';
import * as bollinger from './bollinger.ts';
import * as cci from './cci.ts';
import * as chaikinMoneyFlow from './chaikin-money-flow.ts';
import * as chaikinOscillator from './chaikin-oscillator.ts';
import * as chandelier from './chandelier.ts';
import * as choppiness from './choppiness.ts';
import type { Formula, Row } from './declare.ts';
import * as dema from './dema.ts';
import * as donchian from './donchian.ts';
import * as dpo from './dpo.ts';
import * as easeOfMovement from './ease-of-movement.ts';
import * as elderRay from './elder-ray.ts';
import * as ema from './ema.ts';
import * as fisher from './fisher.ts';
import * as forceIndex from './force-index.ts';
import * as gap from './gap.ts';
import * as highest from './highest.ts';
import * as hma from './hma.ts';
import * as ichimoku from './ichimoku.ts';
import * as kama from './kama.ts';
import * as keltner from './keltner.ts';
import * as linreg from './linreg.ts';
import * as lowest from './lowest.ts';
import * as macd from './macd.ts';
import * as massIndex from './mass-index.ts';
import * as mfi from './mfi.ts';
import * as momentum from './momentum.ts';
import * as natr from './natr.ts';
import * as obv from './obv.ts';
import * as openingRange from './opening-range.ts';
import * as percentRank from './percent-rank.ts';
import * as periodBefore from './period-before.ts';
import * as pivots from './pivots.ts';
import * as ppo from './ppo.ts';
import * as psar from './psar.ts';
import * as pvo from './pvo.ts';
import * as roc from './roc.ts';
import * as rsi from './rsi.ts';
import * as sessionRange from './session-range.ts';
import * as sma from './sma.ts';
import * as standardErrorBands from './standard-error-bands.ts';
import * as stddev from './stddev.ts';
import * as stochRsi from './stoch-rsi.ts';
import * as stochastic from './stochastic.ts';
import * as supertrend from './supertrend.ts';
import * as tema from './tema.ts';
import * as trix from './trix.ts';
import * as trueRange from './true-range.ts';
import * as tsi from './tsi.ts';
import * as ultimateOscillator from './ultimate-oscillator.ts';
import * as vortex from './vortex.ts';
import * as vwap from './vwap.ts';
import * as vwma from './vwma.ts';
import * as williamsR from './williams-r.ts';
import * as wma from './wma.ts';
import * as zlema from './zlema.ts';
import * as zscore from './zscore.ts';

/** Declarations in the order of lists. */
export const DECLARATIONS = {
  sma: sma.declaration,
  ema: ema.declaration,
  wma: wma.declaration,
  hma: hma.declaration,
  dema: dema.declaration,
  tema: tema.declaration,
  kama: kama.declaration,
  zlema: zlema.declaration,
  alma: alma.declaration,
  vwma: vwma.declaration,
  adx: adx.declaration,
  supertrend: supertrend.declaration,
  psar: psar.declaration,
  aroon: aroon.declaration,
  vortex: vortex.declaration,
  rsi: rsi.declaration,
  macd: macd.declaration,
  stochastic: stochastic.declaration,
  stoch_rsi: stochRsi.declaration,
  cci: cci.declaration,
  roc: roc.declaration,
  momentum: momentum.declaration,
  williams_r: williamsR.declaration,
  trix: trix.declaration,
  tsi: tsi.declaration,
  ultimate_oscillator: ultimateOscillator.declaration,
  awesome_oscillator: awesomeOscillator.declaration,
  ppo: ppo.declaration,
  dpo: dpo.declaration,
  fisher: fisher.declaration,
  bollinger: bollinger.declaration,
  atr: atr.declaration,
  standard_error_bands: standardErrorBands.declaration,
  choppiness: choppiness.declaration,
  mass_index: massIndex.declaration,
  vwap: vwap.declaration,
  obv: obv.declaration,
  mfi: mfi.declaration,
  pvo: pvo.declaration,
  highest: highest.declaration,
  lowest: lowest.declaration,
  stddev: stddev.declaration,
  linreg: linreg.declaration,
  percent_rank: percentRank.declaration,
  zscore: zscore.declaration,
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
  hma: hma.formula,
  dema: dema.formula,
  tema: tema.formula,
  kama: kama.formula,
  zlema: zlema.formula,
  alma: alma.formula,
  vwma: vwma.formula,
  adx: adx.formula,
  supertrend: supertrend.formula,
  psar: psar.formula,
  aroon: aroon.formula,
  vortex: vortex.formula,
  rsi: rsi.formula,
  macd: macd.formula,
  stochastic: stochastic.formula,
  stoch_rsi: stochRsi.formula,
  cci: cci.formula,
  roc: roc.formula,
  momentum: momentum.formula,
  williams_r: williamsR.formula,
  trix: trix.formula,
  tsi: tsi.formula,
  ultimate_oscillator: ultimateOscillator.formula,
  awesome_oscillator: awesomeOscillator.formula,
  ppo: ppo.formula,
  dpo: dpo.formula,
  fisher: fisher.formula,
  bollinger: bollinger.formula,
  atr: atr.formula,
  standard_error_bands: standardErrorBands.formula,
  choppiness: choppiness.formula,
  mass_index: massIndex.formula,
  vwap: vwap.formula,
  obv: obv.formula,
  mfi: mfi.formula,
  pvo: pvo.formula,
  highest: highest.formula,
  lowest: lowest.formula,
  stddev: stddev.formula,
  linreg: linreg.formula,
  percent_rank: percentRank.formula,
  zscore: zscore.formula,
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
  hma: hma.row,
  dema: dema.row,
  tema: tema.row,
  kama: kama.row,
  zlema: zlema.row,
  alma: alma.row,
  vwma: vwma.row,
  adx: adx.row,
  supertrend: supertrend.row,
  psar: psar.row,
  aroon: aroon.row,
  vortex: vortex.row,
  rsi: rsi.row,
  macd: macd.row,
  stochastic: stochastic.row,
  stoch_rsi: stochRsi.row,
  cci: cci.row,
  roc: roc.row,
  momentum: momentum.row,
  williams_r: williamsR.row,
  trix: trix.row,
  tsi: tsi.row,
  ultimate_oscillator: ultimateOscillator.row,
  awesome_oscillator: awesomeOscillator.row,
  ppo: ppo.row,
  dpo: dpo.row,
  fisher: fisher.row,
  bollinger: bollinger.row,
  atr: atr.row,
  standard_error_bands: standardErrorBands.row,
  choppiness: choppiness.row,
  mass_index: massIndex.row,
  vwap: vwap.row,
  obv: obv.row,
  mfi: mfi.row,
  pvo: pvo.row,
  highest: highest.row,
  lowest: lowest.row,
  stddev: stddev.row,
  linreg: linreg.row,
  percent_rank: percentRank.row,
  zscore: zscore.row,
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
