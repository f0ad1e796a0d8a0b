/**
 * Makes values safe to show to a model. Texts in answers were written by people: names, descriptions, reasons, alerts.
 */

/**
 * Matches characters that hide or reorder text: controls apart from tabs and line ends, formats such as marks of direction
 * and tags, separators. Joiners stay, as scripts and symbols need them.
 */
const HIDDEN = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Matches secrets of the service: keys and tokens, keys of webhooks and strategies, JSON web tokens, addresses of signals. */
const SECRETS =
  /\bhub_[a-z]+[_.][\w.-]{20,}|\bwhsec_[\w+/]{20,}|\b[sk]_[0-9a-z]{1,11}_[\w-]{16,22}|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|(?<=\/hooks\/)[\w-]{16,}/g;

/** Fields that identify or admit their holder where sessions are optional. */
const OWN: Readonly<Record<string, string>> = { user_id: 'me', keygen: 'hidden', strategy_key: 'hidden' };

const codeOf = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;

/** Writes hidden characters as their codes, and leaves secrets out of a text. */
export const safeText = (text: string): string => text.replace(HIDDEN, codeOf).replace(SECRETS, '(hidden)');

const fieldOf = (name: string, value: unknown): unknown => {
  const shown = Object.hasOwn(OWN, name) ? OWN[name] : undefined;
  if (shown === undefined || typeof value !== 'string') return safeValue(value);
  // Names a strategy of the caller, which only the caller's own key can use.
  return name === 'keygen' && value.startsWith('strategy:') ? value : shown;
};

/** Makes every text of a JSON value safe. */
export const safeValue = (value: unknown): unknown => {
  if (typeof value === 'string') return safeText(value);
  if (Array.isArray(value)) return value.map(safeValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [safeText(name), fieldOf(name, inner)]),
  );
};
