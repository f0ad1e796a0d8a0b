import { sliceBars } from '../../shared/domain/candles/bars.ts';
import type { AccountSettings } from '../../shared/domain/engine/account/settings.ts';
import { commissionOf } from '../../shared/domain/engine/account/sizing.ts';
import type { FillReport } from '../../shared/domain/engine/running/fill-reports.ts';
import type { Frames } from '../../shared/domain/engine/running/frames.ts';
import {
  type RealAccount,
  restoreRealAccount,
  saveRealAccount,
} from '../../shared/domain/engine/running/real-account.ts';
import type { RealInput, RealState } from '../../shared/domain/engine/running/real-fills.ts';
import type { RealRequest } from '../../shared/domain/engine/running/real-requests.ts';
import type { RunningProgram } from '../../shared/domain/engine/running/running-program.ts';
import { advanceReal } from './advance.ts';

/** Returns frames without bars, after those given. */
const afterFrames = (frames: Frames): Frames => ({
  ...frames,
  first: frames.first + frames.bars.start.length,
  bars: sliceBars(frames.bars, 0, 0),
  observations: [],
});

/** An account with real orders, and the requests that it made. */
export class RealRun {
  readonly live: RunningProgram;
  own: RealAccount;
  readonly requests: RealRequest[] = [];
  readonly decisions: string[] = [];
  state: RealState = 'active';
  flatten = false;
  freshFrom = Number.NEGATIVE_INFINITY;
  #number = 0;

  constructor(live: RunningProgram, own: RealAccount) {
    this.live = live;
    this.own = own;
  }

  get settings(): AccountSettings {
    return this.own.paper.account.settings;
  }

  /** Returns the number for a new input. */
  next(): number {
    this.#number += 1;
    return this.#number;
  }

  /** Advances the account as a worker that restores and saves it. Returns what it requests. */
  advance(frames: Frames, inputs: readonly RealInput[] = []): RealRequest[] {
    const before = saveRealAccount(this.own);
    const options = { state: this.state, flatten: this.flatten, inputs, freshFrom: this.freshFrom };
    const once = advanceReal(this.live, restoreRealAccount(this.settings, before), frames, options);
    this.own = restoreRealAccount(this.settings, before);
    const { requests, decisions } = advanceReal(this.live, this.own, frames, options);
    // A repeat after a crash asks for the same.
    expect(once.requests).toEqual(requests);
    const again = advanceReal(this.live, this.own, afterFrames(frames), options);
    expect(again.requests).toEqual([]);
    this.requests.push(...requests);
    this.decisions.push(...decisions.map(({ text }) => text));
    return requests;
  }

  /** Applies a report of the broker after frames. */
  report(frames: Frames, report: FillReport): RealRequest[] {
    return this.advance(afterFrames(frames), [{ type: 'fill', number: this.next(), ...report }]);
  }
}

/** Fills market orders whole at the last close, with the costs of the settings but slippage, and confirms cancels. */
export const fillIdeally = (run: RealRun, frames: Frames, due: readonly RealRequest[]): void => {
  const waiting = [...due];
  for (;;) {
    const request = waiting.shift();
    if (!request) return;
    const { account } = run.own.paper;
    if (request.kind === 'dropped' || request.kind === 'protect') continue;
    if (request.kind === 'cancel') {
      const entry = run.own.entries.find(({ id }) => id === request.client_order_id);
      const filled_quantity = String((entry?.filled ?? 0) * run.settings.size_step);
      const report = { filled_quantity, average_price: null, fees: '0', status: 'cancelled' as const };
      waiting.push(...run.report(frames, { client_order_id: request.client_order_id, ...report }));
      continue;
    }
    const { client_order_id, side, quantity } = request;
    const sign = side === 'buy' ? 1 : -1;
    const price =
      request.kind === 'entry' ? account.close * (1 + sign * run.settings.spread_rate) : account.close;
    waiting.push(
      ...run.report(frames, {
        client_order_id,
        status: 'filled',
        filled_quantity: quantity,
        average_price: String(price),
        fees: String(commissionOf(run.settings, Number(quantity), price)),
      }),
    );
  }
};
