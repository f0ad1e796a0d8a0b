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
import type { Formula, Labels, Row } from './declare.ts';
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
import * as rma from './rma.ts';
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
  rma: rma.declaration,
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
  ichimoku: ichimoku.declaration,
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
  elder_ray: elderRay.declaration,
  bollinger: bollinger.declaration,
  keltner: keltner.declaration,
  atr: atr.declaration,
  natr: natr.declaration,
  true_range: trueRange.declaration,
  chandelier: chandelier.declaration,
  standard_error_bands: standardErrorBands.declaration,
  choppiness: choppiness.declaration,
  mass_index: massIndex.declaration,
  vwap: vwap.declaration,
  anchored_vwap: anchoredVwap.declaration,
  obv: obv.declaration,
  accumulation_distribution: accumulationDistribution.declaration,
  mfi: mfi.declaration,
  chaikin_money_flow: chaikinMoneyFlow.declaration,
  chaikin_oscillator: chaikinOscillator.declaration,
  force_index: forceIndex.declaration,
  ease_of_movement: easeOfMovement.declaration,
  pvo: pvo.declaration,
  highest: highest.declaration,
  lowest: lowest.declaration,
  donchian: donchian.declaration,
  pivots: pivots.declaration,
  period_before: periodBefore.declaration,
  opening_range: openingRange.declaration,
  session_range: sessionRange.declaration,
  gap: gap.declaration,
  stddev: stddev.declaration,
  linreg: linreg.declaration,
  percent_rank: percentRank.declaration,
  zscore: zscore.declaration,
} as const;

type Declarations = typeof DECLARATIONS;
export type IndicatorName = keyof Declarations;

/** Formulas, apart from the declarations so that bundles without the engine leave them out. */
export const FORMULAS: { readonly [N in IndicatorName]: Formula<Declarations[N]> } = {
  sma: sma.formula,
  ema: ema.formula,
  wma: wma.formula,
  rma: rma.formula,
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
  ichimoku: ichimoku.formula,
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
  elder_ray: elderRay.formula,
  bollinger: bollinger.formula,
  keltner: keltner.formula,
  atr: atr.formula,
  natr: natr.formula,
  true_range: trueRange.formula,
  chandelier: chandelier.formula,
  standard_error_bands: standardErrorBands.formula,
  choppiness: choppiness.formula,
  mass_index: massIndex.formula,
  vwap: vwap.formula,
  anchored_vwap: anchoredVwap.formula,
  obv: obv.formula,
  accumulation_distribution: accumulationDistribution.formula,
  mfi: mfi.formula,
  chaikin_money_flow: chaikinMoneyFlow.formula,
  chaikin_oscillator: chaikinOscillator.formula,
  force_index: forceIndex.formula,
  ease_of_movement: easeOfMovement.formula,
  pvo: pvo.formula,
  highest: highest.formula,
  lowest: lowest.formula,
  donchian: donchian.formula,
  pivots: pivots.formula,
  period_before: periodBefore.formula,
  opening_range: openingRange.formula,
  session_range: sessionRange.formula,
  gap: gap.formula,
  stddev: stddev.formula,
  linreg: linreg.formula,
  percent_rank: percentRank.formula,
  zscore: zscore.formula,
};

/** Labels and lines for the console and charts. */
export const LABELS: { readonly [N in IndicatorName]: Labels<Declarations[N]> } = {
  sma: sma.labels,
  ema: ema.labels,
  wma: wma.labels,
  rma: rma.labels,
  hma: hma.labels,
  dema: dema.labels,
  tema: tema.labels,
  kama: kama.labels,
  zlema: zlema.labels,
  alma: alma.labels,
  vwma: vwma.labels,
  adx: adx.labels,
  supertrend: supertrend.labels,
  psar: psar.labels,
  ichimoku: ichimoku.labels,
  aroon: aroon.labels,
  vortex: vortex.labels,
  rsi: rsi.labels,
  macd: macd.labels,
  stochastic: stochastic.labels,
  stoch_rsi: stochRsi.labels,
  cci: cci.labels,
  roc: roc.labels,
  momentum: momentum.labels,
  williams_r: williamsR.labels,
  trix: trix.labels,
  tsi: tsi.labels,
  ultimate_oscillator: ultimateOscillator.labels,
  awesome_oscillator: awesomeOscillator.labels,
  ppo: ppo.labels,
  dpo: dpo.labels,
  fisher: fisher.labels,
  elder_ray: elderRay.labels,
  bollinger: bollinger.labels,
  keltner: keltner.labels,
  atr: atr.labels,
  natr: natr.labels,
  true_range: trueRange.labels,
  chandelier: chandelier.labels,
  standard_error_bands: standardErrorBands.labels,
  choppiness: choppiness.labels,
  mass_index: massIndex.labels,
  vwap: vwap.labels,
  anchored_vwap: anchoredVwap.labels,
  obv: obv.labels,
  accumulation_distribution: accumulationDistribution.labels,
  mfi: mfi.labels,
  chaikin_money_flow: chaikinMoneyFlow.labels,
  chaikin_oscillator: chaikinOscillator.labels,
  force_index: forceIndex.labels,
  ease_of_movement: easeOfMovement.labels,
  pvo: pvo.labels,
  highest: highest.labels,
  lowest: lowest.labels,
  donchian: donchian.labels,
  pivots: pivots.labels,
  period_before: periodBefore.labels,
  opening_range: openingRange.labels,
  session_range: sessionRange.labels,
  gap: gap.labels,
  stddev: stddev.labels,
  linreg: linreg.labels,
  percent_rank: percentRank.labels,
  zscore: zscore.labels,
};

/** Rows of the page of rules. */
export const ROWS: { readonly [N in IndicatorName]: Row } = {
  sma: sma.row,
  ema: ema.row,
  wma: wma.row,
  rma: rma.row,
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
  ichimoku: ichimoku.row,
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
  elder_ray: elderRay.row,
  bollinger: bollinger.row,
  keltner: keltner.row,
  atr: atr.row,
  natr: natr.row,
  true_range: trueRange.row,
  chandelier: chandelier.row,
  standard_error_bands: standardErrorBands.row,
  choppiness: choppiness.row,
  mass_index: massIndex.row,
  vwap: vwap.row,
  anchored_vwap: anchoredVwap.row,
  obv: obv.row,
  accumulation_distribution: accumulationDistribution.row,
  mfi: mfi.row,
  chaikin_money_flow: chaikinMoneyFlow.row,
  chaikin_oscillator: chaikinOscillator.row,
  force_index: forceIndex.row,
  ease_of_movement: easeOfMovement.row,
  pvo: pvo.row,
  highest: highest.row,
  lowest: lowest.row,
  donchian: donchian.row,
  pivots: pivots.row,
  period_before: periodBefore.row,
  opening_range: openingRange.row,
  session_range: sessionRange.row,
  gap: gap.row,
  stddev: stddev.row,
  linreg: linreg.row,
  percent_rank: percentRank.row,
  zscore: zscore.row,
};
