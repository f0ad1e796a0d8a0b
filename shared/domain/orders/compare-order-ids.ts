const NUMBERS = new Intl.Collator('en', { numeric: true });

/** Compares ids of orders or charges by the numbers in them: `exit-9` comes before `exit-10`. */
export const compareOrderIds = (left: string, right: string): number => {
  if (left === right) return 0;
  return NUMBERS.compare(left, right) || (left < right ? -1 : 1);
};
