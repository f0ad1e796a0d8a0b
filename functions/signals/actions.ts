/** Actions of a signal. Those that close name the side of the position that they close. */
const SIGNAL_ACTIONS = ['buy', 'sell', 'close', 'close_long', 'close_short'] as const;

export type SignalAction = (typeof SIGNAL_ACTIONS)[number];

const WORDS = {
  buy: 'buy',
  long: 'buy',
  sell: 'sell',
  short: 'sell',
  close: 'close',
  exit: 'close',
  flat: 'close',
  close_long: 'close_long',
  exit_long: 'close_long',
  closelong: 'close_long',
  exitlong: 'close_long',
  close_short: 'close_short',
  exit_short: 'close_short',
  closeshort: 'close_short',
  exitshort: 'close_short',
} as const satisfies Readonly<Record<string, SignalAction>>;

type ActionWord = keyof typeof WORDS;

/** Words of senders, in lower case. */
export const ACTION_WORDS = Object.keys(WORDS);

const isWord = (word: string): word is ActionWord => Object.hasOwn(WORDS, word);

/** Returns the action that a word of a sender means, in any case; undefined for another word. */
export const actionOf = (word: string): SignalAction | undefined => {
  const lower = word.toLowerCase();
  return isWord(lower) ? WORDS[lower] : undefined;
};
