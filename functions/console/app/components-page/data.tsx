import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import {
  Age,
  BarTime,
  Count,
  Duration,
  Figure,
  Money,
  Percent,
  Price,
  Quantity,
  Ratio,
  When,
} from '../ui/figures.tsx';
import { Tag } from '../ui/notice.tsx';
import type { Column } from '../ui/table/table-props.ts';

const AT = '2026-03-02T14:30:00Z';

/** Figures: gains, losses, nothing, missing and very long ones. */
export const FigureStates = () => (
  <>
    <dl class="figures figures-hero">
      <Figure
        label="Equity"
        value={<Money value={19_274.46} currency="USD" />}
        hint="of US$20,000.00 at the start"
      />
      <Figure
        label="Today"
        value={<Money value={-725.54} currency="USD" signed />}
        hint="open and closed results"
      />
      <Figure label="Result after fees" value={<Money value={1_820.3} currency="USD" signed />} />
    </dl>
    <dl class="figures">
      <Figure
        label="Gain"
        value={<Percent value={12.5} signed />}
        hint="with a sign, an arrow and a colour"
      />
      <Figure label="Loss" value={<Percent value={-12.5} signed />} />
      <Figure label="Neither" value={<Percent value={0} signed />} />
      <Figure label="Missing" value={<Percent value={null} signed />} />
      <Figure label="Long" value={<Money value={-123_456_789_012.34} currency="USD" signed />} />
      <Figure label="Crypto" value={<Money value={0.00001234} currency="BTC" />} />
      <Figure label="Quantity" value={<Quantity value={1_000.125} />} />
      <Figure label="Price" value={<Price value={1.08345} />} />
      <Figure label="Trades" value={<Count value={12_345} />} />
      <Figure label="Sharpe ratio" value={<Ratio value={1.234} />} />
      <Figure label="Held" value={<Duration value={93_600} />} />
      <Figure label="Time" value={<When at={AT} />} />
      <Figure label="Day of a bar" value={<BarTime at={AT} timeframe="1d" />} />
      <Figure label="Age" value={<Age at={Date.now() - 30_000} />} />
      <Figure label="Old" value={<Age at={Date.now() - 300_000} />} />
    </dl>
  </>
);

interface Row {
  readonly name: string;
  readonly result: number | null;
  readonly trades: number;
  readonly at: string;
}

const ROWS: readonly Row[] = ['Nova', 'Orbit', 'Terra', 'Blitz', 'Apple', 'Gold', 'Euro'].map(
  (name, index) => ({
    name,
    result: index === 2 ? null : (index - 3) * 1_234.5,
    trades: index * 7,
    at: new Date(Date.parse(AT) + index * 3_600_000).toISOString(),
  }),
);

const COLUMNS: readonly Column<Row>[] = [
  { head: 'Strategy', isHead: true, cell: ({ name }) => <a href="/console">{name}</a> },
  {
    head: 'State',
    cell: ({ trades }) => (
      <Tag kind={trades > 20 ? 'good' : 'warn'}>{trades > 20 ? 'Running' : 'Paused'}</Tag>
    ),
  },
  { head: 'Result', isNumber: true, cell: ({ result }) => <Money value={result} currency="USD" signed /> },
  { head: 'Trades', isNumber: true, cell: ({ trades }) => <Count value={trades} /> },
  { head: 'Last', cell: ({ at }) => <When at={at} /> },
  {
    head: 'Commands',
    isCommands: true,
    cell: ({ name }) => (
      <div class="actions">
        <Button aria-label={`Pause ${name}`}>Pause</Button>
        <Button aria-label={`Stop ${name}`}>Stop</Button>
      </div>
    ),
  },
];

/** A table that is sorted, filtered and exported, one with a single row, and one without. */
export const TableStates = () => (
  <>
    <DataTable caption="Seven rows" showCaption columns={COLUMNS} rows={ROWS} rowKey={({ name }) => name} />
    <DataTable
      caption="One row"
      showCaption
      columns={COLUMNS}
      rows={ROWS.slice(0, 1)}
      rowKey={({ name }) => name}
    />
    <DataTable caption="No row" showCaption columns={COLUMNS} rows={[]} rowKey={({ name }) => name} />
  </>
);
