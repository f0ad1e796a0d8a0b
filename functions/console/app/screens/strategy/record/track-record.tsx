import { useState } from 'preact/hooks';
import type { StrategyRulesOut, TrackRecordOut } from '../../../../../../infra/client/package/src/index.ts';
import { MonthHeatmap } from '../../../charts/month-heatmap.tsx';
import { RecordChart } from '../../../charts/record-chart.tsx';
import { countText } from '../../../count-text.ts';
import { originTexts, recordStates } from '../../../strategies/record-texts.ts';
import { Button } from '../../../ui/button.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useResource } from '../../../ui/use-resource.ts';
import { useSteady } from '../../../ui/use-steady.ts';
import { Section } from '../section.tsx';
import { loadRecord } from './load-record.ts';
import { noRecordText } from './no-record.ts';
import { recordCosts } from './record-costs.ts';
import { RecordFigures } from './record-figures.tsx';
import { RecordTrades } from './record-trades.tsx';
import { RecordVersions } from './record-versions.tsx';
import { VerifyRecord } from './verify-record.tsx';

interface TrackRecordProps {
  readonly strategy: StrategyRulesOut;
}

const isText = (text: string | undefined): text is string => text !== undefined;

/** Says that the backtest of before has no figures, unless the state of the record says so. */
const beforeText = ({ status, backtest }: TrackRecordOut): string | undefined => {
  if (backtest.status === 'failed') return 'The backtest of before could not be computed.';
  return backtest.status === 'computing' && status !== 'computing'
    ? 'The backtest of before is being computed.'
    : undefined;
};

interface ShownProps {
  readonly record: TrackRecordOut;
  readonly isOwn: boolean;
  readonly onChoose: (recordId: number | undefined) => void;
}

/** Tells how many records the author began, so that the best of many attempts looks like one. */
const OneOf = ({ record, isOwn }: Omit<ShownProps, 'onChoose'>) => (
  <p>
    1 of{' '}
    <a href={`#/authors/${encodeURIComponent(record.author_key)}`}>
      {countText(record.author_records, 'record')}
    </a>{' '}
    that {isOwn ? 'you' : 'this author'} began, ended ones included.
  </p>
);

const Body = ({ record, isOwn, onChoose }: ShownProps) => {
  const { backtest, currency, timeframe, started_at, as_of } = record;
  const newest = record.versions[0];
  const isEarlier = newest !== undefined && newest.record_id !== record.record_id;
  const hasCurve = currency !== null && (record.equity.length > 1 || backtest.equity.length > 1);
  return (
    <div class="stack">
      {isEarlier && (
        <Notice>
          This is an earlier record of the strategy.{' '}
          <Button kind="quiet" onClick={() => onChoose(undefined)}>
            Show the newest one
          </Button>
        </Notice>
      )}
      {originTexts(record).map((text) => (
        <p key={text}>{text}</p>
      ))}
      {[...recordStates(record), beforeText(record)].filter(isText).map((text) => (
        <Notice key={text} kind="warn">
          {text}
        </Notice>
      ))}
      {!record.is_newest && (
        <p class="muted">There are too many new bars for this page. The hub adds them soon.</p>
      )}
      <OneOf record={record} isOwn={isOwn} />
      <RecordFigures record={record} />
      {hasCurve && (
        <RecordChart
          label="Equity before and after the publication"
          before={backtest.equity}
          record={record.equity}
          publishedAt={started_at}
          currency={currency}
          timeframe={timeframe}
        />
      )}
      {as_of !== null && (
        <MonthHeatmap
          label="Months of the track record"
          months={record.monthly_returns}
          worst={record.worst_month?.month}
        />
      )}
      {recordCosts(record).map((text) => (
        <p key={text} class="muted">
          {text}
        </p>
      ))}
      <p class="muted">
        Track record and backtest begin with the same capital and have the same terms. The backtest knew its
        prices; the record did not. Past results say little about coming ones.
      </p>
      <RecordTrades key={record.record_id} record={record} />
      <RecordVersions record={record} onChoose={onChoose} />
      <VerifyRecord record={record} />
    </div>
  );
};

/** Track record of a strategy as evidence, or why there is none. */
export const TrackRecord = ({ strategy }: TrackRecordProps) => {
  const { strategy_id: id, is_own: isOwn, performance, author } = strategy;
  const [chosen, setChosen] = useState<number>();
  const record = useSteady(
    useResource(
      (signal) => loadRecord(strategy, chosen, signal),
      [id, chosen, performance.source, performance.version, author.user_key],
    ),
  );
  return (
    <Section title="Track record">
      <Loaded of={record} empty={(value) => value === null && noRecordText(strategy)}>
        {(value) => value && <Body record={value} isOwn={isOwn} onChoose={setChosen} />}
      </Loaded>
    </Section>
  );
};
