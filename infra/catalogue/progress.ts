import type { WriteStream } from 'node:tty';

const WIDTH = 30;
/** A terminal need not be written to more often. */
const EVERY_MS = 100;

/** A bar that tells how far a long task is; nothing where there is no terminal to show it on. */
export interface Progress {
  readonly show: (ratio: number, text: string) => void;
  /** Takes the bar away, so that something else can be written. */
  readonly clear: () => void;
}

type Terminal = Pick<WriteStream, 'write'> & { readonly isTTY?: boolean };

export const progressOn = (
  terminal: Terminal,
  clock: () => number = performance.now.bind(performance),
): Progress => {
  if (!terminal.isTTY) return { show: () => undefined, clear: () => undefined };
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show: (ratio, text) => {
      if (clock() - shownAt < EVERY_MS && ratio < 1) return;
      shownAt = clock();
      const done = Math.round(WIDTH * Math.min(1, ratio));
      const bar = '█'.repeat(done) + '░'.repeat(WIDTH - done);
      terminal.write(`\r\u001b[K${bar} ${Math.floor(ratio * 100)} % ${text}`);
    },
    clear: () => {
      terminal.write('\r\u001b[K');
    },
  };
};
