import { type ResolvedRules, resolveParams } from '../../shared/domain/engine/rules/params.ts';
import { rulesSchema } from '../../shared/domain/engine/rules/schema.ts';

/** Returns the JSON of rules that buy under a condition. */
export const rulesWith = (when: unknown, more: Readonly<Record<string, unknown>> = {}) => ({
  schema: 'hub.rules/1',
  entries: [{ side: 'long', when }],
  ...more,
});

/** Returns the JSON of rules that buy when one moving average crosses above another. */
export const crossRules = (
  fast: unknown = 10,
  slow: unknown = 30,
  more: Readonly<Record<string, unknown>> = {},
) =>
  rulesWith(
    {
      left: { indicator: 'sma', length: fast },
      op: 'crosses_above',
      right: { indicator: 'sma', length: slow },
    },
    more,
  );

/** Rules with every part once. */
export const FULL_RULES = {
  schema: 'hub.rules/1',
  params: { fast: { default: 10, min: 2, max: 200 } },
  entries: [
    {
      side: 'long',
      when: {
        all: [
          {
            left: { indicator: 'sma', length: { param: 'fast' } },
            op: 'crosses_above',
            right: { indicator: 'sma', length: 30 },
          },
          { left: { price: 'close' }, op: 'gt', right: { indicator: 'sma', length: 10, timeframe: '1w' } },
          {
            any: [
              { not: { weekday: ['fri', 'mon', 'fri'] } },
              { time: ['09:45', '15:15'] },
              {
                for_bars: 3,
                condition: { left: { indicator: 'obv' }, op: 'gte', right: { indicator: 'vwap' } },
              },
            ],
          },
        ],
      },
      limit: { percent: -2 },
      valid_bars: 3,
      size: { type: 'risk_percent', percent: 1 },
      stop_loss: { type: 'percent', percent: 5 },
      take_profit: { type: 'points', points: 10 },
      trailing_stop: { type: 'atr', length: 14, multiple: 3 },
    },
    {
      side: 'short',
      when: {
        left: { multiply: [0.98, { indicator: 'bollinger', output: 'lower', ago: 1 }] },
        op: 'crosses_below',
        right: { price: 'hl2', ago: 2 },
      },
      stop: { percent: 1 },
      size: { type: 'cash', cash: 5000 },
    },
  ],
  exits: [{ side: 'long', when: { bars_in_trade: 20 }, portion: 0.5 }],
  reverse: true,
  pyramid: true,
  max_trades: 3,
  cooldown_bars: 2,
  session: { weekdays: ['tue', 'mon'], entries: ['09:45', '15:15'], square_off: '15:55' },
};

/** Resolves the JSON of rules without parameters. */
export const plainRules = (json: unknown): ResolvedRules => {
  const resolved = resolveParams(rulesSchema.parse(json));
  if (!('rules' in resolved)) throw new Error('the rules have parameters without values');
  return resolved.rules;
};
