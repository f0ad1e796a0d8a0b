import { useState } from 'preact/hooks';
import type { GetParityOutput } from '../../../../../infra/client/package/src/index.ts';
import {
  attributionRows,
  decisionName,
  differenceName,
  parityWords,
  tookWords,
} from '../../deployments/parity-words.ts';
import { hub, ME } from '../../hub.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Money, Quantity, When } from '../../ui/figures.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';

type Attribution = NonNullable<GetParityOutput['attribution']>;

const Differences = ({ of: { differences } }: { of: GetParityOutput }) =>
  differences.length === 0 ? null : (
    <DataTable
      caption="What differs"
      showCaption
      rows={differences.map((one, index) => ({ ...one, index }))}
      rowKey={({ index }) => index}
      columns={[
        { head: 'Time', isHead: true, cell: ({ at }) => <When at={at} /> },
        { head: 'Symbol', cell: ({ symbol }) => symbol },
        { head: 'What', cell: ({ kind }) => differenceName(kind) },
        { head: 'In the backtest', cell: ({ expected }) => expected ?? 'not there' },
        { head: 'Here', cell: ({ found }) => found ?? 'not there' },
      ]}
    />
  );

/** Difference between the results of an account and of its backtest, by cause and by fill. */
const Attributed = ({ of: attribution }: { of: Attribution }) => {
  const { currency, fills, fills_count } = attribution;
  return (
    <>
      <DataTable
        caption="Where the difference comes from"
        showCaption
        rows={attributionRows(attribution)}
        rowKey={({ name }) => name}
        columns={[
          { head: 'Cause', isHead: true, cell: ({ name }) => name },
          {
            head: 'Effect',
            isNumber: true,
            cell: ({ amount }) => <Money value={amount} currency={currency} signed />,
          },
          { head: 'Meaning', cell: ({ text }) => text },
        ]}
      />
      {fills.length > 0 && (
        <DataTable
          caption={
            fills_count > fills.length ? `The newest ${fills.length} of ${fills_count} fills` : 'Fill by fill'
          }
          showCaption
          rows={fills.map((one, index) => ({ ...one, index }))}
          rowKey={({ index }) => index}
          columns={[
            { head: 'Time', isHead: true, cell: ({ at }) => <When at={at} seconds /> },
            { head: 'Symbol', cell: ({ symbol }) => symbol },
            { head: 'Decision', cell: ({ decision, side }) => `${decisionName(decision)}, ${side}` },
            { head: 'Quantity', isNumber: true, cell: ({ quantity }) => <Quantity value={quantity} /> },
            {
              head: 'Backtest',
              isNumber: true,
              cell: ({ backtest_price }) => <Quantity value={backtest_price} />,
            },
            { head: 'Here', isNumber: true, cell: ({ price }) => <Quantity value={price} /> },
            { head: 'Filled after', cell: ({ delay_ms }) => tookWords(delay_ms) },
            {
              head: 'Effect',
              isNumber: true,
              cell: ({ slippage, fees, delay, missing, extra }) => (
                <Money value={slippage + fees + delay + missing + extra} currency={currency} signed />
              ),
            },
            {
              head: 'Why',
              cell: ({ kind, reason }) => (kind === 'matched' ? '' : `${kind}: ${reason ?? ''}`),
            },
          ]}
        />
      )}
    </>
  );
};

export interface ParityProps {
  readonly id: number;
  /** True if a broker fills its orders. */
  readonly isReal: boolean;
}

/** Comparison of a deployment with its backtest. It is work, so it is done when it is asked for. */
export const Parity = ({ id, isReal }: ParityProps) => {
  const [isShown, setShown] = useState(false);
  const compare = useAction(() => hub.getParity({ user_id: ME, deployment_id: id }));
  const [result, setResult] = useState<GetParityOutput>();
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
        {isReal
          ? 'The hub runs a backtest of the rules alone over the same bars, and says for each fill what your broker’s prices, fees and delays, and fills that are missing or extra, cost or gained.'
          : 'The hub runs a backtest of the same rules over the bars that this deployment has seen, and compares every order and trade.'}
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
      {result && (result.attribution ? <Attributed of={result.attribution} /> : <Differences of={result} />)}
    </section>
  );
};
