import type {
  GetDeploymentEngineOutput,
  GetRiskLimitsOutput,
} from '../../../../infra/client/package/src/index.ts';
import { format } from '../format.ts';
import { CLOSE_PCT, limitLabel } from '../risk/limits.ts';
import { closedHours, type EntryClock, symbolRefusal } from './allowed-entries.ts';
import { type DeploymentFacts, isOver, stateWords } from './state-words.ts';

type EngineSymbol = GetDeploymentEngineOutput['symbols'][number];
type Decision = NonNullable<EngineSymbol['evaluation']>['entries'][number];

/** Condition of the rules, with the conditions inside a group. */
export interface ConditionNode {
  readonly text: string;
  readonly holds: boolean;
  readonly inner: readonly ConditionNode[];
}

const GROUPS: Readonly<Record<string, string>> = {
  'all of': 'All of these hold',
  'any of': 'At least one of these holds',
  not: 'This does not hold',
};

/** Builds the tree of conditions from the list of the service, in which the members of a group follow it. */
export const conditionTree = (listed: Decision['conditions']): readonly ConditionNode[] => {
  const read = (from: number, level: number): { nodes: ConditionNode[]; next: number } => {
    const nodes: ConditionNode[] = [];
    let next = from;
    for (let one = listed[next]; one !== undefined && one.level >= level; one = listed[next]) {
      const inside = read(next + 1, one.level + 1);
      nodes.push({ text: GROUPS[one.text] ?? one.text, holds: one.holds, inner: inside.nodes });
      next = inside.next;
    }
    return { nodes, next };
  };
  return read(0, 0).nodes;
};

/** Condition for which a group does not hold. */
interface Missing {
  readonly text: string;
  /** True if it holds, though it must not. */
  readonly isNegated: boolean;
}

/** Lists the smallest conditions for which a group does not hold. */
export const missingOf = (nodes: readonly ConditionNode[]): Missing[] =>
  nodes.flatMap((node): Missing[] => {
    if (node.holds) return [];
    if (node.text === GROUPS.not) return node.inner.map(({ text }) => ({ text, isNegated: true }));
    const inside = missingOf(node.inner);
    return inside.length === 0 ? [{ text: node.text, isNegated: false }] : inside;
  });

const listText = (texts: readonly string[]): string =>
  texts.length <= 1 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;

/** Writes why conditions do not hold. */
const failingText = (missing: readonly Missing[]): string => {
  const [failing, forbidden] = [false, true].map((one) =>
    missing.filter(({ isNegated }) => isNegated === one).map(({ text }) => text),
  );
  return [
    ...(failing?.length ? [`${listText(failing)} ${failing.length === 1 ? 'does' : 'do'} not hold`] : []),
    ...(forbidden?.length
      ? [`${listText(forbidden)} ${forbidden.length === 1 ? 'holds' : 'hold'}, but must not`]
      : []),
  ].join('; ');
};

/** Answer to "Why did it not trade?" for a symbol. */
export interface Why {
  readonly tone: 'good' | 'info' | 'warn' | 'bad';
  /** Answer in a sentence. */
  readonly answer: string;
  /** Further sentences, in the order of their weight. */
  readonly details: readonly string[];
}

const SIDES: Readonly<Record<Decision['side'], string>> = { long: 'Buying', short: 'Selling short' };

/** Writes why an entry is not placed. */
const entrySentence = ({ side, holds, blocked, conditions }: Decision): string => {
  const name = SIDES[side];
  const missing = missingOf(conditionTree(conditions));
  if (missing.length === 0) {
    if (blocked !== null) return `${name}: the conditions hold, but ${blocked}.`;
    return holds ? `${name}: the conditions hold.` : `${name}: the conditions hold, but not at this time.`;
  }
  const failing = failingText(missing);
  return blocked === null ? `${name}: ${failing}.` : `${name}: ${failing}; also, ${blocked}.`;
};

const SECONDS_A_MINUTE = 60;

const delayText = (seconds: number): string => {
  const minutes = Math.round(seconds / SECONDS_A_MINUTE);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
};

/** Usual delay: feeds deliver a bar some minutes after its close. */
const USUAL_DELAY_S = 15 * SECONDS_A_MINUTE;

const outcome = (tone: Why['tone'], answer: string, details: readonly string[] = []): Why => ({
  tone,
  answer,
  details,
});

/** Risk limits of a deployment that trades, and the time that counts for its entries. */
export interface EntryLimits extends Pick<GetRiskLimitsOutput, 'usage' | 'merged'> {
  readonly clock: EntryClock;
}

/** Returns the risk limits that are used up as the subject of a sentence; undefined if none is. */
const usedUpText = ({ usage }: EntryLimits): string | undefined => {
  const names = usage.filter(({ used_pct }) => used_pct >= 100).map(({ limit }) => `“${limitLabel(limit)}”`);
  if (names.length === 0) return undefined;
  return names.length === 1
    ? `the risk limit ${listText(names)} is used up`
    : `the risk limits ${listText(names)} are used up`;
};

/**
 * Answers why a symbol of a deployment did not trade: the weightiest cause first.
 *
 * @param limits absent for a deployment that does not trade.
 */
export const whyOf = (symbol: EngineSymbol, facts: DeploymentFacts, limits?: EntryLimits): Why => {
  const { evaluation, trades, orders, error, failing_since, last_bar, data_delay_s } = symbol;
  const entries = (evaluation?.entries ?? []).map(entrySentence);
  const state = stateWords(facts);
  if (facts.status !== 'active') {
    const hasEnded = isOver(facts.status);
    const answer = hasEnded
      ? `It has ended, so it trades no more. ${state.sentence}`
      : `It opens no position now. ${state.sentence}`;
    return outcome(state.tone === 'good' ? 'info' : state.tone, answer, hasEnded ? [] : entries);
  }
  if (error !== null) {
    return outcome('bad', 'The engine leaves this symbol out because it cannot work on it.', [error]);
  }
  if (failing_since !== null) {
    return outcome('bad', 'The engine fails at the bars of this symbol and tries again.', entries);
  }
  const refusal = limits && symbolRefusal(limits.merged, symbol.symbol);
  if (refusal && orders.length === 0 && trades.length === 0) {
    return outcome('warn', `${refusal}, so it does not trade ${symbol.symbol}.`, entries);
  }
  if (last_bar === null) {
    return outcome('info', 'It has not seen a bar yet. It decides at the close of each bar.');
  }
  if (data_delay_s !== null && data_delay_s > USUAL_DELAY_S) {
    const late = `The next bar is ${delayText(data_delay_s)} late, so nothing can be decided.`;
    return outcome('warn', late, entries);
  }
  if (evaluation === null || !evaluation.is_evaluated) {
    return outcome('info', 'Its indicators need more bars before they have a value.');
  }
  if (orders.length > 0) {
    return outcome('good', 'It has placed an order, which waits to be filled.', entries);
  }
  if (trades.length > 0) {
    const exits = evaluation.exits
      .filter(({ side, holds }) => !holds && trades.some((trade) => trade.side === side))
      .map(({ conditions }) => missingOf(conditionTree(conditions)))
      .filter((missing) => missing.length > 0)
      .map((missing) => `It stays in because ${failingText(missing)}.`);
    return outcome('good', 'It holds a position now.', exits);
  }
  if (evaluation.entries.length === 0) return outcome('info', 'Its rules have no entry.');
  const held = evaluation.entries.filter(
    ({ conditions }) => missingOf(conditionTree(conditions)).length === 0,
  );
  const blocked = held.find((entry) => entry.blocked !== null);
  // The account of a notification deployment is a model: its orders and trades are those of its signals.
  if (facts.kind !== 'live' && held.length > 0) {
    return outcome('good', 'Its conditions held at the last bar, so its signal is on.');
  }
  const closed = limits && closedHours(limits.merged, limits.clock, Date.parse(last_bar.start));
  if (closed) {
    const answer =
      held.length > 0
        ? `Its conditions held at the last bar, but its risk limits allow no entry ${closed.at}.`
        : `Its conditions did not hold at the last bar, and its risk limits allow no entry ${closed.at}.`;
    return outcome('warn', answer, [...closed.details, ...entries]);
  }
  if (blocked) {
    const others = entries.length > 1 ? entries : [];
    return outcome('warn', `Its conditions hold, but ${blocked.blocked}.`, others);
  }
  const usedUp = limits && usedUpText(limits);
  if (usedUp) {
    const answer =
      held.length > 0
        ? `Its conditions held at the last bar, but ${usedUp}: entries beyond it are refused.`
        : `Its conditions did not hold at the last bar, and ${usedUp}.`;
    return outcome('warn', answer, entries);
  }
  if (held.length > 0) {
    return outcome('good', 'Its conditions held at the last bar. It acts at the next one.', entries);
  }
  return outcome('info', 'Nothing is wrong: its conditions did not hold at the last bar.', entries);
};

/** Writes which risk limits stand in the way, or nearly do. */
export const limitSentences = ({ usage, state }: Pick<GetRiskLimitsOutput, 'usage' | 'state'>): string[] => {
  const tripped = state?.tripped;
  const close = usage.filter(({ used_pct, limit }) => used_pct >= CLOSE_PCT && limit !== tripped?.limit);
  return [
    ...(tripped ? [`The risk limit “${limitLabel(tripped.limit)}” was reached and stopped it.`] : []),
    ...close.map(({ limit, used_pct }) =>
      used_pct >= 100
        ? `The risk limit “${limitLabel(limit)}” is used up: entries beyond it are refused. Exits go on.`
        : `${format.percent(Math.floor(used_pct), { digits: 0 })} of the risk limit “${limitLabel(limit)}” is used.`,
    ),
  ];
};
