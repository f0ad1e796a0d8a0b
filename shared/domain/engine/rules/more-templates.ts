import { ALL, CLOSE, compare, long, percent, rulesOf, short, type Template } from './template.ts';

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri'];
const TRADING_DAY = { weekdays: WEEKDAYS, square_off: '15:55' };

const range = (output: string) => ({ indicator: 'opening_range', minutes: { param: 'minutes' }, output });
const cloud = (output: string) => ({ indicator: 'ichimoku', output });
const donchian = (length: string, output: string) => ({
  indicator: 'donchian',
  length: { param: length },
  output,
  ago: 1,
});
const vwap = (output: string) => ({
  indicator: 'anchored_vwap',
  period: 'day',
  deviations: { param: 'deviations' },
  output,
});
const pivot = (output: string) => ({ indicator: 'pivots', period: 'day', method: 'classic', output });
const stochRsi = (output: string) => ({ indicator: 'stoch_rsi', output });
const weeklyClose = { price: 'close', timeframe: '1w' };
const weeklyAverage = { indicator: 'ema', length: { param: 'weeks' }, timeframe: '1w' };
const heikinAshi = (price: string) => ({ price, candles: 'heikin_ashi' });
const momentum = { indicator: 'roc', length: 12 };
const widerBands = compare({ indicator: 'bollinger', output: 'upper' }, 'crosses_above', {
  indicator: 'keltner',
  multiple: 1.5,
  output: 'upper',
});

/** Further templates, in the order of the list. */
export const MORE_TEMPLATES: readonly Template[] = [
  {
    key: 'opening_range_breakout',
    name: 'Opening range breakout',
    description: 'Buys above the high of the first half hour, and is flat before the close.',
    rules: rulesOf({
      params: { minutes: { default: 30, min: 5, max: 120 } },
      entries: [
        long(
          { all: [compare(CLOSE, 'gt', range('high')), { time: ['10:00', '12:00'] }] },
          {
            take_profit: percent(2),
          },
        ),
      ],
      exits: [long(compare(CLOSE, 'lt', range('low')))],
      session: TRADING_DAY,
      cooldown_bars: 5,
    }),
    timeframes: ['5m', '15m'],
    asset_classes: ['equity', 'index'],
  },
  {
    key: 'ichimoku_cloud',
    name: 'Ichimoku cloud',
    description:
      'Buys above the cloud when the conversion line passes the base line; sells below the base line.',
    rules: rulesOf({
      entries: [
        long({
          all: [
            compare(cloud('conversion'), 'gt', cloud('base')),
            compare(CLOSE, 'gt', cloud('span_a')),
            compare(CLOSE, 'gt', cloud('span_b')),
            compare(CLOSE, 'gt', cloud('lagging')),
          ],
        }),
      ],
      exits: [long(compare(CLOSE, 'lt', cloud('base')))],
    }),
    timeframes: ['1d', '4h'],
    asset_classes: ALL,
  },
  {
    key: 'turtle',
    name: 'Donchian turtle',
    description:
      'Buys breakouts of 20 bars by risk, adds up to four units, and leaves at the low of 10 bars.',
    rules: rulesOf({
      params: { entry: { default: 20, min: 5, max: 200 }, exit: { default: 10, min: 3, max: 200 } },
      pyramid: true,
      max_trades: 4,
      entries: [
        long(compare(CLOSE, 'gt', donchian('entry', 'upper')), {
          size: { type: 'risk_percent', percent: 1 },
          stop_loss: { type: 'atr', length: 20, multiple: 2 },
        }),
      ],
      exits: [long(compare(CLOSE, 'lt', donchian('exit', 'lower')))],
    }),
    timeframes: ['1d', '4h'],
    asset_classes: ALL,
  },
  {
    key: 'keltner_squeeze',
    name: 'Keltner squeeze',
    description:
      'Trades when Bollinger bands leave the Keltner channel after a quiet time, in the direction of momentum.',
    rules: rulesOf({
      entries: [
        long({ all: [widerBands, compare(momentum, 'gt', 0)] }, { stop_loss: percent(5) }),
        short({ all: [widerBands, compare(momentum, 'lt', 0)] }, { stop_loss: percent(5) }),
      ],
      exits: [long(compare(momentum, 'lt', 0)), short(compare(momentum, 'gt', 0))],
    }),
    timeframes: ['1d', '4h', '1h'],
    asset_classes: ALL,
  },
  {
    key: 'vwap_reversion',
    name: 'VWAP reversion',
    description: 'Buys far below the VWAP of the session, sells at it, and is flat before the close.',
    rules: rulesOf({
      params: { deviations: { default: 2, min: 0.5, max: 5 } },
      entries: [long(compare(CLOSE, 'crosses_below', vwap('lower')), { stop_loss: percent(1) })],
      exits: [long(compare(CLOSE, 'gte', vwap('middle')))],
      session: TRADING_DAY,
    }),
    timeframes: ['5m', '15m'],
    asset_classes: ['equity', 'index'],
  },
  {
    key: 'engulfing_trend',
    name: 'Engulfing with the trend',
    description:
      'Buys a bullish engulfing in a rise; sells at a bearish one, or 8 % below the highest price.',
    rules: rulesOf({
      params: { trend: { default: 100, min: 10, max: 300 }, keep: { default: 0.92, min: 0.5, max: 0.99 } },
      entries: [
        long(
          {
            all: [
              { pattern: 'bullish_engulfing' },
              compare(CLOSE, 'gt', { indicator: 'sma', length: { param: 'trend' } }),
            ],
          },
          { stop_loss: { type: 'atr', length: 14, multiple: 2 } },
        ),
      ],
      exits: [
        long({
          any: [
            { pattern: 'bearish_engulfing' },
            compare(CLOSE, 'lt', { multiply: [{ trade: 'highest_since_entry' }, { param: 'keep' }] }),
          ],
        }),
      ],
    }),
    timeframes: ['1d', '4h'],
    asset_classes: ALL,
  },
  {
    key: 'pivot_bounce',
    name: 'Pivot bounce',
    description: 'Buys when the price turns at the first support of the day before, and sells at the pivot.',
    rules: rulesOf({
      entries: [
        long(
          { all: [compare({ price: 'low' }, 'lt', pivot('s1')), compare(CLOSE, 'gt', pivot('s1'))] },
          { stop_loss: percent(1) },
        ),
      ],
      exits: [long(compare(CLOSE, 'gte', pivot('pivot')))],
    }),
    timeframes: ['15m', '1h'],
    asset_classes: ALL,
  },
  {
    key: 'weekly_momentum',
    name: 'Weekly momentum',
    description: 'In the market while weeks close above their average and the last half year is positive.',
    rules: rulesOf({
      params: { weeks: { default: 20, min: 4, max: 104 } },
      entries: [
        long({
          all: [
            compare(weeklyClose, 'gt', weeklyAverage),
            compare(weeklyClose, 'gt', { ...weeklyClose, ago: 26 }),
          ],
        }),
      ],
      exits: [long(compare(weeklyClose, 'lt', weeklyAverage))],
    }),
    timeframes: ['1d'],
    asset_classes: ['equity', 'index', 'crypto'],
  },
  {
    key: 'stoch_rsi_swing',
    name: 'StochRSI swing',
    description:
      'Buys when the StochRSI turns up from below in a rise, and sells when it turns down from above.',
    rules: rulesOf({
      params: { low: { default: 20, min: 5, max: 50 }, high: { default: 80, min: 50, max: 95 } },
      entries: [
        long(
          {
            all: [
              compare(stochRsi('k'), 'crosses_above', { param: 'low' }),
              compare(CLOSE, 'gt', { indicator: 'ema', length: 100 }),
            ],
          },
          { stop_loss: percent(6) },
        ),
      ],
      exits: [long(compare(stochRsi('k'), 'crosses_below', { param: 'high' }))],
    }),
    timeframes: ['1d', '4h', '1h'],
    asset_classes: ALL,
  },
  {
    key: 'heikin_ashi_trend',
    name: 'Heikin-Ashi trend',
    description: 'Buys after three rising Heikin-Ashi candles in a row, and sells after two falling ones.',
    rules: rulesOf({
      entries: [long({ for_bars: 3, condition: compare(heikinAshi('close'), 'gt', heikinAshi('open')) })],
      exits: [long({ for_bars: 2, condition: compare(heikinAshi('close'), 'lt', heikinAshi('open')) })],
    }),
    timeframes: ['1d', '4h'],
    asset_classes: ALL,
  },
];
