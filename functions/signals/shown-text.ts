const MAX_LENGTH = 200;

/** Matches the value of a name that may be that of a secret, plain or in JSON. */
const SECRET_VALUE =
  /("?[\w-]*(?:pass|secret|token|key|auth|pin|license|licence|signature)[\w-]*"?\s*[:=]\s*)("[^"]*"?|'[^']*'?|[^\s,;|}]+)/gi;
/** Matches long words, as random secrets are. Times, symbols and placeholders of TradingView are left. */
const LONG_WORD = /(?<![\w{+/=.-])[\w+/=.-]{20,}/g;
/** Matches a first line of one word before others: some receivers want a password there. */
const FIRST_LINE = /^\s*\S+\s*[\r\n]+(?=\s*\S)/;
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;

const HIDDEN = '…';

/** Returns the start of an alert on one line, as its owner sees it, without what may be a secret. */
export const shownText = (text: string): string => {
  const hidden = text
    .replace(FIRST_LINE, `${HIDDEN} `)
    .replace(SECRET_VALUE, `$1${HIDDEN}`)
    .replace(LONG_WORD, HIDDEN);
  const points = [...hidden.replace(CONTROLS, ' ').trim()];
  return points.length <= MAX_LENGTH ? points.join('') : `${points.slice(0, MAX_LENGTH - 1).join('')}…`;
};
