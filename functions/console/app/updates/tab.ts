import type { GetEventsOutput } from '../../../../infra/client/package/src/index.ts';
import { type FollowerPorts, follow } from './follow.ts';

type Event = GetEventsOutput['items'][number];

/** Message of the tab that follows the events to the other tabs of the browser. */
export type TabMessage =
  | {
      readonly kind: 'heard';
      readonly events: readonly Event[];
      /** Place before the events; undefined if the tab had none. */
      readonly from: string | undefined;
      readonly place: string;
    }
  | { readonly kind: 'failed' | 'lost' };

/** State of following the events: how fresh the screens are. */
export interface LiveState {
  readonly kind: 'off' | 'connecting' | 'on' | 'retrying' | 'offline';
  /** Time of the last answer of the service, in milliseconds. */
  readonly heardAt?: number;
}

/** Access of a tab to the browser. */
export interface TabPorts extends FollowerPorts {
  /** Runs the work while no other tab does; rejects if the signal is aborted before. */
  readonly alone: (work: () => Promise<void>, signal: AbortSignal) => Promise<void>;
  /** Sends a message to the other tabs. */
  readonly post: (message: TabMessage) => void;
  /** Passes an event on to the screens of this tab. */
  readonly publish: (event: Event) => void;
  /** Lets the screens of this tab read everything again. */
  readonly resync: () => void;
  readonly show: (state: LiveState) => void;
}

/** After this time away, reading everything again is cheaper than all events since. */
const MAX_AWAY_MS = 600_000;

/**
 * A tab of the console. Of all visible tabs of a browser one follows the events of the user and passes them to the
 * others, which take over at the same place when it is hidden or closed. A tab that does not know the place from which
 * events come reads everything again once it knows the place after them.
 */
export class UpdateTab {
  readonly #ports: TabPorts;
  #running: AbortController | undefined;
  #place: string | undefined;
  #heardAt: number | undefined;
  #leftAt: number | undefined;
  /** Signal of the run in which this tab reads the events itself. */
  #reading: AbortSignal | undefined;

  constructor(ports: TabPorts) {
    this.#ports = ports;
  }

  #show(kind: LiveState['kind']): void {
    this.#ports.show({ kind, ...(this.#heardAt !== undefined && { heardAt: this.#heardAt }) });
  }

  #heard(events: readonly Event[], from: string | undefined, place: string): void {
    const isGap = from === undefined || from !== this.#place;
    this.#place = place;
    this.#heardAt = this.#ports.now();
    this.#show('on');
    // Not before: changes up to the new place are in no event for this tab.
    if (isGap) this.#ports.resync();
    for (const event of events) this.#ports.publish(event);
  }

  /** Takes a message of the tab that follows. */
  receive(message: TabMessage): void {
    if (!this.#running || this.#running.signal === this.#reading) return;
    if (message.kind === 'heard') this.#heard(message.events, message.from, message.place);
    else if (message.kind === 'lost') this.#place = undefined;
    else this.#show('retrying');
  }

  /** Begins to follow, or waits for the tab that does. */
  start(): void {
    if (this.#running) return;
    const { now } = this.#ports;
    if (this.#leftAt !== undefined && now() - this.#leftAt > MAX_AWAY_MS) this.#place = undefined;
    this.#leftAt = undefined;
    const running = new AbortController();
    this.#running = running;
    this.#show('connecting');
    void this.#run(running.signal);
  }

  /** Ends following for now; `start` goes on at the same place. */
  rest(kind: 'off' | 'offline' = 'off'): void {
    if (this.#running) this.#leftAt = this.#ports.now();
    this.#running?.abort();
    this.#running = undefined;
    this.#show(kind);
  }

  /** Ends following and forgets the place, since the next user has another log. */
  end(): void {
    this.rest();
    this.#place = undefined;
    this.#leftAt = undefined;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { alone, post } = this.#ports;
    const listener = {
      heard: (events: readonly Event[], place: string) => {
        const from = this.#place;
        this.#heard(events, from, place);
        post({ kind: 'heard', events, from, place });
      },
      lost: () => {
        this.#place = undefined;
        post({ kind: 'lost' });
      },
      failed: () => {
        this.#show('retrying');
        post({ kind: 'failed' });
      },
    };
    const work = async (): Promise<void> => {
      this.#reading = signal;
      const outcome = await follow(this.#ports, listener, this.#place, signal);
      if (outcome === 'ended') this.end();
    };
    try {
      await alone(work, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
