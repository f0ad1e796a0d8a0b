import { readOptions } from '../../infra/commands/read-options.ts';
import { pathFiles } from '../support/path-files.ts';

const HELP = `npm run paths -- [NAME]

Counts the files of functions and shared that run on the paths that newcomers read. With NAME it lists those of one path.`;

/** Entries of the paths that newcomers read. */
const PATHS: Readonly<Record<string, string>> = {
  'Order Updated': 'functions/execution-events/handler.ts',
  'Bar Closed': 'functions/engine/handler.ts',
  'deploying a trading strategy': 'functions/deployments/deploy-live-strategy.ts',
  'a backtest': 'functions/backtests/run-backtest.ts',
  'a sign-in': 'functions/user-access/login.ts',
  'a webhook': 'functions/deliveries/webhooks/handler.ts',
};

const { positionals } = readOptions(HELP, { allowPositionals: true });
const [wanted] = positionals;
for (const [name, entry] of Object.entries(PATHS)) {
  const files = await pathFiles(entry);
  console.log(`${name}: ${files.length} files from ${entry}`);
  if (name === wanted) console.log(files.join('\n'));
}
