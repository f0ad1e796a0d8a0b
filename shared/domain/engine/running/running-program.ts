import * as z from 'zod';
import type { Timeframe } from '../../strategies/strategies.ts';
import { type Account, openAccount } from '../account/account.ts';
import { restoreAccount, saveAccount, savedAccountSchema } from '../account/saved-account.ts';
import { plainSettings } from '../account/settings.ts';
import { compile, type Program } from '../compile.ts';
import type { MarketTime } from '../market-time.ts';
import { restoreMemory, saveMemory } from '../memory.ts';
import { newState, type ProgramState, restoreState, saveState } from '../observe.ts';
import type { TradingPlan } from '../plan.ts';
import type { ResolvedRules } from '../rules/params.ts';
import { storedText } from '../stored.ts';

/**
 * Rules that are evaluated bar by bar, for all accounts of a program. Changed in place. Its state is a function of its
 * bars since the first one.
 */
export interface RunningProgram {
  readonly rules: ResolvedRules;
  readonly timeframe: Timeframe;
  readonly program: Program;
  /** Decisions of the model account: those of the rules, with a size that never fails. */
  readonly modelPlan: TradingPlan;
  state: ProgramState;
  /** Index of the next bar, counted from the program's first bar. */
  index: number;
  /** Account that takes all signals, without costs. Its position is that of signals to notifications. */
  model: Account;
  /** Entries that held at the last bar, by their index: 1, else 0. */
  readonly held: Float64Array;
  /** Values of the last bar, at the places that the program's tests read. */
  readonly seen: Float64Array;
  /** Indices of these values: those that observing moves to the bar before, and the others. */
  readonly early: Int32Array;
  readonly late: Int32Array;
}

/** Units of a model trade: enough to close small portions of it. */
const MODEL_UNITS = 1e6;
/** Pays for the model's trades at any price, so that neither its size nor its equity ends them. */
const MODEL_CAPITAL = 1e21;
const MODEL_SIZE = { type: 'units', units: MODEL_UNITS } as const;
const MODEL_SETTINGS = plainSettings(MODEL_CAPITAL);

/**
 * Starts a program before its first bar.
 *
 * @throws RangeError for an operand of a timeframe smaller than the program's.
 */
export const startProgram = (
  rules: ResolvedRules,
  timeframe: Timeframe,
  time: MarketTime,
): RunningProgram => {
  const program = compile(rules, timeframe, time);
  const { trading, explained } = program;
  const moved = new Set(explained.previous.values());
  const indices = [...explained.read.keys()];
  const isMoved = (index: number) => moved.has(explained.read[index] ?? -1);
  return {
    rules,
    timeframe,
    program,
    modelPlan: { ...trading, entries: trading.entries.map((entry) => ({ ...entry, size: MODEL_SIZE })) },
    state: newState(program),
    index: 0,
    model: openAccount(MODEL_SETTINGS, trading.runs.length),
    held: new Float64Array(trading.entries.length),
    seen: new Float64Array(explained.read.length).fill(Number.NaN),
    early: Int32Array.from(indices.filter(isMoved)),
    late: Int32Array.from(indices.filter((index) => !isMoved(index))),
  };
};

const savedProgramSchema = z.object({
  state: z.string(),
  index: z.int(),
  model: savedAccountSchema,
  held: z.string(),
  seen: z.string(),
});

/** Returns a program between two bars as text. It holds the windows of indicators, so that restoring reads no bars. */
export const saveProgram = ({ state, index, model, held, seen }: RunningProgram): string =>
  storedText({
    state: saveState(state),
    index,
    model: saveAccount(model),
    held: saveMemory(held),
    seen: saveMemory(seen),
  });

/**
 * Returns a program from its text.
 *
 * @throws RangeError if a program of other rules saved it.
 */
export const restoreProgram = (
  rules: ResolvedRules,
  timeframe: Timeframe,
  time: MarketTime,
  text: string,
): RunningProgram => {
  const saved = savedProgramSchema.parse(JSON.parse(text));
  const running = startProgram(rules, timeframe, time);
  running.state = restoreState(running.program, saved.state);
  running.index = saved.index;
  running.model = restoreAccount(MODEL_SETTINGS, saved.model);
  restoreMemory(running.held, saved.held);
  restoreMemory(running.seen, saved.seen);
  return running;
};
