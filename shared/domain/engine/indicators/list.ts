import * as accumulation_distribution from './accumulation_distribution.ts';
import * as adx from './adx.ts';
import * as alma from './alma.ts';
import * as anchored_vwap from './anchored_vwap.ts';
import * as aroon from './aroon.ts';
import * as atr from './atr.ts';
import * as awesome_oscillator from './awesome_oscillator.ts';
import * as bollinger from './bollinger.ts';
import * as cci from './cci.ts';
import * as chaikin_money_flow from './chaikin_money_flow.ts';
import * as chaikin_oscillator from './chaikin_oscillator.ts';
import * as chandelier from './chandelier.ts';
import * as choppiness from './choppiness.ts';
import type { Formula, Row } from './declare.ts';
import * as dema from './dema.ts';
import * as donchian from './donchian.ts';
import * as dpo from './dpo.ts';
import * as ease_of_movement from './ease_of_movement.ts';
import * as elder_ray from './elder_ray.ts';
import * as ema from './ema.ts';
import * as fisher from './fisher.ts';
import * as force_index from './force_index.ts';
import * as gap from './gap.ts';
import * as highest from './highest.ts';
import * as hma from './hma.ts';
import * as ichimoku from './ichimoku.ts';
import * as kama from './kama.ts';
import * as keltner from './keltner.ts';
import * as linreg from './linreg.ts';
import * as lowest from './lowest.ts';
import * as macd from './macd.ts';
import * as mass_index from './mass_index.ts';
import * as mfi from './mfi.ts';
import * as momentum from './momentum.ts';
import * as natr from './natr.ts';
import * as obv from './obv.ts';
import * as opening_range from './opening_range.ts';
import * as percent_rank from './percent_rank.ts';
import * as period_before from './period_before.ts';
import * as pivots from './pivots.ts';
import * as ppo from './ppo.ts';
import * as psar from './psar.ts';
import * as pvo from './pvo.ts';
import * as roc from './roc.ts';
import * as rsi from './rsi.ts';
import * as session_range from './session_range.ts';
import * as sma from './sma.ts';
import * as standard_error_bands from './standard_error_bands.ts';
import * as stddev from './stddev.ts';
import * as stoch_rsi from './stoch_rsi.ts';
import * as stochastic from './stochastic.ts';
import * as supertrend from './supertrend.ts';
import * as tema from './tema.ts';
import * as trix from './trix.ts';
import * as true_range from './true_range.ts';
import * as tsi from './tsi.ts';
import * as ultimate_oscillator from './ultimate_oscillator.ts';
import * as vortex from './vortex.ts';
import * as vwap from './vwap.ts';
import * as vwma from './vwma.ts';
import * as williams_r from './williams_r.ts';
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
  ichimoku: ichimoku.declaration,
  aroon: aroon.declaration,
  vortex: vortex.declaration,
  rsi: rsi.declaration,
  macd: macd.declaration,
  stochastic: stochastic.declaration,
  stoch_rsi: stoch_rsi.declaration,
  cci: cci.declaration,
  roc: roc.declaration,
  momentum: momentum.declaration,
  williams_r: williams_r.declaration,
  trix: trix.declaration,
  tsi: tsi.declaration,
  ultimate_oscillator: ultimate_oscillator.declaration,
  awesome_oscillator: awesome_oscillator.declaration,
  ppo: ppo.declaration,
  dpo: dpo.declaration,
  fisher: fisher.declaration,
  elder_ray: elder_ray.declaration,
  bollinger: bollinger.declaration,
  keltner: keltner.declaration,
  atr: atr.declaration,
  natr: natr.declaration,
  true_range: true_range.declaration,
  chandelier: chandelier.declaration,
  standard_error_bands: standard_error_bands.declaration,
  choppiness: choppiness.declaration,
  mass_index: mass_index.declaration,
  vwap: vwap.declaration,
  anchored_vwap: anchored_vwap.declaration,
  obv: obv.declaration,
  accumulation_distribution: accumulation_distribution.declaration,
  mfi: mfi.declaration,
  chaikin_money_flow: chaikin_money_flow.declaration,
  chaikin_oscillator: chaikin_oscillator.declaration,
  force_index: force_index.declaration,
  ease_of_movement: ease_of_movement.declaration,
  pvo: pvo.declaration,
  highest: highest.declaration,
  lowest: lowest.declaration,
  donchian: donchian.declaration,
  pivots: pivots.declaration,
  period_before: period_before.declaration,
  opening_range: opening_range.declaration,
  session_range: session_range.declaration,
  gap: gap.declaration,
  stddev: stddev.declaration,
  linreg: linreg.declaration,
  percent_rank: percent_rank.declaration,
  zscore: zscore.declaration,
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
  ichimoku: ichimoku.formula,
  aroon: aroon.formula,
  vortex: vortex.formula,
  rsi: rsi.formula,
  macd: macd.formula,
  stochastic: stochastic.formula,
  stoch_rsi: stoch_rsi.formula,
  cci: cci.formula,
  roc: roc.formula,
  momentum: momentum.formula,
  williams_r: williams_r.formula,
  trix: trix.formula,
  tsi: tsi.formula,
  ultimate_oscillator: ultimate_oscillator.formula,
  awesome_oscillator: awesome_oscillator.formula,
  ppo: ppo.formula,
  dpo: dpo.formula,
  fisher: fisher.formula,
  elder_ray: elder_ray.formula,
  bollinger: bollinger.formula,
  keltner: keltner.formula,
  atr: atr.formula,
  natr: natr.formula,
  true_range: true_range.formula,
  chandelier: chandelier.formula,
  standard_error_bands: standard_error_bands.formula,
  choppiness: choppiness.formula,
  mass_index: mass_index.formula,
  vwap: vwap.formula,
  anchored_vwap: anchored_vwap.formula,
  obv: obv.formula,
  accumulation_distribution: accumulation_distribution.formula,
  mfi: mfi.formula,
  chaikin_money_flow: chaikin_money_flow.formula,
  chaikin_oscillator: chaikin_oscillator.formula,
  force_index: force_index.formula,
  ease_of_movement: ease_of_movement.formula,
  pvo: pvo.formula,
  highest: highest.formula,
  lowest: lowest.formula,
  donchian: donchian.formula,
  pivots: pivots.formula,
  period_before: period_before.formula,
  opening_range: opening_range.formula,
  session_range: session_range.formula,
  gap: gap.formula,
  stddev: stddev.formula,
  linreg: linreg.formula,
  percent_rank: percent_rank.formula,
  zscore: zscore.formula,
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
  ichimoku: ichimoku.row,
  aroon: aroon.row,
  vortex: vortex.row,
  rsi: rsi.row,
  macd: macd.row,
  stochastic: stochastic.row,
  stoch_rsi: stoch_rsi.row,
  cci: cci.row,
  roc: roc.row,
  momentum: momentum.row,
  williams_r: williams_r.row,
  trix: trix.row,
  tsi: tsi.row,
  ultimate_oscillator: ultimate_oscillator.row,
  awesome_oscillator: awesome_oscillator.row,
  ppo: ppo.row,
  dpo: dpo.row,
  fisher: fisher.row,
  elder_ray: elder_ray.row,
  bollinger: bollinger.row,
  keltner: keltner.row,
  atr: atr.row,
  natr: natr.row,
  true_range: true_range.row,
  chandelier: chandelier.row,
  standard_error_bands: standard_error_bands.row,
  choppiness: choppiness.row,
  mass_index: mass_index.row,
  vwap: vwap.row,
  anchored_vwap: anchored_vwap.row,
  obv: obv.row,
  accumulation_distribution: accumulation_distribution.row,
  mfi: mfi.row,
  chaikin_money_flow: chaikin_money_flow.row,
  chaikin_oscillator: chaikin_oscillator.row,
  force_index: force_index.row,
  ease_of_movement: ease_of_movement.row,
  pvo: pvo.row,
  highest: highest.row,
  lowest: lowest.row,
  donchian: donchian.row,
  pivots: pivots.row,
  period_before: period_before.row,
  opening_range: opening_range.row,
  session_range: session_range.row,
  gap: gap.row,
  stddev: stddev.row,
  linreg: linreg.row,
  percent_rank: percent_rank.row,
  zscore: zscore.row,
};
