import type {
  GetDeploymentEngineOutput,
  GetLiveStrategyOrderBookOutput,
  GetParityOutput,
  RulesChart,
} from '../../../../infra/client/package/src/index.ts';

type Order = Pick<
  GetLiveStrategyOrderBookOutput['items'][number],
  | 'side'
  | 'order_type'
  | 'quantity'
  | 'filled_quantity'
  | 'average_price'
  | 'fees'
  | 'currency'
  | 'created_at'
  | 'filled_at'
>;
type Note = GetDeploymentEngineOutput['symbols'][number]['decisions'][number];
type Difference = GetParityOutput['differences'][number];
type ParityFill = NonNullable<GetParityOutput['attribution']>['fills'][number];

/** Condition of the rules at a bar; undefined before the rules are evaluated, and if it depends on a trade. */
export interface ConditionAt {
  readonly text: string;
  readonly level: number;
  readonly holds: boolean | undefined;
}

/** All that is known about a bar of a deployment. */
export interface BarFacts {
  readonly start: number;
  readonly close: number;
  readonly values: readonly { readonly label: string; readonly value: number | null }[];
  readonly entries: readonly ConditionAt[];
  readonly exits: readonly ConditionAt[];
  readonly decisions: readonly string[];
  readonly placed: readonly Order[];
  readonly filled: readonly Order[];
  /** Undefined until the deployment was compared with its backtest. */
  readonly differences: readonly (Difference | ParityFill)[] | undefined;
}

/** Answers from which the facts of a bar are read. */
export interface Timeline {
  readonly chart: RulesChart;
  readonly decisions: readonly Note[];
  /** Orders of the symbol. */
  readonly orders: readonly Order[];
  readonly parity: GetParityOutput | undefined;
}

const conditionsAt = (
  { conditions }: RulesChart,
  index: number,
  part: 'entries' | 'exits',
): readonly ConditionAt[] => {
  const own = conditions.filter(({ path }) => path[0] === part);
  const shallowest = Math.min(...own.map(({ path }) => path.length));
  return own.map(({ text, path, values }) => ({
    text,
    level: Math.floor((path.length - shallowest) / 2),
    holds: typeof values[index] === 'number' ? values[index] === 1 : undefined,
  }));
};

/** Reads the facts of a bar; undefined if there is no such bar. */
export const factsAt = (timeline: Timeline, index: number): BarFacts | undefined => {
  const { chart, decisions, orders, parity } = timeline;
  const [start, , , , close] = chart.bars[index] ?? [];
  if (start === undefined || close === undefined) return undefined;
  const next = chart.bars[index + 1]?.[0] ?? Number.POSITIVE_INFINITY;
  const isIn = (moment: string | null): boolean => {
    const millis = Date.parse(moment ?? '');
    return millis >= start && millis < next;
  };
  const ofSymbol = <T extends { readonly symbol: string; readonly at: string }>(all: readonly T[]): T[] =>
    all.filter(({ symbol, at }) => symbol === chart.symbol && isIn(at));
  return {
    start,
    close,
    values: chart.lines.map(({ label, values }) => ({ label, value: values[index] ?? null })),
    entries: conditionsAt(chart, index, 'entries'),
    exits: conditionsAt(chart, index, 'exits'),
    decisions: decisions.filter(({ at }) => isIn(at)).map(({ text }) => text),
    placed: orders.filter(({ created_at }) => isIn(created_at)),
    filled: orders.filter(({ filled_at }) => isIn(filled_at)),
    differences: parity && [
      ...ofSymbol(parity.differences),
      ...ofSymbol(
        (parity.attribution?.fills ?? []).filter((fill) => fill.kind !== 'matched' || isApart(fill)),
      ),
    ],
  };
};

/** Tells whether a fill had another price or other fees than in the backtest. */
const isApart = ({ slippage, fees, delay }: ParityFill): boolean =>
  slippage !== 0 || fees !== 0 || delay !== 0;
