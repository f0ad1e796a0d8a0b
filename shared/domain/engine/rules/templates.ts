import { describe } from './describe.ts';
import { MORE_TEMPLATES } from './more-templates.ts';
import { rulesSchema } from './schema.ts';
import type { Rules } from './shape.ts';
import { ALL, CLOSE, compare, long, percent, rulesOf, short, type Template } from './template.ts';

const movingAverages = (indicator: string, fast: number, slow: number) => {
  const [quick, steady] = ['fast', 'slow'].map((param) => ({ indicator, length: { param } }));
  return rulesOf({
    params: {
      fast: { default: fast, min: 2, max: 200 },
      slow: { default: slow, min: 3, max: 500 },
    },
    entries: [long(compare(quick, 'crosses_above', steady))],
    exits: [long(compare(quick, 'crosses_below', steady))],
  });
};

const macd = (output: string) => ({ indicator: 'macd', fast: 12, slow: 26, signal: 9, output });
const bollinger = (output: string) => ({
  indicator: 'bollinger',
  length: { param: 'length' },
  deviations: { param: 'deviations' },
  output,
});
const supertrend = {
  indicator: 'supertrend',
  length: { param: 'length' },
  multiple: { param: 'multiple' },
  output: 'direction',
};
const adx = (output: string) => ({ indicator: 'adx', length: 14, output });
const isTrending = compare(adx('adx'), 'gt', { param: 'strength' });

const SOURCES: readonly Template[] = [
  {
    key: 'moving_average_cross',
    name: 'Moving-average cross',
    description: 'Follows trends: in the market while the fast average is above the slow one.',
    rules: movingAverages('ema', 10, 30),
    timeframes: ['1d', '4h', '1h'],
    asset_classes: ALL,
  },
  {
    key: 'rsi_reversion',
    name: 'RSI reversion',
    description: 'Buys short setbacks within a long rise, and sells when the price has recovered.',
    rules: rulesOf({
      params: { oversold: { default: 30, min: 5, max: 45 }, recovered: { default: 55, min: 50, max: 90 } },
      entries: [
        long(
          {
            all: [
              compare({ indicator: 'rsi', length: 14 }, 'lt', { param: 'oversold' }),
              compare(CLOSE, 'gt', { indicator: 'sma', length: 200 }),
            ],
          },
          { stop_loss: percent(8) },
        ),
      ],
      exits: [long(compare({ indicator: 'rsi', length: 14 }, 'gt', { param: 'recovered' }))],
    }),
    timeframes: ['1d', '4h'],
    asset_classes: ['equity', 'index', 'crypto'],
  },
  {
    key: 'bollinger_reversion',
    name: 'Bollinger reversion',
    description: 'Buys when the price returns above the lower band, and sells at the middle one.',
    rules: rulesOf({
      params: {
        length: { default: 20, min: 5, max: 200 },
        deviations: { default: 2, min: 0.5, max: 5 },
      },
      entries: [long(compare(CLOSE, 'crosses_above', bollinger('lower')), { stop_loss: percent(6) })],
      exits: [long(compare(CLOSE, 'gt', bollinger('middle')))],
    }),
    timeframes: ['1d', '4h', '1h'],
    asset_classes: ['equity', 'index', 'forex'],
  },
  {
    key: 'donchian_breakout',
    name: 'Donchian breakout',
    description: 'Buys above the highest high of 20 bars, and sells below the lowest low of 10 bars.',
    rules: rulesOf({
      params: { entry: { default: 20, min: 5, max: 200 }, exit: { default: 10, min: 3, max: 200 } },
      entries: [
        long(compare(CLOSE, 'gt', { indicator: 'highest', length: { param: 'entry' }, ago: 1 }), {
          stop_loss: { type: 'atr', length: 20, multiple: 2 },
          size: { type: 'risk_percent', percent: 1 },
        }),
      ],
      exits: [long(compare(CLOSE, 'lt', { indicator: 'lowest', length: { param: 'exit' }, ago: 1 }))],
    }),
    timeframes: ['1d', '4h'],
    asset_classes: ALL,
  },
  {
    key: 'macd_cross',
    name: 'MACD cross',
    description: 'In the market while the MACD is above its signal line.',
    rules: rulesOf({
      entries: [long(compare(macd('macd'), 'crosses_above', macd('signal')))],
      exits: [long(compare(macd('macd'), 'crosses_below', macd('signal')))],
    }),
    timeframes: ['1d', '4h'],
    asset_classes: ALL,
  },
  {
    key: 'supertrend',
    name: 'Supertrend',
    description: 'Long while the Supertrend points up, short while it points down.',
    rules: rulesOf({
      params: { length: { default: 10, min: 2, max: 100 }, multiple: { default: 3, min: 0.5, max: 10 } },
      reverse: true,
      entries: [
        long(compare(supertrend, 'crosses_above', 0)),
        short(compare(supertrend, 'crosses_below', 0)),
      ],
    }),
    timeframes: ['1h', '4h', '1d'],
    asset_classes: ['forex', 'commodity', 'crypto'],
  },
  {
    key: 'golden_cross',
    name: 'Golden cross',
    description: 'In the market while the average of 50 days is above that of 200 days.',
    rules: movingAverages('sma', 50, 200),
    timeframes: ['1d'],
    asset_classes: ['equity', 'index'],
  },
  {
    key: 'session_momentum',
    name: 'Session momentum',
    description: 'Buys strength above the VWAP after the opening, and is flat before the close.',
    rules: rulesOf({
      entries: [
        long(
          {
            all: [
              compare(CLOSE, 'crosses_above', { indicator: 'vwap' }),
              compare({ indicator: 'roc', length: 6 }, 'gt', 0),
            ],
          },
          { stop_loss: percent(1), take_profit: percent(2) },
        ),
      ],
      session: {
        weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'],
        entries: ['09:45', '15:15'],
        square_off: '15:55',
      },
    }),
    timeframes: ['5m', '15m'],
    asset_classes: ['equity', 'index'],
  },
  {
    key: 'atr_trail',
    name: 'ATR trailing stop',
    description: 'Buys when a rise begins, and follows it with a stop at a multiple of the ATR.',
    rules: rulesOf({
      params: { multiple: { default: 3, min: 1, max: 10 } },
      entries: [
        long(compare(CLOSE, 'crosses_above', { indicator: 'ema', length: 50 }), {
          trailing_stop: { type: 'atr', length: 14, multiple: { param: 'multiple' } },
        }),
      ],
    }),
    timeframes: ['1d', '4h'],
    asset_classes: ALL,
  },
  {
    key: 'adx_trend',
    name: 'ADX trend',
    description: 'Follows the stronger direction, up or down, while the trend is strong.',
    rules: rulesOf({
      params: { strength: { default: 20, min: 5, max: 60 } },
      reverse: true,
      entries: [
        long({ all: [isTrending, compare(adx('plus_di'), 'crosses_above', adx('minus_di'))] }),
        short({ all: [isTrending, compare(adx('plus_di'), 'crosses_below', adx('minus_di'))] }),
      ],
    }),
    timeframes: ['1d', '4h'],
    asset_classes: ['forex', 'commodity', 'crypto'],
  },
];

/** Returns the ready-made templates, with their rules complete and described. */
export const strategyTemplates = (): (Omit<Template, 'rules'> & { rules: Rules; sentence: string })[] =>
  [...SOURCES, ...MORE_TEMPLATES].map((template) => {
    const rules = rulesSchema.parse(template.rules);
    return { ...template, rules, sentence: describe(rules) };
  });
