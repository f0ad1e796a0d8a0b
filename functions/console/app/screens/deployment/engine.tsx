import type {
  GetDeploymentEngineOutput,
  GetDeploymentOutput,
  GetRiskLimitsOutput,
} from '../../../../../infra/client/package/src/index.ts';
import { countText } from '../../count-text.ts';
import { type EntryClock, refusalSentences } from '../../deployments/allowed-entries.ts';
import { livesInBars } from '../../deployments/market-time.ts';
import { type DeploymentFacts, stateWords } from '../../deployments/state-words.ts';
import {
  type ConditionNode,
  conditionTree,
  type EntryLimits,
  limitSentences,
  whyOf,
} from '../../deployments/why.ts';
import { format } from '../../format.ts';
import { hub, ME } from '../../hub.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Age, Price, Quantity, When } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type Resource, useResource } from '../../ui/use-resource.ts';

type Symbol = GetDeploymentEngineOutput['symbols'][number];
type Evaluation = NonNullable<Symbol['evaluation']>;

const Conditions = ({ of: nodes }: { of: readonly ConditionNode[] }) => (
  <ul class="conditions">
    {nodes.map((node, index) => (
      <li key={index}>
        <span class={node.holds ? 'sign-good' : 'sign-bad'}>
          <span aria-hidden="true">{node.holds ? '✓' : '×'}</span>
          <span class="unseen">{node.holds ? 'holds: ' : 'does not hold: '}</span>
        </span>{' '}
        {node.text}
        {node.inner.length > 0 && <Conditions of={node.inner} />}
      </li>
    ))}
  </ul>
);

const Decisions = ({ title, of: decisions }: { title: string; of: Evaluation['entries'] }) =>
  decisions.length === 0 ? null : (
    <section class="stack">
      <h3>{title}</h3>
      {decisions.map((decision, index) => (
        <div key={index}>
          <strong>{decision.side === 'long' ? 'Long' : 'Short'}</strong>
          {decision.blocked !== null && <span class="muted">: {decision.blocked}</span>}
          <Conditions of={conditionTree(decision.conditions)} />
        </div>
      ))}
    </section>
  );

const Orders = ({ of: { orders, trades } }: { of: Symbol }) => (
  <>
    {orders.length > 0 && (
      <DataTable
        caption="Orders that wait"
        showCaption
        rows={orders}
        rowKey={({ client_order_id }) => client_order_id}
        columns={[
          {
            head: 'Order',
            isHead: true,
            cell: ({ side, order_type }) => `${side === 'long' ? 'Buy' : 'Sell short'}, ${order_type}`,
          },
          {
            head: 'Price',
            isNumber: true,
            cell: ({ price }) => (price === null ? 'market' : <Price value={price} />),
          },
          { head: 'Quantity', isNumber: true, cell: ({ quantity }) => <Quantity value={quantity} /> },
          { head: 'Since', cell: ({ placed_at }) => <When at={placed_at} /> },
        ]}
      />
    )}
    {trades.length > 0 && (
      <DataTable
        caption="Open trades with their stops and targets"
        showCaption
        rows={trades.map((trade, index) => ({ ...trade, index }))}
        rowKey={({ index }) => index}
        columns={[
          { head: 'Trade', isHead: true, cell: ({ side }) => (side === 'long' ? 'Long' : 'Short') },
          { head: 'Quantity', isNumber: true, cell: ({ quantity }) => <Quantity value={quantity} /> },
          { head: 'Entry', isNumber: true, cell: ({ entry_price }) => <Price value={entry_price} /> },
          { head: 'Since', cell: ({ entry_at }) => <When at={entry_at} /> },
          {
            head: 'Stop',
            isNumber: true,
            cell: ({ stop_loss, is_trailed }) =>
              stop_loss === null ? 'none' : `${format.price(stop_loss)}${is_trailed ? ' (trails)' : ''}`,
          },
          {
            head: 'Target',
            isNumber: true,
            cell: ({ take_profit }) => (take_profit === null ? 'none' : <Price value={take_profit} />),
          },
        ]}
      />
    )}
  </>
);

interface SymbolViewProps extends Pick<AnswerProps, 'facts'> {
  readonly of: Symbol;
  readonly limits: EntryLimits | undefined;
}

const SymbolView = ({ of: symbol, facts, limits }: SymbolViewProps) => {
  const { tone, answer, details } = whyOf(symbol, facts, limits);
  const { evaluation, last_bar, next_bar_due_at, data_delay_note, decisions } = symbol;
  return (
    <section class="card" aria-label={symbol.symbol}>
      <h2>{symbol.symbol}</h2>
      <Notice kind={tone}>
        <p>
          <strong>{answer}</strong>
        </p>
        {details.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </Notice>
      <p class="muted">
        {last_bar ? (
          <>
            Last bar closed <When at={last_bar.closed_at} />.{' '}
          </>
        ) : (
          'No bar yet. '
        )}
        {next_bar_due_at !== null && data_delay_note === null && (
          <>
            The next one is due <When at={next_bar_due_at} />.{' '}
          </>
        )}
        {data_delay_note}
      </p>
      {evaluation && (
        <details>
          <summary>Conditions with their values at the last bar</summary>
          <div class="stack">
            <Decisions title="To enter" of={evaluation.entries} />
            <Decisions title="To leave" of={evaluation.exits} />
          </div>
        </details>
      )}
      <Orders of={symbol} />
      <section class="stack">
        <h3>Last decisions</h3>
        {decisions.length === 0 ? (
          <p class="muted">It has decided nothing yet.</p>
        ) : (
          <ol class="decisions">
            {decisions.map(({ at, text }, index) => (
              <li key={index}>
                <When at={at} /> {text}
              </li>
            ))}
          </ol>
        )}
      </section>
    </section>
  );
};

const External = ({ facts, inTheWay }: { facts: DeploymentFacts; inTheWay: readonly string[] }) => {
  const { tone, sentence } = stateWords(facts);
  return (
    <>
      {facts.status !== 'active' && <Notice kind={tone}>{sentence}</Notice>}
      {inTheWay.map((text) => (
        <Notice key={text} kind="warn">
          {text}
        </Notice>
      ))}
      <Notice>
        Another engine runs this deployment, so its reasons are not known here. Its orders and the audit trail
        show what it did.
      </Notice>
    </>
  );
};

export interface EngineProps {
  readonly id: number;
  readonly facts: DeploymentFacts;
  readonly isHub: boolean;
  /** Null for a deployment that does not trade. */
  readonly live: GetDeploymentOutput['live'];
  /** Risk limits; null for a deployment that does not trade. */
  readonly of: Resource<GetRiskLimitsOutput | null>;
}

interface AnswerProps extends Omit<EngineProps, 'of'> {
  readonly limits: GetRiskLimitsOutput | null;
}

const ENGINE_MS = 30_000;

/** Returns the time that counts for the entries of a deployment. */
const clockOf = (live: NonNullable<GetDeploymentOutput['live']>): EntryClock => ({
  now: Date.now(),
  timeframe: live.timeframe,
  isOfBars: livesInBars(live),
});

const Answer = ({ id, facts, isHub, live, limits }: AnswerProps) => {
  const engine = useResource(
    async (signal) =>
      isHub ? hub.getDeploymentEngine({ user_id: ME, deployment_id: id }, { signal }) : undefined,
    [id, isHub],
    { everyMs: ENGINE_MS, on: (event) => event.deployment_id === id },
  );
  const inTheWay = limits ? limitSentences(limits) : [];
  const clock = live && clockOf(live);
  if (!isHub) {
    const refused = limits && clock ? refusalSentences(limits.merged, live.symbols, clock) : [];
    return <External facts={facts} inTheWay={[...inTheWay, ...refused]} />;
  }
  const entryLimits = limits && clock ? { ...limits, clock } : undefined;
  return (
    <Loaded of={engine}>
      {(value) =>
        value && (
          <>
            <p>{value.sentence}</p>
            {inTheWay.map((text) => (
              <Notice key={text} kind="warn">
                {text}
              </Notice>
            ))}
            {value.scanner && (
              <section class="card">
                <p>
                  It {value.scanner.waits_for}. It watches{' '}
                  {countText(value.scanner.watched_count, 'instrument')}
                  {value.scanner.watched.length > 0 && `: ${value.scanner.watched.join(', ')}`}.
                </p>
                {value.scanner.without_candles_count > 0 && (
                  <p class="muted">
                    Left out, as there are no prices of them here (
                    {format.count(value.scanner.without_candles_count)}):{' '}
                    {value.scanner.without_candles.join(', ')}.
                  </p>
                )}
              </section>
            )}
            {value.symbols.map((symbol) => (
              <SymbolView key={symbol.symbol} of={symbol} facts={facts} limits={entryLimits} />
            ))}
            <p class="muted">
              Looked at <Age at={engine.loadedAt} />
            </p>
          </>
        )
      }
    </Loaded>
  );
};

/** Answers why a deployment did or did not trade. Without its limits the answer could be wrong. */
export const Engine = ({ of: limits, ...props }: EngineProps) => (
  <Loaded of={limits}>{(value) => <Answer {...props} limits={value} />}</Loaded>
);
