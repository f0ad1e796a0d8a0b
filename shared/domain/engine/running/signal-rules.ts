import type { ResolvedRules } from '../rules/params.ts';

/** A condition that never holds. */
const NEVER = { left: 0, op: 'gt', right: 1 } as const;

const entryOf = (side: 'long' | 'short'): ResolvedRules['entries'][number] => ({
  side,
  when: NEVER,
  size: { type: 'equity_percent', percent: 100 },
});

/**
 * Rules of deployments whose orders signals place: an entry of each side, at the market, that the rules themselves never
 * place. All of these deployments share the program of a symbol and a timeframe.
 */
export const SIGNAL_RULES: ResolvedRules = {
  schema: 'hub.rules/1',
  params: {},
  entries: [entryOf('long'), entryOf('short')],
  exits: [],
  reverse: false,
  pyramid: false,
  max_trades: 1,
  cooldown_bars: 0,
};
