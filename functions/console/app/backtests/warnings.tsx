import { useState } from 'preact/hooks';
import type { BacktestWarning } from '../../../../infra/client/package/src/index.ts';
import { countText } from '../count-text.ts';
import { format } from '../format.ts';
import { Notice } from '../ui/notice.tsx';

/** Advice by the code of a remark. Remarks without advice are shown as the service words them. */
const ADVICE: Readonly<Record<string, string>> = {
  no_bars: 'Choose another span of time, or another instrument.',
  never_evaluated: 'Begin earlier, use a shorter timeframe, or shorter indicators.',
  few_trades: 'Test a longer span of time or more instruments before you trust the figures.',
  capital_too_small: 'Give the account more capital, or trade smaller sizes.',
  insufficient_funds: 'Trade smaller sizes, or give the account more capital or a lower margin.',
  ambiguous_bars:
    'With smaller bars of these days the test would know. Store minutes, or test a shorter timeframe.',
  ruined: 'The strategy lost everything. Trade smaller sizes, or do not trade it.',
  gaps: 'Indicators and stops work on the bars that are there.',
  suspicious_bars: 'A wrong price can make a trade that never was possible.',
  out_of_sample_collapse:
    'The parameters fit the past and failed on time they had not seen. Do not trust them.',
  best_of_many: 'Judge by the figures out of sample.',
};

/** Remarks that mean that the result is worthless. */
const GRAVE: ReadonlySet<string> = new Set([
  'ruined',
  'no_bars',
  'never_evaluated',
  'out_of_sample_collapse',
]);

/** Width from which on warnings are open. */
const WIDE = '(width >= 40rem)';

const Remarks = ({ of: warnings }: { readonly of: readonly BacktestWarning[] }) => (
  <>
    {warnings.map(({ code, message, symbols, count }) => (
      <Notice key={`${code} ${symbols?.join()}`} kind={GRAVE.has(code) ? 'bad' : 'warn'}>
        <strong>{message}</strong>
        {count !== undefined && ` ${format.count(count)} here.`}
        {symbols && symbols.length > 0 && ` Concerns ${symbols.join(', ')}.`} {ADVICE[code]}
      </Notice>
    ))}
  </>
);

/** Remarks on a result, before its figures. A phone folds those that do not make the result worthless. */
export const Warnings = ({ warnings }: { readonly warnings: readonly BacktestWarning[] }) => {
  const grave = warnings.filter(({ code }) => GRAVE.has(code));
  const others = warnings.filter(({ code }) => !GRAVE.has(code));
  const [isOpen] = useState(() => matchMedia(WIDE).matches);
  if (warnings.length === 0) return null;
  return (
    <section class="stack" aria-label="Warnings">
      <Remarks of={grave} />
      {others.length > 0 && (
        <details class="warnings" open={isOpen}>
          <summary>{countText(others.length, 'warning')}</summary>
          <div class="stack">
            <Remarks of={others} />
          </div>
        </details>
      )}
    </section>
  );
};
