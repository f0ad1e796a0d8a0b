const close = { price: 'close' };
const compare = (left: unknown, op: string, right: unknown) => ({ left, op, right });
const of = (indicator: string, length: unknown, more: object = {}) => ({ indicator, length, ...more });
const param = (name: string) => ({ param: name });
const percent = (value: number) => ({ type: 'percent', percent: value });
const long = (when: object, more: object = {}) => ({ side: 'long', when, ...more });
const short = (when: object, more: object = {}) => ({ side: 'short', when, ...more });
const rulesOf = (parts: object) => ({ schema: 'hub.rules/1', ...parts });

/** Long while a fast average is above a slow one. */
export const averageCross = (fast: number, slow: number): object => {
  const [quick, steady] = [of('sma', param('fast')), of('sma', param('slow'))];
  return rulesOf({
    params: { fast: { default: fast, min: 3, max: 100 }, slow: { default: slow, min: 10, max: 300 } },
    entries: [long(compare(quick, 'crosses_above', steady))],
    exits: [long(compare(quick, 'crosses_below', steady))],
  });
};

/** Long while the close is above its average. */
export const aboveAverage = (length: number): object => {
  const average = of('sma', param('length'));
  return rulesOf({
    params: { length: { default: length, min: 20, max: 300 } },
    entries: [long(compare(close, 'crosses_above', average))],
    exits: [long(compare(close, 'crosses_below', average))],
  });
};

/** Buys the highest close of some days, and sells at the lowest one of fewer days: the rules of the Turtles. */
export const channelBreakout = (entry: number, exit: number): object =>
  rulesOf({
    params: { entry: { default: entry, min: 5, max: 200 }, exit: { default: exit, min: 3, max: 200 } },
    entries: [
      long(compare(close, 'gt', of('highest', param('entry'), { ago: 1 })), {
        stop_loss: { type: 'atr', length: 20, multiple: 3 },
      }),
    ],
    exits: [long(compare(close, 'lt', of('lowest', param('exit'), { ago: 1 })))],
  });

/** Buys short setbacks within a long rise, as described by Larry Connors. */
export const shortSetback = rulesOf({
  params: { oversold: { default: 10, min: 2, max: 40 } },
  entries: [
    long({
      all: [compare(close, 'gt', of('sma', 200)), compare(of('rsi', 2), 'lt', param('oversold'))],
    }),
  ],
  exits: [long(compare(close, 'gt', of('sma', 5)))],
});

/** Buys a weak Monday, and sells at the first close above the high of the day before. */
export const turnaroundTuesday = rulesOf({
  entries: [long({ all: [{ weekday: ['mon'] }, compare(close, 'lt', { price: 'close', ago: 1 })] })],
  exits: [
    long({
      any: [compare(close, 'gt', { price: 'high', ago: 1 }), { bars_in_trade: 4 }],
    }),
  ],
});

const macd = (output: string) => ({ indicator: 'macd', fast: 12, slow: 26, signal: 9, output });

/** Long while the MACD is above its signal line and the price above its long average. */
export const macdSwing = rulesOf({
  params: { trend: { default: 100, min: 20, max: 300 } },
  entries: [
    long({
      all: [
        compare(macd('macd'), 'crosses_above', macd('signal')),
        compare(close, 'gt', of('sma', param('trend'))),
      ],
    }),
  ],
  exits: [long(compare(macd('macd'), 'crosses_below', macd('signal')))],
});

const band = (output: string) =>
  of('bollinger', param('length'), { deviations: param('deviations'), output });

/** Buys below the lower Bollinger band, and sells at the average. */
export const bandReversion = rulesOf({
  params: { length: { default: 20, min: 5, max: 200 }, deviations: { default: 2, min: 0.5, max: 5 } },
  entries: [long(compare(close, 'crosses_above', band('lower')), { stop_loss: percent(8) })],
  exits: [long(compare(close, 'gt', band('middle')))],
});

const supertrend = of('supertrend', param('length'), { multiple: param('multiple'), output: 'direction' });
const trendParams = {
  length: { default: 10, min: 2, max: 100 },
  multiple: { default: 3, min: 0.5, max: 10 },
};

/** Long while the Supertrend points up. */
export const supertrendLong = rulesOf({
  params: trendParams,
  entries: [long(compare(supertrend, 'crosses_above', 0))],
  exits: [long(compare(supertrend, 'crosses_below', 0))],
});

/** Long while the Supertrend points up, short while it points down. */
export const supertrendReversal = rulesOf({
  params: trendParams,
  reverse: true,
  entries: [long(compare(supertrend, 'crosses_above', 0)), short(compare(supertrend, 'crosses_below', 0))],
});
