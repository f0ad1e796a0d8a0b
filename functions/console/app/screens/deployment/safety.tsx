import { useState } from 'preact/hooks';
import type { GetRiskLimitsOutput } from '../../../../../infra/client/package/src/index.ts';
import { differenceName, parityWords } from '../../deployments/parity-words.ts';
import { hub, ME } from '../../hub.ts';
import { LimitAmount } from '../../risk/amount.tsx';
import { limitLabel, useWords } from '../../risk/limits.ts';
import { allowedWords } from '../../risk/words.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Percent, When } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import type { Resource } from '../../ui/use-resource.ts';

/** Comparison of a paper deployment with its backtest. It is work, so it is done when it is asked for. */
export const Parity = ({ id }: { id: number }) => {
  const [isShown, setShown] = useState(false);
  const compare = useAction(() => hub.getParity({ user_id: ME, deployment_id: id }));
  const [result, setResult] = useState<Awaited<ReturnType<typeof hub.getParity>>>();
  const run = async (): Promise<void> => {
    setShown(true);
    const answer = await compare.run();
    if (answer) setResult(answer);
  };
  const words = result && parityWords(result);
  return (
    <section class="card">
      <h2>Does it trade as its backtest says?</h2>
      <p>
        The hub runs a backtest of the same rules over the bars that this deployment has seen, and compares
        every order and trade.
      </p>
      <div class="actions">
        <Button busy={compare.isBusy} onClick={() => void run()}>
          {result ? 'Compare again' : 'Compare'}
        </Button>
      </div>
      {isShown && <Problem of={compare.error} />}
      {words && (
        <Notice kind={words.tone}>
          <p>
            <strong>{words.answer}</strong>
          </p>
          {words.details.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </Notice>
      )}
      {result && result.differences.length > 0 && (
        <DataTable
          caption="What differs"
          showCaption
          rows={result.differences.map((one, index) => ({ ...one, index }))}
          rowKey={({ index }) => index}
          columns={[
            { head: 'Time', isHead: true, cell: ({ at }) => <When at={at} /> },
            { head: 'Symbol', cell: ({ symbol }) => symbol },
            { head: 'What', cell: ({ kind }) => differenceName(kind) },
            { head: 'In the backtest', cell: ({ expected }) => expected ?? 'not there' },
            { head: 'Here', cell: ({ found }) => found ?? 'not there' },
          ]}
        />
      )}
    </section>
  );
};

/** Risk limits of a deployment with their use. */
export const Limits = ({ of: limits }: { of: Resource<GetRiskLimitsOutput | null> }) => (
  <section class="stack">
    <h2>Risk limits</h2>
    <Loaded
      of={limits}
      empty={(value) =>
        (!value || (value.usage.length === 0 && allowedWords(value.merged).length === 0)) && (
          <>
            <p>No risk limit watches this deployment. A limit stops it before its losses do.</p>
            <LinkButton href="#/risk">Set risk limits</LinkButton>
          </>
        )
      }
    >
      {(value) =>
        value && (
          <>
            {value.usage.length > 0 && (
              <DataTable
                caption="Risk limits and their use"
                rows={value.usage}
                rowKey={({ limit }) => limit}
                columns={[
                  { head: 'Limit', isHead: true, cell: ({ limit }) => limitLabel(limit) },
                  {
                    head: 'Used',
                    isNumber: true,
                    cell: ({ limit, used }) => (
                      <LimitAmount name={limit} value={used} currency={value.currency} />
                    ),
                  },
                  {
                    head: 'Allowed',
                    isNumber: true,
                    cell: ({ limit, allowed }) => (
                      <LimitAmount name={limit} value={allowed} currency={value.currency} />
                    ),
                  },
                  { head: 'Part', isNumber: true, cell: ({ used_pct }) => <Percent value={used_pct} /> },
                  {
                    head: 'State',
                    cell: ({ limit, used_pct }) =>
                      value.state?.tripped?.limit === limit
                        ? 'Reached: it stopped the deployment'
                        : useWords(used_pct),
                  },
                ]}
              />
            )}
            {allowedWords(value.merged).map((text) => (
              <p key={text}>{text}</p>
            ))}
          </>
        )
      }
    </Loaded>
  </section>
);
