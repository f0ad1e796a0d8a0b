import type { Protection } from '../../../shared/data/execution/protections.ts';

type State = Protection['state'];

const SENTENCES: Readonly<Record<State, string>> = {
  waiting: 'Nothing is open of the trade. Its entry may fill further.',
  standing: 'The exits stand at your broker, whether the hub runs or not.',
  changing: 'The exits are being placed or moved.',
  lifted: 'The exits were cancelled, because an order closes the trade now.',
  refused: 'The broker refuses the stop: no stop stands at your broker. The hub tries again each minute.',
  closing: 'The trade is being closed at the market, because its stop cannot rest.',
  missing: 'Your account does not hold the position. Close it in the books at the price that you got.',
  ended: 'The trade is over.',
};

/** Says what protects a position, as a trader says it. */
export const stateSentence = (protection: Protection | undefined): string => {
  if (!protection) return 'No stop stands at your broker: the hub keeps no exits for this position.';
  const { state, terms, moved, reason } = protection;
  const hasStop = terms.stop !== undefined || moved.stop !== undefined;
  const sentence =
    state === 'standing' && !hasStop ? 'No stop is set: no stop stands at your broker.' : SENTENCES[state];
  return reason === undefined ? sentence : `${sentence} (${reason})`;
};
