/** Digits with a comma that may separate thousands: people mean 10000 by `10,000`, or 10. */
const AMBIGUOUS = /^[-+]?[1-9]\d{0,2},\d{3}$/;

/** Decimal separator of a locale; of the user's by default. */
const separatorOf = (locale?: string): string | undefined =>
  new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value;

/**
 * Returns a number as people type it, with a point for its decimals; undefined if its comma or point may separate
 * thousands. A point may do so where a comma is usual for decimals: there, people mean 10000 by `10.000`.
 *
 * @param locale that of the user by default.
 * @example
 * typedDecimal('0,05'); // '0.05'
 */
export const typedDecimal = (text: string, locale?: string): string | undefined => {
  const plain = text.trim().replace(/^−/, '-');
  if (AMBIGUOUS.test(plain)) return undefined;
  if (AMBIGUOUS.test(plain.replace('.', ',')) && separatorOf(locale) === ',') return undefined;
  return /^[^.,]*,[^.,]*$/.test(plain) ? plain.replace(',', '.') : plain;
};

const PLAIN = /^[-+]?(?:\d+\.?\d*|\.\d+)$/;

/**
 * Reads a number as people type it, with a point or a comma; undefined for another text.
 *
 * @param locale that of the user by default.
 */
export const typedNumber = (text: string, locale?: string): number | undefined => {
  const pointed = typedDecimal(text, locale) ?? '';
  return PLAIN.test(pointed) ? Number(pointed) : undefined;
};

/** Returns a number as the text of a field, such that it is read as it is in every locale. */
export const numberText = (value: number): string => {
  const text = String(value);
  return AMBIGUOUS.test(text.replace('.', ',')) ? `${text}0` : text;
};

/** Asks for a number that is read as it is in every locale. */
export const NOT_A_NUMBER =
  'Enter a number, such as 0.05 or 10000, without points or commas between thousands.';
