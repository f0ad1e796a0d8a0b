import type {
  BacktestOut,
  GetStrategyTemplatesOutput,
  Rules,
  SweepOut,
} from '../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../hub.ts';
import { allOf, ownStrategies } from '../strategies/own.ts';
import { numberText } from '../typed-decimal.ts';
import { accountDraft, type Draft, NEW_TERMS, type Subject } from './draft.ts';
import { subjectOf } from './subject.ts';

/** Rules to test with the texts that a form begins with. */
export interface Start {
  readonly subject: Subject;
  readonly name: string;
  readonly sentence: string | null;
  readonly draft: Draft;
}

const dayOf = (moment: string | null): string => moment?.slice(0, 10) ?? '';

/** Returns the day before an end, which is not part of the span itself. */
const lastDayOf = (end: string): string => dayOf(new Date(Date.parse(end) - 1).toISOString());

const defaultsOf = (rules: Rules): Record<string, string> =>
  Object.fromEntries(
    Object.entries(rules.params ?? {}).map(([name, param]) => [name, numberText(param.default)]),
  );

const textsOf = (params: Readonly<Record<string, number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, numberText(value)]));

const newDraft = (rules: Rules): Draft => ({
  symbols: [],
  timeframe: '1d',
  ...NEW_TERMS,
  params: defaultsOf(rules),
});

const ofTest = async (
  test: BacktestOut | SweepOut,
  params: Readonly<Record<string, number>>,
  name: string,
  signal: AbortSignal,
): Promise<Start> => {
  const { rules, symbols, timeframe, candles, account, from, to, sentence } = test;
  return {
    subject: await subjectOf(test, signal),
    name,
    sentence,
    draft: {
      symbols,
      timeframe,
      candles,
      from: dayOf(from),
      to: lastDayOf(to),
      account: accountDraft(account),
      params: { ...defaultsOf(rules), ...textsOf(params) },
    },
  };
};

const ofStrategy = async (id: number, signal: AbortSignal): Promise<Start | null> => {
  const { strategy_name, rules, sentence, symbols, timeframe } = await hub.getStrategy(
    { user_id: ME, strategy_id: id },
    { signal },
  );
  if (!rules) return null;
  return {
    subject: { strategy_id: id, rules },
    name: strategy_name,
    sentence,
    draft: { ...newDraft(rules), symbols, timeframe },
  };
};

const ofTemplate = (templates: GetStrategyTemplatesOutput, key: string): Start | null => {
  const template = templates.find((one) => one.key === key);
  if (!template) return null;
  const { rules, name, sentence, timeframes } = template;
  return {
    subject: { rules },
    name,
    sentence,
    draft: { ...newDraft(rules), timeframe: timeframes[0] ?? '1d' },
  };
};

/** Loads the start that an address asks for. Null if nothing is chosen, or there are no rules to test. */
export const loadStart = async (query: URLSearchParams, signal: AbortSignal): Promise<Start | null> => {
  const [strategy, template, backtest, sweep] = ['strategy', 'template', 'backtest', 'sweep'].map((name) =>
    query.get(name),
  );
  if (strategy) return ofStrategy(Number(strategy), signal);
  if (template) return ofTemplate(await hub.getStrategyTemplates({}, { signal }), template);
  if (backtest) {
    const test = await hub.getBacktest({ user_id: ME, backtest_id: Number(backtest) }, { signal });
    return ofTest(test, test.params, `Backtest of ${test.symbols.join(', ')}`, signal);
  }
  if (!sweep) return null;
  const test = await hub.getSweep({ user_id: ME, sweep_id: Number(sweep) }, { signal });
  const rank = Number(query.get('rank'));
  const chosen = test.best.find((one) => one.rank === rank);
  return ofTest(test, chosen?.params ?? {}, `Combination ${rank} of the sweep`, signal);
};

/** Entry of the choice of rules: its key is the query of its address. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Lists the rules that one can test: own strategies with rules, and templates. */
export const loadChoices = async (signal: AbortSignal): Promise<Choice[]> => {
  const [own, templates] = await Promise.all([
    allOf(ownStrategies(signal)),
    hub.getStrategyTemplates({}, { signal }),
  ]);
  return [
    ...own.flatMap(({ strategy_id, strategy_name, sentence }) =>
      sentence === null ? [] : [{ value: `strategy=${strategy_id}`, label: strategy_name }],
    ),
    ...templates.map(({ key, name }) => ({ value: `template=${key}`, label: `Template: ${name}` })),
  ];
};
