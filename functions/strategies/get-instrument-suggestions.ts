import * as z from 'zod';
import { extra, integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { suggestInstruments } from '../../shared/data/instruments/instruments.ts';
import type { Instrument, Listing } from '../../shared/domain/instruments/instrument-records.ts';
import type { SearchScope } from '../../shared/domain/instruments/instrument-search.ts';
import { ASSET_CLASSES } from '../../shared/domain/instruments/instruments.ts';
import { candlesOf } from './common/instrument-candles.ts';
import { instrumentSuggestion, presentInstrument } from './records/instrument.ts';

interface Filter {
  readonly server: string | undefined;
  readonly brokerId: number | undefined;
}

/** Returns the narrowest scope of a filter: a server belongs to one broker. */
const scopeOf = ({ server, brokerId }: Filter): SearchScope => {
  if (server !== undefined) return `server:${server}`;
  return brokerId === undefined ? 'all' : `broker:${brokerId}`;
};

const listingFor = ({ listings }: Instrument, { server, brokerId }: Filter): Listing | undefined =>
  Object.values(listings).find(
    (listing) =>
      (brokerId === undefined || listing.broker_id === brokerId) &&
      (server === undefined || listing.servers.includes(server)),
  );

export const getInstrumentSuggestions = defineOperation({
  method: 'GET',
  path: '/get_instrument_suggestions_v2',
  name: 'get_instrument_suggestions_v2',
  summary: 'Suggest instruments',
  description:
    'Instruments whose symbol begins with the text, then those with a word of the name that does; at most ' +
    '20. Case, accents and separators do not matter. `server` and `broker_id` leave only what is offered ' +
    'there, and find it by the name that the broker has for it, too. `any_type` searches all asset classes at once. ' +
    '`with_candles` tells what can be tested and traded: the stored candles of each instrument, and whether prices arrive now.',
  caller: 'user',
  scope: 'read',
  assistant: {
    description:
      'Finds instruments by the beginning of a symbol or name. Use the symbol of an entry in other tools.',
  },
  input: {
    query: z.object({
      user_id: z.string(),
      instrument: z.string(),
      type: z.enum(ASSET_CLASSES).default('equity'),
      server: z.string().optional(),
      broker_id: integer().optional(),
      any_type: extra(z.boolean().default(false)),
      with_candles: extra(z.boolean().default(false)),
    }),
  },
  output: z.array(instrumentSuggestion),
  errors: ['user_unknown'],
  table: 'read',
  uses: ['marketData'],
  cache: 'private, max-age=60',
  handler: async ({ query }, call) => {
    const { instrument: text, type, server, broker_id: brokerId, any_type: isAny } = query;
    // Clients without a server send an empty one.
    const filter: Filter = { server: server?.toLowerCase() || undefined, brokerId };
    const assetClass = isAny ? ('any' as const) : type;
    const search = { text, assetClass, scope: scopeOf(filter) };
    const [found] = await Promise.all([suggestInstruments(call.store, search, call.onDamaged), call.user()]);
    const offered =
      search.scope === 'all'
        ? found.map((one) => ({ one, brokerSymbol: null }))
        : found.flatMap((one) => {
            const listing = listingFor(one, filter);
            return listing ? [{ one, brokerSymbol: listing.symbol }] : [];
          });
    const shown = offered.map(({ one, brokerSymbol }) => presentInstrument(one, brokerSymbol));
    if (!query.with_candles) return shown;
    const candles = await candlesOf(
      call,
      offered.map(({ one }) => one),
    );
    return shown.map((one) => ({ ...one, candles: candles.get(one.symbol) ?? [] }));
  },
});
