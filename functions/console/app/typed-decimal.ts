/** Digits with a comma that may separate thousands: people mean 10000 by `10,000`, or 10. */
const AMBIGUOUS = /^[-+]?[1-9]\d{0,2},\d{3}$/;

/**
 * Returns a number as people type it, with a point for its decimals; undefined if its comma may separate thousands.
 *
 * @example
 * typedDecimal('0,05'); // '0.05'
 */
export const typedDecimal = (text: string): string | undefined => {
  const plain = text.trim().replace(/^−/, '-');
  if (AMBIGUOUS.test(plain)) return undefined;
  return /^[^.,]*,[^.,]*$/.test(plain) ? plain.replace(',', '.') : plain;
};

/** Decimal separator of a locale; of the user's by default. */
const separatorOf = (locale?: string): string | undefined =>
  new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value;

/**
 * Reads an amount of money as people type it; undefined for another text. Where a comma is usual for decimals, people
 * mean 10000 by `10.000`, so it is refused like `10,000`.
 *
 * @param locale that of the user by default.
 */
export const typedAmount = (text: string, locale?: string): number | undefined =>
  AMBIGUOUS.test(text.trim().replace('.', ',')) && separatorOf(locale) === ','
    ? undefined
    : typedNumber(text);

/** Returns an amount as the text of a field, such that {@link typedAmount} reads it in every locale. */
export const amountText = (amount: number): string => {
  const text = String(amount);
  return AMBIGUOUS.test(text.replace('.', ',')) ? `${text}0` : text;
};

const PLAIN = /^[-+]?(?:\d+\.?\d*|\.\d+)$/;

/** Reads a number as people type it, with a point or a comma; undefined for another text. */
export const typedNumber = (text: string): number | undefined => {
  const pointed = typedDecimal(text) ?? '';
  return PLAIN.test(pointed) ? Number(pointed) : undefined;
};
