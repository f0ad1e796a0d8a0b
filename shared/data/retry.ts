import { setTimeout as sleep } from 'node:timers/promises';
import { TransactionRefused } from './store.ts';

const MAX_ATTEMPTS = 30;
const FIRST_WAIT_MS = 4;
const MAX_WAIT_MS = 150;

/**
 * Runs a read-decide-write until its transaction is not refused: somebody else changed what it had read.
 * It waits a random time, longer after each refusal, so that many at once get through in turn.
 *
 * @throws TransactionRefused when thirty attempts were.
 */
export const untilUnrefused = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TransactionRefused) || tried === MAX_ATTEMPTS) throw error;
      await sleep(Math.random() * Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** tried));
    }
  }
};
