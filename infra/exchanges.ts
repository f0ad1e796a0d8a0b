import { EXCHANGE_ZONES, US_EXCHANGES } from '../shared/domain/candles/calendar.ts';

/** Exchanges of the shipped catalogue whose calendar follows from the asset class. */
const OF_CLASSES = ['CBOT', 'CME', 'COMEX', 'ICE', 'NYMEX', 'OTC'] as const;

const KNOWN: readonly string[] = [...US_EXCHANGES, ...Object.keys(EXCHANGE_ZONES), ...OF_CLASSES];

interface Exchanges {
  readonly feeds: readonly { readonly source: string; readonly exchanges: readonly string[] }[];
  readonly marketData: readonly { readonly name: string; readonly exchanges: readonly string[] }[];
  readonly ownExchanges: readonly string[];
}

/**
 * Lists the exchanges of feeds that neither the hub nor the stage knows, with the path of their setting. A feed that names
 * a wrong one would price nothing, and nobody would notice before the first bars are missing.
 */
export const unknownExchanges = ({
  feeds,
  marketData,
  ownExchanges,
}: Exchanges): { readonly path: readonly string[]; readonly message: string }[] => {
  const known = new Set([...KNOWN, ...ownExchanges]);
  const named = [
    ...feeds.map((feed, index) => ({ path: ['feeds', String(index)], ...feed })),
    ...marketData.map((feed, index) => ({ path: ['marketData', String(index)], ...feed })),
  ];
  const list = [...known].sort().join(', ');
  return named.flatMap(({ path, exchanges }) =>
    exchanges.flatMap((exchange) =>
      known.has(exchange)
        ? []
        : [
            {
              path: [...path, 'exchanges'],
              message: `the exchange ${exchange} is unknown. Known are ${list}. List one that only your catalogue has in ownExchanges`,
            },
          ],
    ),
  );
};
