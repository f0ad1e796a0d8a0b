import { parseArgs } from 'node:util';
import { findBroker, listingWrite } from '../shared/data/brokers.ts';
import { openTarget } from './catalogue/target.ts';
import { explain, UsageError } from './local/command-line.ts';

const USAGE = `npm run list-broker -- SUBDOMAIN [--remove]

Approves of a white-label broker that registered itself, or does so no longer: an approved one is offered on
everybody's sign-in page (/blloo), can link existing users, and signs its users in for as long as they stay.
HUB_TABLE names a table on AWS, HUB_DYNAMODB_ENDPOINT a database of your own; otherwise it is the data of npm start.`;

const run = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { remove: { type: 'boolean', default: false } },
  });
  const [subdomain] = positionals;
  if (subdomain === undefined || positionals.length > 1) throw new UsageError(USAGE);
  const target = await openTarget(process.env);
  try {
    const broker = await findBroker(target.store, subdomain);
    if (!broker) throw new UsageError(`There is no broker ${subdomain} in ${target.where}.`);
    await target.store.transact([listingWrite(broker.subdomain, !values.remove)]);
    console.log(
      `${broker.name} is ${values.remove ? 'no longer' : 'now'} approved, and offered on sign-in pages.`,
    );
  } finally {
    await target.close();
  }
};

run().catch((error: unknown) => {
  console.error(explain(error));
  process.exitCode = 1;
});
