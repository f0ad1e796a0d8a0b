/** Entry in the body of a 422. */
export interface ValidationDetail {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

const MAX_DETAILS = 100;
const MAX_KEY = 100;
const MAX_MESSAGE = 1000;

/** Shortens a text without splitting a surrogate pair. */
const shortened = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…` : text;

/** Shortens an entry, as field names come from the client and can be long. */
const bounded = ({ loc, msg, ...rest }: ValidationDetail): ValidationDetail => ({
  loc: loc.map((key) => (typeof key === 'string' ? shortened(key, MAX_KEY) : key)),
  msg: shortened(msg, MAX_MESSAGE),
  ...rest,
});

/** Keeps the first 100 entries of a 422 and adds one with the number of the others. */
export const boundDetails = (detail: readonly ValidationDetail[]): readonly ValidationDetail[] => {
  const kept = detail.slice(0, MAX_DETAILS).map(bounded);
  const next = detail[MAX_DETAILS];
  if (next === undefined) return kept;
  const count = detail.length - MAX_DETAILS;
  return [
    ...kept,
    { loc: next.loc.slice(0, 1), msg: `and ${count} more`, type: 'value_error.more', ctx: { count } },
  ];
};
