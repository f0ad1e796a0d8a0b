import type { Series } from '../../../shared/data/candles/series.ts';

/** The accounts and programs of a series are being restated at a split. The bus delivers the event again. */
export class SplitPendingError extends Error {
  constructor() {
    super('the series is being split');
    this.name = 'SplitPendingError';
  }
}

/** @throws SplitPendingError while the accounts and programs of a series are restated at a split. */
export const requireNoSplit = (series: Series | undefined): void => {
  if (series?.split?.started) throw new SplitPendingError();
};
