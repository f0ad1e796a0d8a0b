import { entryBlock, oldestTrade } from '../account/decisions.ts';
import type { ResolvedCondition } from '../conditions.ts';
import type { Direction } from '../plan.ts';
import { operandText } from '../rules/describe-operand.ts';
import { rulesNodes } from '../rules/walk.ts';
import { blockText } from './decision-texts.ts';
import type { PaperAccount } from './paper-account.ts';
import { cancelText } from './reason-texts.ts';
import {
  type BarView,
  type ExplainedCondition,
  explainCondition,
  memoryOf,
  operandValue,
} from './reasons.ts';
import type { RunningProgram } from './running-program.ts';

export interface ExplainedDecision {
  readonly side: 'long' | 'short';
  /** True if the signal holds: the condition and, of an entry, the hours of the session. */
  readonly holds: boolean;
  readonly condition: ExplainedCondition;
  /** Cause for which an entry would not be placed, or an exit has nothing to close. */
  readonly blocked?: string;
}

/** The last bar as the rules see it: tells why an account traded, or why it did not. */
export interface Explanation {
  /** Start of the bar; null before the first. */
  readonly at: number | null;
  /** False until the bar after all indicators have had a value. */
  readonly evaluated: boolean;
  /** Indicators and prices of the rules; null without a value. */
  readonly values: readonly { readonly name: string; readonly value: number | null }[];
  readonly entries: readonly ExplainedDecision[];
  readonly exits: readonly ExplainedDecision[];
}

interface ExplainOptions {
  /** Account whose trades and orders count; absent: an account without any. */
  readonly paper?: PaperAccount;
  readonly isPaused?: boolean;
}

const OUTSIDE_SESSION = 'entries are not placed at this time';
const NOT_EVALUATED = 'indicators need more bars';

const nameOf = (side: Direction): 'long' | 'short' => (side === 1 ? 'long' : 'short');

const valuesOf = (view: BarView): Explanation['values'] => {
  const values = new Map<string, number | null>();
  for (const node of rulesNodes(view.running.rules)) {
    if (!('operand' in node) || typeof node.operand === 'number') continue;
    const value = operandValue(view, node.operand);
    values.set(operandText(node.operand), Number.isNaN(value) ? null : value);
  }
  return [...values].map(([name, value]) => ({ name, value }));
};

/** Explains the last bar of a program, for an account or in general. */
export const explain = (
  running: RunningProgram,
  { paper, isPaused = false }: ExplainOptions = {},
): Explanation => {
  const { program, rules, index, seen, model } = running;
  const { trading } = program;
  const memory = memoryOf(running, seen);
  const account = paper?.account;
  // Index of the last bar as the account counts: one that is not active may lie behind the program.
  const bar = paper ? index - 1 - paper.index + paper.account.bar : 0;
  const runs = account?.runs ?? new Float64Array(trading.runs.length);
  const viewOf = (side: Direction): BarView => ({
    running,
    memory,
    held: account && oldestTrade(account, side),
    bar,
    runs,
  });
  const evaluated = model.evaluatedFrom >= 0;
  const inSession = trading.filter?.(memory) ?? true;
  const entryCause = (entry: (typeof trading.entries)[number]): string | undefined => {
    if (!evaluated) return NOT_EVALUATED;
    if (!inSession) return OUTSIDE_SESSION;
    if (account?.isRuined) return cancelText('ruin');
    const block = account && entryBlock(account, trading, entry, bar);
    if (block) return blockText(block);
    return isPaused ? cancelText('paused') : undefined;
  };
  const explained = (
    side: Direction,
    when: ResolvedCondition,
    mayHold: boolean,
    blocked: string | undefined,
  ): ExplainedDecision => {
    const condition = explainCondition(viewOf(side), when);
    const holds = evaluated && mayHold && condition.holds;
    return { side: nameOf(side), holds, condition, ...(blocked !== undefined && { blocked }) };
  };
  return {
    at: Number.isNaN(model.at) ? null : model.at,
    evaluated,
    values: valuesOf(viewOf(1)),
    entries: trading.entries.flatMap((entry, place) => {
      const when = rules.entries[place]?.when;
      return when ? [explained(entry.side, when, inSession, entryCause(entry))] : [];
    }),
    exits: trading.exits.flatMap(({ side }, place) => {
      const when = rules.exits[place]?.when;
      const isHeld = account?.trades.some((trade) => trade.side === side) ?? false;
      const blocked = evaluated ? `no ${nameOf(side)} trade is open` : NOT_EVALUATED;
      return when ? [explained(side, when, true, evaluated && isHeld ? undefined : blocked)] : [];
    }),
  };
};
