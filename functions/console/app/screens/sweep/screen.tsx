import { useEffect, useState } from 'preact/hooks';
import type { GetSweepOutput } from '../../../../../infra/client/package/src/index.ts';
import { OwnCandlesNote } from '../../backtests/own-candles-note.tsx';
import { Progress } from '../../backtests/progress.tsx';
import { Warnings } from '../../backtests/warnings.tsx';
import { SweepHeatmap } from '../../charts/sweep-heatmap.tsx';
import { format } from '../../format.ts';
import { hub, ME } from '../../hub.ts';
import type { ScreenProps } from '../../router.ts';
import { StrategyName, useStrategyNames } from '../../strategies/strategy-name.tsx';
import { barsText } from '../../strategies/texts.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Figure } from '../../ui/figures.tsx';
import { askable, idOf, isMissing } from '../../ui/ids.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Missing } from '../../ui/missing.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { Combinations } from './combinations.tsx';

const POLL_MS = 1500;

const isOver = ({ status }: GetSweepOutput): boolean => status === 'done' || status === 'failed';

const Result = ({ sweep }: { readonly sweep: GetSweepOutput }) => {
  const { combinations, timeframe } = sweep;
  const part = (count: number | null): string =>
    count === null ? '–' : `${format.count(count)} of ${format.count(combinations)}`;
  return (
    <>
      <section class="card" aria-label="Overview">
        <dl class="figures">
          <Figure label="Combinations" value={format.count(combinations)} />
          <Figure label="With a gain in sample" value={part(sweep.profitable_in_sample)} />
          <Figure
            label="With a gain out of sample"
            value={part(sweep.profitable_out_of_sample)}
            hint="The more of them, the less the result depends on the choice."
          />
          <Figure
            label="Out of sample from"
            value={format.bar(sweep.split_at, timeframe).text}
            hint="Combinations were ranked on the time before."
          />
        </dl>
      </section>
      {sweep.best.length > 0 && (
        <>
          <SweepHeatmap sweep={sweep} />
          <Combinations sweep={sweep} />
        </>
      )}
    </>
  );
};

/** Sweep over parameters with its progress and its best combinations. */
const Sweep = ({ params }: ScreenProps) => {
  const id = idOf(params.id);
  const [isRunning, setRunning] = useState(false);
  const sweep = useResource(
    async (signal) => hub.getSweep({ user_id: ME, sweep_id: askable(id) }, { signal }),
    [id],
    isRunning ? { everyMs: POLL_MS } : {},
  );
  const { value } = sweep;
  const names = useStrategyNames([value?.strategy_id ?? null]);
  useEffect(() => setRunning(value !== undefined && !isOver(value)), [value]);
  if (!value && isMissing(sweep.error)) {
    return <Missing thing="sweep" ways={[{ href: '#/backtests?sweeps', label: 'All sweeps' }]} />;
  }
  return (
    <Screen
      title={
        value
          ? `Parameter sweep of ${value.symbols.join(', ')}, ${barsText(value.timeframe)}`
          : 'Parameter sweep'
      }
      lead={
        value && (
          <>
            <StrategyName id={value.strategy_id} names={names} />: {value.sentence}
          </>
        )
      }
      actions={<LinkButton href="#/backtests?sweeps">All sweeps</LinkButton>}
    >
      <Loaded of={sweep}>
        {(shown) => (
          <>
            {!isOver(shown) && <Progress of={shown} />}
            {shown.status === 'failed' && (
              <Notice kind="bad">
                The sweep failed: {shown.error ?? 'no reason was given'}. Start it again; if it fails again,
                try fewer combinations.
              </Notice>
            )}
            <OwnCandlesNote of={shown} />
            <Warnings warnings={shown.warnings} />
            {shown.status === 'done' && <Result sweep={shown} />}
          </>
        )}
      </Loaded>
    </Screen>
  );
};

export default Sweep;
