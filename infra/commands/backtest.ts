import { writeFile } from 'node:fs/promises';
import { accountSchema } from '../../functions/backtests/forms/body.ts';
import type { SmallerSeries } from '../../shared/domain/candles/covering.ts';
import { sourcesOf } from '../../shared/domain/candles/timeframes.ts';
import { rulesSchema } from '../../shared/domain/engine/rules/schema.ts';
import { ASSET_CLASSES } from '../../shared/domain/instruments/instruments.ts';
import { readNumber } from '../../shared/domain/read-number.ts';
import { readTimeOrDay } from '../../shared/domain/read-time.ts';
import { TIMEFRAMES } from '../../shared/domain/strategies/strategies.ts';
import { type Market, marketOf, marketText } from '../backtests/market.ts';
import { type FileCandles, readCandles } from '../backtests/read-candles.ts';
import { readJson } from '../backtests/read-json.ts';
import { runOnCandles } from '../backtests/run.ts';
import { statisticsTable, tradesCsv } from '../backtests/tables.ts';
import { CANDLE_HELP, CANDLE_OPTIONS, candleChoicesOf } from './candle-options.ts';
import { explain, oneOf, UsageError } from './command-line.ts';
import { readOptions } from './read-options.ts';

const HELP = `Tests rules on candles of a file, without a server.

  npm run backtest -- --rules rules.json --candles spy.csv --symbol SPY

Prints the sentence of the rules, statistics and warnings. Rules have the format hub.rules/1. The file of
candles is one of npm run import-candles.

  --rules FILE           rules, as /set_strategy_rules takes them
  --candles FILE         candles of one symbol
  --symbol SYMBOL        instrument of the catalogue: its sessions, steps of quantity and terms of swap
  --timeframe TIMEFRAME  ${TIMEFRAMES.join(', ')} (1d)
  --smaller FILE         candles of a smaller timeframe, which decide about fills within a candle
  --smaller-timeframe T  their timeframe (1m)
  ${CANDLE_HELP}
  --asset-class CLASS    class of a symbol that is not in the catalogue: ${ASSET_CLASSES.join(', ')} (equity)
  --account FILE         account, as /run_backtest takes it (10,000 without costs)
  --params a=1,b=2       values of parameters
  --from TIME            first candle that may be evaluated; those before it warm the indicators up
  --to TIME              end of the candles; 2020-12-31 is its first moment in UTC
  --trades FILE          writes the closed trades as CSV; an existing file is replaced
  --skip-faults          leaves faulty candles out instead of refusing the file
  --help                 this text

Ends with 1 for a fault of the files or arguments.
`;

const readArguments = () =>
  readOptions(HELP, {
    options: {
      rules: { type: 'string' },
      candles: { type: 'string' },
      symbol: { type: 'string' },
      timeframe: { type: 'string', default: '1d' },
      smaller: { type: 'string' },
      'smaller-timeframe': { type: 'string', default: '1m' },
      ...CANDLE_OPTIONS,
      'asset-class': { type: 'string', default: 'equity' },
      account: { type: 'string' },
      params: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      trades: { type: 'string' },
      'skip-faults': { type: 'boolean', default: false },
    },
  }).values;

const PARAM = /^\s*([^=\s]+)\s*=(.*)$/s;

const paramsOf = (text: string | undefined): Record<string, number> => {
  const params = new Map<string, number>();
  for (const part of text?.split(',') ?? []) {
    const [, name, text = ''] = PARAM.exec(part) ?? [];
    const value = readNumber(text);
    if (name === undefined || value === undefined)
      throw new UsageError(`--params ${part}: expected NAME=NUMBER, separated by commas.`);
    if (params.has(name)) throw new UsageError(`--params has the parameter ${name} twice.`);
    params.set(name, value);
  }
  return Object.fromEntries(params);
};

const timeOf = (flag: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const at = readTimeOrDay(text);
  if (at !== undefined) return at;
  throw new UsageError(
    `--${flag} ${text}: expected a date such as 2020-01-31, or a time such as 2020-01-31T15:00:00Z.`,
  );
};

/** Reads the candles that decide about fills within a candle. @throws UsageError */
const readSmaller = async (
  file: string | undefined,
  given: string,
  market: Market,
  reading: Omit<Parameters<typeof readCandles>[1], 'kind'>,
): Promise<(SmallerSeries & FileCandles) | undefined> => {
  if (file === undefined) return undefined;
  const timeframe = oneOf('smaller-timeframe', sourcesOf(market.timeframe), given);
  return {
    timeframe,
    ...(await readCandles(file, { ...reading, kind: { ...market, timeframe }, anchor: undefined })),
  };
};

const run = async (): Promise<void> => {
  const options = readArguments();
  const { rules: rulesFile, candles: candlesFile, account: accountFile } = options;
  if (rulesFile === undefined || candlesFile === undefined) {
    throw new UsageError('npm run backtest -- --rules FILE.json --candles FILE.csv, or --help');
  }
  const choices = candleChoicesOf(options);
  const found = marketOf({
    symbol: options.symbol,
    timeframe: oneOf('timeframe', TIMEFRAMES, options.timeframe),
    assetClass: oneOf('asset-class', ASSET_CLASSES, options['asset-class']),
    zone: choices.zone?.name ?? 'UTC',
  });
  const range = {
    params: paramsOf(options.params),
    from: timeOf('from', options.from),
    to: timeOf('to', options.to),
  };
  const rules = await readJson(rulesFile, rulesSchema);
  const account =
    accountFile === undefined ? accountSchema.parse({}) : await readJson(accountFile, accountSchema);
  const reading = { ...choices, skipFaults: options['skip-faults'] };
  const candles = await readCandles(candlesFile, { kind: found, ...reading });
  const market = { ...found, calendar: candles.calendar };
  const smaller = await readSmaller(options.smaller, options['smaller-timeframe'], market, reading);
  const { report, trades, sentence, rulesHash } = await runOnCandles({
    ...range,
    rules,
    rulesFile,
    account,
    market,
    bars: candles.bars,
    smaller,
    candlesFile,
  });
  if (options.trades !== undefined) {
    try {
      await writeFile(options.trades, tradesCsv(trades));
    } catch {
      throw new UsageError(`${options.trades} cannot be written.`);
    }
  }
  console.log(`${sentence}\n`);
  console.log(`${marketText(market)}, ${market.timeframe}: ${report.bars.toLocaleString('en')} candles`);
  console.log(candles.dialect);
  if (smaller) console.log(`${smaller.timeframe} ${smaller.dialect}`);
  console.log(
    `from ${report.first_bar} to ${report.last_bar}, first evaluated: ${report.first_evaluated_bar ?? 'none'}\n`,
  );
  if (report.statistics)
    console.log(`${statisticsTable(report.statistics, report.benchmark.max_drawdown_pct)}\n`);
  for (const { side, quantity, entry_at, entry_price, mark, pnl } of report.open_trades) {
    console.log(
      `Open: ${side} ${quantity} from ${entry_at} at ${entry_price}, last price ${mark}, result ${pnl.toFixed(2)}`,
    );
  }
  for (const warning of candles.warnings) console.log(`Warning: ${warning}`);
  for (const warning of smaller?.warnings ?? []) console.log(`Warning: ${smaller?.timeframe}: ${warning}`);
  if (candles.skipped > 0) console.log(`Warning: ${candles.skipped} lines with faults were left out.`);
  for (const { message, count } of report.warnings) {
    console.log(`Warning: ${message}${count === undefined ? '' : ` (${count.toLocaleString('en')})`}`);
  }
  if (options.trades !== undefined) console.log(`Trades: ${options.trades}`);
  console.log(`Engine ${report.engine_version}, rules ${rulesHash}, candles ${report.candles_hash}`);
};

run().catch((error: unknown) => {
  console.error(explain(error));
  process.exitCode = 1;
});
