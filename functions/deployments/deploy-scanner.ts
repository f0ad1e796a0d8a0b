import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { type Items, itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { parseItem } from '../../shared/data/table/parse-item.ts';
import { type Universe, universeSchema } from '../../shared/domain/instruments/instrument-records.ts';
import { presentScanner, scannerDeploymentsOut } from './records/scanner.ts';
import { deploy, requireDeployKey } from './starting/deploy.ts';
import { rulesKeys, scannerRunOf } from './starting/hub-run.ts';
import { pricesForm, requireScannedPrices } from './starting/prices.ts';

/** Shape of a universe id; any other text names none. */
const UNIVERSE_ID = /^[a-z0-9-]{1,64}$/;

export const deployScanner = defineOperation({
  method: 'POST',
  path: '/deploy_scanner',
  name: 'deploy_scanner',
  summary: 'Deploy a strategy as a scanner',
  description:
    'Watches every instrument of a universe for the signals of the strategy that the deploy key names. `prices=required` refuses a universe of which no bars arrive, with the ways out.',
  caller: 'deploy_key',
  scope: 'trade:paper',
  assistant: {
    description:
      'Watches all symbols of a universe for signals of a strategy. get_universes lists universes. Ask the user before you call it.',
  },
  input: { query: z.object({ keygen: z.string(), universe_id: z.string(), ...pricesForm }) },
  output: scannerDeploymentsOut,
  errors: [
    'strategy_unknown',
    'universe_unknown',
    'strategy_unsuitable',
    'strategy_archived',
    'platform_token_insufficient',
    'quota_reached',
    'kill_switch',
    'prices_missing',
    'changed_meanwhile',
  ],
  table: 'write',
  uses: ['marketData'],
  recheck: ({ query: { keygen } }, call) => requireDeployKey(call, keygen),
  handler: async ({ query: { keygen, universe_id: universeId, prices } }, call) => {
    const unknown = () => new HubError('universe_unknown', 'There is no such universe of instruments.');
    if (!UNIVERSE_ID.test(universeId)) throw unknown();
    const universeKey = keys.universe(universeId);
    const universeIn = (items: Items): Universe | undefined => {
      const item = itemWith(items, universeKey);
      return item && parseItem(universeSchema, item);
    };
    const { deployment } = await deploy(
      call,
      {
        keygen,
        kind: 'scanner',
        extraReads: [universeKey],
        extraReadsFor: (strategy, first, { isHubRun }) => {
          const [symbol] = universeIn(first)?.symbols ?? [];
          if (!isHubRun || symbol === undefined) return [];
          return [...rulesKeys(strategy), keys.instrument(symbol)];
        },
      },
      async ({ strategy, user, items, isHubRun }, base) => {
        const universe = universeIn(items);
        if (!universe) throw unknown();
        if (isHubRun && prices === 'required') await requireScannedPrices(call, universe);
        if (strategy.symbols.length > 1) {
          throw new HubError('strategy_unsuitable', 'A scanner needs a strategy over one instrument.');
        }
        return {
          deployment: {
            ...base,
            kind: 'scanner' as const,
            universe_id: universe.universe_id,
            universe_name: universe.name,
            matches_count: 0,
            last_matches: [],
          },
          run: isHubRun ? scannerRunOf(strategy, universe, { user, items, call }) : undefined,
        };
      },
    );
    return presentScanner(deployment);
  },
});
