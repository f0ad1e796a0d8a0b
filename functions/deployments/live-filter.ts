import type { LiveSummary } from '../../shared/data/live-summary.ts';

interface Filter {
  /** Text, as the contract has it: what is no id of a broker matches nothing, an empty one is no filter. */
  readonly broker_id?: string | undefined;
  readonly search_key?: string | undefined;
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Whether a deployment is of the broker and has what is searched in its name or symbols. */
export const matches = (summary: LiveSummary, { broker_id, search_key }: Filter): boolean => {
  const broker = broker_id?.trim() ?? '';
  if (broker !== '' && broker !== String(summary.broker_id)) return false;
  if (search_key === undefined) return true;
  const wanted = folded(search_key.trim());
  return [summary.strategy_name, ...summary.symbols].some((text) => folded(text).includes(wanted));
};
