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

const PLAIN = /^[-+]?(?:\d+\.?\d*|\.\d+)$/;

/** Reads a number as people type it, with a point or a comma; undefined for another text. */
export const typedNumber = (text: string): number | undefined => {
  const pointed = typedDecimal(text) ?? '';
  return PLAIN.test(pointed) ? Number(pointed) : undefined;
};
