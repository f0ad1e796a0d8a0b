import type { TradingSummary } from '../../../shared/data/books/summary.ts';

interface Filter {
  /** Text, as the contract declares it: an invalid id matches nothing, an empty one does not filter. */
  readonly broker_id?: string | undefined;
  readonly search_key?: string | undefined;
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Tells whether a deployment is at the broker and has the searched text in its name or symbols. */
export const matching = ({ broker_id, search_key }: Filter): ((summary: TradingSummary) => boolean) => {
  const broker = broker_id?.trim() ?? '';
  const wanted = folded(search_key?.trim() ?? '');
  return ({ broker_id: of, strategy_name, symbols }) =>
    (broker === '' || broker === String(of)) &&
    [strategy_name, ...symbols].some((text) => folded(text).includes(wanted));
};
