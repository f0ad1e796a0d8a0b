import { type AccountSub, latestDecisions } from '../../data/engine/subscriptions.ts';
import { barCount, firstBarFrom } from '../../domain/candles/bars.ts';
import type { AccountSettings } from '../../domain/engine/account/settings.ts';
import type { Steps } from '../../domain/engine/live/advance.ts';
import type { SmallerOf } from '../../domain/engine/live/advance-paper.ts';
import { type Frames, indexAfter } from '../../domain/engine/live/frames.ts';
import type { LiveProgram } from '../../domain/engine/live/live-program.ts';
import type { BarCursor, PaperAccount } from '../../domain/engine/live/paper-account.ts';
import type { TradingPlan } from '../../domain/engine/plan.ts';

/** Bars of a program that accounts are advanced through. */
export interface Span {
  readonly live: LiveProgram;
  readonly frames: readonly Frames[];
  /** Start of the last bar. */
  readonly end: number;
  /** Smaller bars of the bars, for fills within them; by default there are none. */
  readonly smallerOf?: SmallerOf;
}

/** A stored account in memory, with its source of fills. */
interface OpenAccount<S extends Steps> {
  readonly paper: PaperAccount;
  /** Sets the index of the next bar. */
  readonly place: (index: number) => void;
  readonly isActive: () => boolean;
  readonly advance: (frames: Frames) => S;
  /** Returns frames without bars if something may be due after the last one. */
  readonly withoutBars: () => Frames | undefined;
  readonly save: () => string;
}

/** Account after the bars. */
interface Moved<S extends Steps> {
  /** Steps by frames. */
  readonly steps: readonly S[];
  readonly after: AccountSub;
  /** False if the account only moved on, so that nothing is to be written. */
  readonly changed: boolean;
  readonly isStopped: boolean;
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
  return cursor && open(settings, span.live.program.trading, sub.symbol, cursor);
};

/** Advances an account through bars, until it stops. Leaves the stored one as it is. */
export const advanceSub = <S extends Steps>(
  { live, frames, end }: Span,
  sub: AccountSub,
  { paper, place, isActive, advance, withoutBars, save }: OpenAccount<S>,
): Moved<S> => {
  const { settings, saved } = sub.paper;
  place(indexAfter(live, frames, paper.at) ?? paper.index);
  // An account that counts bars in a row has to be kept from its first bar on.
  const isKept = saved === '' && isActive();
  const due = frames.filter(
    ({ first, bars }) => first + barCount(bars) > paper.index && (bars.start[0] ?? end) <= end,
  );
  const empty = due.length === 0 ? withoutBars() : undefined;
  const steps: S[] = [];
  for (const each of empty ? [empty] : due) {
    steps.push(advance(each));
    if (steps.at(-1)?.isStopped) break;
  }
  const isStopped = steps.at(-1)?.isStopped === true;
  // One that stopped has yet to see bars: a worker that looks for active accounts must find it.
  const kind = isActive() || (isStopped && paper.at < end) ? 'A' : 'F';
  const { booking: _, ...others } = sub;
  return {
    steps,
    isStopped,
    changed: isKept || kind !== sub.kind || steps.some(({ changed }) => changed),
    after: {
      ...others,
      kind,
      at: isStopped ? paper.at : Math.max(sub.at, end),
      paper: { settings, saved: save() },
      decisions: latestDecisions(
        sub.decisions,
        steps.flatMap(({ decisions }) => decisions),
      ),
    },
  };
};
