import { type Broker, findBroker } from '../../shared/data/brokers/brokers.ts';
import type { Write } from '../../shared/data/table/writes.ts';
import { withExisting } from '../catalogue/target.ts';
import { UsageError } from './command-line.ts';
import { explainAws } from './explain-aws.ts';
import { readOptions } from './read-options.ts';

/** Command about one white-label broker, and the flag that reverts it. */
export interface BrokerCommand {
  readonly usage: string;
  readonly flag: string;
  readonly change: (broker: Broker, undo: boolean) => Write;
  /** Message when it is done. */
  readonly done: (broker: Broker, undo: boolean) => string;
}

const TABLES =
  'HUB_TABLE selects a table on AWS, HUB_DYNAMODB_ENDPOINT your own database. The default is the data of npm start.';

const run = async ({ usage, flag, change, done }: BrokerCommand): Promise<void> => {
  const { values, positionals } = readOptions(`${usage}\n${TABLES}`, {
    allowPositionals: true,
    options: { [flag]: { type: 'boolean', default: false } },
  });
  const [subdomain] = positionals;
  if (subdomain === undefined || positionals.length > 1) throw new UsageError(`${usage}\n${TABLES}`);
  const undo = values[flag] === true;
  await withExisting(process.env, async (target) => {
    const broker = await findBroker(target.store, subdomain);
    if (!broker) throw new UsageError(`There is no broker ${subdomain} in ${target.where}.`);
    await target.store.transact([change(broker, undo)]);
    console.log(done(broker, undo));
  });
};

/** Runs a command for the broker on the command line. */
export const runBrokerCommand = (command: BrokerCommand): void => {
  run(command).catch((error: unknown) => {
    console.error(explainAws(error));
    process.exitCode = 1;
  });
};
