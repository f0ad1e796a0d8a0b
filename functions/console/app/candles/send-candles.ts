import {
  HubRateLimitError,
  type OwnCandles,
  type OwnCandlesImport,
  type OwnCandlesIn,
} from '../../../../infra/client/package/src/index.ts';
import { MAX_OWN_BARS } from '../../../../shared/domain/plans.ts';
import type { Row } from './read-file.ts';

const SECOND_MS = 1000;

type Send = (body: OwnCandlesIn) => Promise<OwnCandlesImport>;

/** Sends a part, and waits where parts come too fast. @throws HubApiError also if the budget of the day is used up */
const sendPart = async (send: Send, body: OwnCandlesIn): Promise<OwnCandlesImport> => {
  for (;;) {
    try {
      return await send(body);
    } catch (error) {
      if (!(error instanceof HubRateLimitError) || error.code === 'work_exhausted') throw error;
      const { retryAfterS = 1 } = error;
      await new Promise((resolve) => setTimeout(resolve, retryAfterS * SECOND_MS));
    }
  }
};

/**
 * Imports candles in parts, oldest first. A repeat changes nothing, so it goes on after an interruption.
 *
 * @param send imports a part.
 * @param onProgress gets the number of candles that were imported.
 * @returns the series after the import.
 */
export const sendCandles = async (
  send: Send,
  series: Omit<OwnCandlesIn, 'bars'>,
  rows: readonly Row[],
  onProgress: (done: number) => void,
): Promise<OwnCandles | undefined> => {
  let last: OwnCandles | undefined;
  for (let done = 0; done < rows.length; ) {
    const bars = rows.slice(done, done + MAX_OWN_BARS).map((row) => [...row]);
    const answer = await sendPart(send, { ...series, bars });
    done += answer.taken;
    last = answer.series;
    onProgress(done);
  }
  return last;
};
