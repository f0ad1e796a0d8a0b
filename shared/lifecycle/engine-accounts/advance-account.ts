import { type AccountSub, latestDecisions } from '../../data/engine/subscriptions.ts';
import { barCount, firstBarFrom } from '../../domain/candles/bars.ts';
import type { AccountSettings } from '../../domain/engine/account/settings.ts';
import type { TradingPlan } from '../../domain/engine/plan.ts';
import { advance, type Fills } from '../../domain/engine/running/advance.ts';
import type { Decision } from '../../domain/engine/running/decision-texts.ts';
import { type Frames, indexAfter } from '../../domain/engine/running/frames.ts';
import type { BarCursor } from '../../domain/engine/running/paper-account.ts';
import type { SmallerOf } from '../../domain/engine/running/paper-fills.ts';
import type { RunningProgram } from '../../domain/engine/running/running-program.ts';

/** Bars of a program that accounts are advanced through. */
export interface Span {
  readonly running: RunningProgram;
  /** Id of the calendar of the bars. */
  readonly calendar: string;
  readonly frames: readonly Frames[];
  /** Start of the last bar. */
  readonly end: number;
  /** Smaller bars of the bars, for fills within them; by default there are none. */
  readonly smallerOf?: SmallerOf;
}

/** Account after the bars. */
interface Moved {
  readonly after: AccountSub;
  readonly decisions: readonly Decision[];
  /** False if the account only moved on, so that nothing is to be written. */
  readonly changed: boolean;
}

/** Returns the cursor of a deployment that began before its series had bars; undefined if it has none to trade yet. */
const lateCursor = ({ frames }: Span, { joined_at }: AccountSub): BarCursor | undefined => {
  for (const { first, bars } of frames) {
    const position = firstBarFrom(bars, joined_at + 1);
    if (position === barCount(bars)) continue;
    return { at: bars.start[position - 1] ?? joined_at, index: first + position };
  }
  return undefined;
};

/** Restores a stored account, or opens it at its first bar; undefined if it has none to trade yet. */
export const openSub = <A>(
  span: Span,
  sub: AccountSub,
  open: (settings: AccountSettings, plan: TradingPlan, symbol: string, cursor: BarCursor) => A,
  restore: (settings: AccountSettings, saved: string) => A,
): A | undefined => {
  const { settings, saved } = sub.paper;
  if (saved !== '') return restore(settings, saved);
  const cursor = lateCursor(span, sub);
  return cursor && open(settings, span.running.program.trading, sub.symbol, cursor);
};

/** Advances an account through bars, until it stops. Leaves the stored one as it is. */
export const advanceSub = ({ running, frames, end }: Span, sub: AccountSub, fills: Fills): Moved => {
  const { settings, saved } = sub.paper;
  const { paper } = fills;
  fills.place(indexAfter(running, frames, paper.at) ?? paper.index);
  // An account that counts bars in a row has to be kept from its first bar on.
  let changed = saved === '' && fills.isActive();
  let isStopped = false;
  const decisions: Decision[] = [];
  const due = frames.filter(
    ({ first, bars }) => first + barCount(bars) > paper.index && (bars.start[0] ?? end) <= end,
  );
  const empty = due.length === 0 ? fills.withoutBars() : undefined;
  for (const each of empty ? [empty] : due) {
    const steps = advance(running, fills, each, end);
    decisions.push(...steps.decisions);
    changed ||= steps.changed;
    isStopped = steps.isStopped;
    if (isStopped) break;
  }
  // One that stopped has yet to see bars: a worker that looks for active accounts must find it.
  const kind = fills.isActive() || (isStopped && paper.at < end) ? 'A' : 'F';
  const { booking: _, ...others } = sub;
  return {
    decisions,
    changed: changed || kind !== sub.kind,
    after: {
      ...others,
      kind,
      at: isStopped ? paper.at : Math.max(sub.at, end),
      paper: { settings, saved: fills.save() },
      decisions: latestDecisions(sub.decisions, decisions),
    },
  };
};
