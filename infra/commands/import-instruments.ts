import { findBroker } from '../../shared/data/brokers/brokers.ts';
import { listRetailBrokers } from '../../shared/data/instruments/instrument-brokers.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { ASSET_CLASSES, type AssetClass } from '../../shared/domain/instruments/instruments.ts';
import { loadCandles } from '../candles/load.ts';
import { FORMATS, type Format, formatOf, missingHeaders } from '../catalogue/formats.ts';
import { type Import, importLines } from '../catalogue/import-list.ts';
import { loadCatalogue } from '../catalogue/load.ts';
import type { Summary } from '../catalogue/prepare-batch.ts';
import { progressOn } from '../catalogue/progress.ts';
import type { ClassMap } from '../catalogue/read-facts.ts';
import { NotAListError, openList } from '../catalogue/read-list.ts';
import { openTarget, type Target } from '../catalogue/target.ts';
import { withWriter } from '../catalogue/writer.ts';
import { count, UsageError } from './command-line.ts';
import { explainAws } from './explain-aws.ts';
import { readOptions } from './read-options.ts';

const HELP = `Imports a CSV list of instruments.

  npm run import-instruments -- FILE            the first line names the columns
  npm run import-instruments -- --catalogue     the catalogue that comes with the service

  --dry-run              reports the changes without writing them
  --format NAME          hub, properties or constituents; by default recognized by the columns
  --map TYPE=CLASS       class of the instruments with this type (${ASSET_CLASSES.join(', ')}),
                         or skip to leave them out; may be repeated
  --qualify              names instruments EXCHANGE:SYMBOL, for symbols that several exchanges have
  --broker SLUG          adds the instruments to the offer of this broker

Formats:
${FORMATS.map(({ name, about }) => `  ${name.padEnd(22)} ${about}`).join('\n')}

Target:
  HUB_DYNAMODB_ENDPOINT  a DynamoDB at this address (table HUB_TABLE)
  HUB_TABLE              this table on AWS, without an endpoint
  HUB_DATA_DIR           otherwise the data of npm start (.hub), running or not

Exits with 1 if lines could not be imported; the others are imported. Ctrl-C stops after the current lines
and prints the progress; the same command continues from there.
`;

const classMap = (pairs: readonly string[]): ClassMap =>
  new Map(
    pairs.map((pair): [string, AssetClass | 'skip'] => {
      const [type = '', name = ''] = pair.toLowerCase().split('=');
      const assetClass = [...ASSET_CLASSES, 'skip' as const].find((one) => one === name);
      if (type && assetClass) return [type, assetClass];
      throw new UsageError(
        `--map ${pair}: expected TYPE=CLASS, where CLASS is skip, ${ASSET_CLASSES.join(', ')}`,
      );
    }),
  );

const chosenFormat = (name: string | undefined, headers: readonly string[]): Format => {
  const format = name === undefined ? formatOf(headers) : FORMATS.find((one) => one.name === name);
  if (!format) {
    const names = FORMATS.map((one) => one.name).join(', ');
    throw new UsageError(
      name === undefined
        ? `The columns match no format (${names}): ${headers.join(', ') || 'none'}. See --help.`
        : `There is no format ${name}. Formats: ${names}.`,
    );
  }
  const missing = missingHeaders(format, headers);
  if (missing.length > 0) {
    throw new UsageError(`The format ${format.name} also needs the columns ${missing.join(', ')}.`);
  }
  return format;
};

const namedBroker = async (store: Store, slug: string): Promise<NonNullable<Import['broker']>> => {
  const retail = (await listRetailBrokers(store)).find((one) => one.slug === slug);
  if (retail) return retail;
  const broker = await findBroker(store, slug);
  if (!broker) throw new UsageError(`There is no broker ${slug}.`);
  return { slug: broker.subdomain.toLowerCase(), broker_id: broker.broker_id, servers: [] };
};

const resultText = (summary: Summary, dryRun: boolean): string => {
  const { lines, created, updated, unchanged, skipped, failed } = summary;
  const fates = Object.entries({ created, updated, unchanged, skipped, failed });
  const list = fates.map(([fate, number]) => `${count(number)} ${fate}`).join(', ');
  return `${count(lines)} lines: ${list}.${dryRun ? ' Nothing was written: this was a dry run.' : ''}`;
};

const readArguments = () =>
  readOptions(HELP, {
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      format: { type: 'string' },
      map: { type: 'string', multiple: true, default: [] },
      qualify: { type: 'boolean', default: false },
      broker: { type: 'string' },
      catalogue: { type: 'boolean', default: false },
    },
  });

const importFile = async (
  target: Target,
  file: string,
  options: ReturnType<typeof readArguments>['values'],
): Promise<void> => {
  const list = await openList(file);
  const format = chosenFormat(options.format, list.headers);
  const bar = progressOn(process.stderr);
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  process.once('SIGINT', interrupt);
  const { store } = target;
  const task = {
    store,
    reading: { format, classes: classMap(options.map), qualify: options.qualify },
    ...(options.broker !== undefined && { broker: await namedBroker(store, options.broker.toLowerCase()) }),
    signal: interrupted.signal,
    onProblem: (line: number, problem: string) => {
      bar.clear();
      console.error(`line ${line}: ${problem}`);
    },
    onProgress: ({ lines }: Summary) => bar.show(list.progress(), `${count(lines)} lines`),
  };
  const summary = await withWriter(target, options['dry-run'], (writer) =>
    importLines({ ...task, writer }, list.lines),
  );
  process.off('SIGINT', interrupt);
  bar.clear();
  if (interrupted.signal.aborted) {
    console.log(`Interrupted after ${count(summary.lines)} lines. Run the same command again to continue.`);
    process.exitCode = 130;
  }
  console.log(`${file}, read as ${format.name}. ${resultText(summary, options['dry-run'])}`);
  if (summary.failed > 0) process.exitCode ??= 1;
};

const run = async (): Promise<void> => {
  const { values, positionals } = readArguments();
  const [file] = positionals;
  if (values.catalogue ? positionals.length > 0 : positionals.length !== 1) {
    throw new UsageError('npm run import-instruments -- FILE, or --catalogue, or --help');
  }
  const target = await openTarget(process.env);
  try {
    if (file !== undefined) await importFile(target, file, values);
    else {
      console.log(`${count(await loadCatalogue(target.store))} instruments of the catalogue were written.`);
      console.log(`${count(await loadCandles(target.store))} series of recorded candles were written.`);
    }
  } catch (error) {
    // Throws the first error: it may have caused the one of closing.
    await target.close().catch((second: unknown) => console.error(explainAws(second)));
    throw error;
  }
  await target.close();
  console.log(`${values['dry-run'] ? 'Compared with' : 'Written to'} ${target.where}.`);
};

run().catch((error: unknown) => {
  console.error(error instanceof NotAListError ? error.message : explainAws(error));
  process.exitCode = 1;
});
