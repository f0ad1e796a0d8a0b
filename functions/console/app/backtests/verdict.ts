import type { SweepCombination } from '../../../../infra/client/package/src/index.ts';

/** Answer to whether a combination of a sweep holds up on time that it had not seen. */
export interface Verdict {
  readonly kind: 'good' | 'warn' | 'bad';
  readonly text: string;
}

type Tried = Pick<SweepCombination, 'in_sample' | 'out_of_sample' | 'collapsed'>;
type Figures = Tried['in_sample'];

const warn = (text: string): Verdict => ({ kind: 'warn', text });

/** Names the samples for which something is true; undefined if there is none. */
const samplesText = (isTrue: (figures: Figures) => boolean, tried: Tried): string | undefined => {
  const [first, later] = [isTrue(tried.in_sample), isTrue(tried.out_of_sample)];
  if (first) return later ? 'in and out of sample' : 'in sample';
  return later ? 'out of sample' : undefined;
};

/** Judges a combination. Without trades and gains in both samples there is nothing that could hold up. */
export const sweepVerdict = (tried: Tried): Verdict => {
  const withoutBars = samplesText((figures) => figures === null, tried);
  if (withoutBars) return warn(`No prices ${withoutBars}`);
  const idle = samplesText((figures) => !figures?.trades_count, tried);
  if (idle) return warn(`No closed trades ${idle}`);
  const loss = samplesText((figures) => (figures?.total_return_pct ?? 0) < 0, tried);
  if (loss) return { kind: 'bad', text: `× Loses ${loss}` };
  if (tried.collapsed) return { kind: 'bad', text: '× Collapses' };
  const flat = samplesText((figures) => !figures?.total_return_pct, tried);
  if (flat) return warn(`No gain ${flat}`);
  return { kind: 'good', text: '✓ Yes' };
};
