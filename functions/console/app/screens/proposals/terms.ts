import type { DeployLiveStrategyInput, Proposal } from '../../../../../infra/client/package/src/index.ts';

type Terms = Proposal['terms'];

/** Words of the terms that have their own place on the screen, or the usual value of which changes nothing. */
const WORDS: Readonly<Partial<Record<keyof Terms, string>>> = {
  account_id: 'Account',
  broker_id: 'Broker',
  symbols: 'Symbols',
  channels: 'Notifications by',
  expires_at: 'Until',
  prediction_market: 'On a prediction market',
  engine_rates: 'Exchange rates from an engine outside',
  fractions: 'Fractions of shares',
  when_unprotected: 'If the broker refuses a stop',
  size_step: 'Steps of the quantity',
  margin: 'Margin',
};

const CHOICES: Readonly<Record<string, string>> = {
  'when_unprotected close': 'close the position',
  'when_unprotected keep': 'keep it, and try again each minute',
  'fractions accept': 'yes; their stop rests during the session only',
};

const isUsual = (name: string, value: unknown): boolean =>
  value === undefined || ((name === 'prediction_market' || name === 'engine_rates') && value === false);

/** Lists all terms of a proposal but its capital in words. A term without words has its name, so that none is hidden. */
export const termLines = (terms: Terms): readonly { readonly label: string; readonly value: string }[] => {
  const words: Readonly<Record<string, string | undefined>> = WORDS;
  return Object.entries(terms)
    .filter(([name, value]) => name !== 'starting_capital' && name !== 'currency' && !isUsual(name, value))
    .map(([name, value]) => {
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
      return {
        label: words[name] ?? name.replaceAll('_', ' '),
        value: CHOICES[`${name} ${text}`] ?? text.replaceAll(',', ', '),
      };
    });
};

/** Builds the request that confirms a proposal. */
export const confirmingBody = ({ terms, proposal_id }: Proposal): DeployLiveStrategyInput['body'] => ({
  ...terms,
  mode: 'live',
  proposal_id,
});
