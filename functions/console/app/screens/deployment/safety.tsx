import type { GetRiskLimitsOutput } from '../../../../../infra/client/package/src/index.ts';
import { LimitAmount } from '../../risk/amount.tsx';
import { limitLabel, useWords } from '../../risk/limits.ts';
import { allowedWords } from '../../risk/words.ts';
import { LinkButton } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Percent } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import type { Resource } from '../../ui/use-resource.ts';

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
