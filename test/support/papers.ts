import type { BarColumns } from '../../shared/domain/candles/bars.ts';
import { barCount } from '../../shared/domain/candles/bars.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { type AccountSettings, plainSettings } from '../../shared/domain/engine/account/settings.ts';
import { marketTimeOf } from '../../shared/domain/engine/market-time.ts';
import { observeBars } from '../../shared/domain/engine/running/frames.ts';
import { openPaperAccount, type PaperAccount } from '../../shared/domain/engine/running/paper-account.ts';
import { type RunningProgram, startProgram } from '../../shared/domain/engine/running/running-program.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';
import { advancePaper } from './advance.ts';
import { plainRules } from './rules.ts';

interface Options {
  readonly account?: Partial<AccountSettings>;
  readonly timeframe?: Timeframe;
  readonly calendar?: string;
}

/** Starts a program of rules. */
const programOf = (
  rules: object,
  { timeframe = '1d', calendar = 'always' }: Omit<Options, 'account'> = {},
): RunningProgram => {
  return startProgram(
    plainRules({ schema: 'hub.rules/1', ...rules }),
    timeframe,
    marketTimeOf(calendarById(calendar)),
  );
};

/** A program with an account for `X` that starts at the first bar, with 10,000 and whole units. */
export interface Paper {
  readonly live: RunningProgram;
  readonly paper: PaperAccount;
  /** Advances both by bars. */
  readonly advance: (bars: BarColumns, entries?: boolean) => ReturnType<typeof advancePaper>;
}

export const paperOf = (rules: object, { account, ...options }: Options = {}): Paper => {
  const live = programOf(rules, options);
  const settings = { ...plainSettings(10_000), ...account };
  const paper = openPaperAccount(settings, live.program.trading, 'X', { at: Number.NaN, index: 0 });
  return {
    live,
    paper,
    advance: (bars, entries = true) => {
      if (barCount(bars) === 0) throw new Error('there are no bars');
      return advancePaper(live, paper, observeBars(live, bars), { entries });
    },
  };
};
