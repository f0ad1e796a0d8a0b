import { ValidationError } from '../../shared/api/errors.ts';
import { jsonFault } from '../../shared/api/json-fault.ts';
import { checkDepth } from '../../shared/api/limits.ts';
import { takenNumbers } from '../../shared/domain/digits.ts';
import { actionOf } from './actions.ts';

/** Names that senders give to the fields of a signal, in lower case. */
const FIELDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    action: ['side', 'order', 'signal'],
    symbol: ['ticker', 'pair'],
    quantity: ['qty', 'q', 'size', 'amount', 'contracts'],
    price: ['close'],
    time: ['timenow', 'timestamp'],
    id: ['alert_id'],
    stop: ['stop_loss'],
    target: ['take_profit'],
    message: ['comment'],
  }).flatMap(([field, others]) => [field, ...others].map((name): [string, string] => [name, field])),
);

type Fields = Record<string, string>;

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const TIME = /^\d{4}-\d{2}-\d{2}T\S+$/i;
const SYMBOL = /^[\w.!:/^&-]*[a-z][\w.!:/^&-]*$/i;
/** Words that say nothing. */
const FILLERS: ReadonlySet<string> = new Set(['@', 'at', 'order', 'market', 'position']);

/** Matches the text that TradingView proposes for the alert of a strategy. */
const STRATEGY = /\border (?<action>buy|sell) @ (?<quantity>\S+) filled on (?<symbol>\S+?)\.(?:\s|$)/i;

/** Matches the pairs of a text, whose values may be quoted. */
const PAIR =
  /(?<![\w/:.-])(?<name>[a-z]\w*)\s*(?:=\s*|:(?:\s+|(?=["'])))(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\s,;|]+))/gi;

const refused = (msg: string): ValidationError =>
  new ValidationError([{ loc: ['body'], msg, type: 'value_error.signal_text' }]);

/** Sets a field once. @throws ValidationError for a second value */
const put = (fields: Fields, name: string, value: string): void => {
  if (Object.hasOwn(fields, name)) throw refused(`the text names the ${name} twice`);
  fields[name] = value;
};

/** Takes the pairs `name=value` and `name: value` out of a text. @returns the text that is left */
const takePairs = (text: string, fields: Fields): string =>
  text.replace(PAIR, (pair: string, ...found: unknown[]) => {
    const groups = Object(found.at(-1));
    const name = FIELDS.get(String(groups.name).toLowerCase());
    // An exchange before a symbol looks like a name.
    if (name === undefined && !pair.includes('=')) return pair;
    if (name === undefined) throw refused('a named field is not one of a signal');
    put(fields, name, String(groups.double ?? groups.single ?? groups.bare));
    return ' ';
  });

/** Takes the action from its words: `exit long` is one action. @returns the words that are left */
const takeAction = (words: readonly string[], fields: Fields): readonly string[] => {
  const place = words.findIndex((word) => actionOf(word) !== undefined);
  const [word = '', next = ''] = words.slice(place, place + 2);
  if (place < 0) return words;
  const both = actionOf(`${word}_${next}`);
  put(fields, 'action', both ?? word);
  return words.toSpliced(place, both ? 2 : 1);
};

/** Returns the words of a text that say something. */
const wordsOf = (text: string): string[] =>
  text.split(/[\s,;|]+/).filter((word) => word !== '' && !FILLERS.has(word.toLowerCase()));

/** Sets quantity and price from the numbers before and after the symbol. @throws ValidationError */
const takeNumbers = (before: readonly string[], after: readonly string[], fields: Fields): void => {
  const [first, second] = after;
  if (before.length > 1 || before.length + after.length > 2) {
    throw refused('the text has more numbers than a signal');
  }
  const quantity = before[0] ?? (second === undefined ? undefined : first);
  const price = second ?? first;
  if (quantity !== undefined) put(fields, 'quantity', quantity);
  if (price !== undefined) put(fields, 'price', price);
};

/**
 * Reads the words of a text: an action, a symbol, numbers. A number before the symbol is the quantity, one after it the
 * price, two after it are both. Words that say anything else refuse the text: it may mean something else.
 */
const readWords = (text: string, fields: Fields): void => {
  const numbers: { readonly before: string[]; readonly after: string[] } = { before: [], after: [] };
  let isAfter = false;
  const words = takeAction(wordsOf(text), fields);
  if (fields.action === undefined) throw refused('the text names no action, such as buy, sell or exit');
  for (const word of words) {
    const price = word.startsWith('@') ? word.slice(1) : '';
    if (NUMBER.test(price)) put(fields, 'price', price);
    else if (NUMBER.test(word)) numbers[isAfter ? 'after' : 'before'].push(word);
    else if (TIME.test(word)) put(fields, 'time', word);
    else if (SYMBOL.test(word) && fields.symbol === undefined) {
      put(fields, 'symbol', word);
      isAfter = true;
    } else throw refused('only an action, a symbol, numbers and named fields are understood');
  }
  if (!isAfter && numbers.before.length > 0) {
    throw refused('a number without a symbol before or after it may be a quantity or a price: name it');
  }
  takeNumbers(numbers.before, numbers.after, fields);
};

/** Matches digits with a comma in between: a list, or a number with separators. */
const COMMA = /\d,\d/;
const QUOTED = /"[^"]*"|'[^']*'/g;

const readJson = (text: string): unknown => {
  checkDepth(text);
  try {
    return takenNumbers(JSON.parse(text));
  } catch {
    throw jsonFault(text);
  }
};

/**
 * Reads the message of an alert that is no JSON: `buy AAPL 189.5`, `exit long BTC/USD`, `side=sell, qty=2`, or the text
 * that TradingView proposes for strategies. JSON that was sent as text is read as JSON.
 *
 * @returns the fields of a signal, as far as the text has them.
 * @throws ValidationError for a text that may mean something else.
 */
export const readSignalText = (text: string): unknown => {
  const trimmed = text.trim();
  if (trimmed.startsWith('{') || trimmed.startsWith('[')) return readJson(trimmed);
  const strategy = STRATEGY.exec(trimmed)?.groups;
  if (strategy) return { ...strategy };
  if (COMMA.test(trimmed.replace(QUOTED, '')))
    throw refused('a comma between digits is not understood: use blanks');
  const fields: Fields = {};
  readWords(takePairs(trimmed, fields), fields);
  return fields;
};
