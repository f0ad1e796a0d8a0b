interface Tested {
  readonly first_bar: string | null;
  readonly last_bar: string | null;
  readonly bars: number;
}

interface Span {
  readonly from: string;
  readonly to: string;
}

const iso = (millis: number): string => new Date(Math.round(millis)).toISOString();

/**
 * Returns the span of the bars that show a trade: all bars of a backtest if there are at most `most`; else the part, of
 * equal length as the others, in which the trade was entered. Neighbouring trades share a part, so that it is loaded once.
 */
export const windowOf = (
  { first_bar, last_bar, bars }: Tested,
  trade: { readonly entry_at: string } | undefined,
  most: number,
): Span => {
  const first = Date.parse(first_bar ?? '') || 0;
  const end = (Date.parse(last_bar ?? '') || 0) + 1;
  if (bars <= most) return { from: iso(first), to: iso(end) };
  const parts = Math.ceil((bars * 1.2) / most);
  const length = (end - first) / parts;
  const entry = trade ? Date.parse(trade.entry_at) : first;
  const part = Math.min(parts - 1, Math.max(0, Math.floor((entry - first) / length)));
  return { from: iso(first + part * length), to: iso(first + (part + 1) * length) };
};
