import type { WriteStream } from 'node:tty';

const WIDTH = 30;
/** A terminal need not be written to more often. */
const EVERY_MS = 100;
/** A log is written to this often. */
const LOG_EVERY_MS = 10_000;
/** The speed of the first moments tells nothing of the rest. */
const ETA_AFTER_MS = 1000;

/** Shows how far a long task is: as a bar on a terminal, as a line now and then elsewhere. */
export interface Progress {
  readonly show: (ratio: number, text: string) => void;
  /** Takes the bar away, so that something else can be written. */
  readonly clear: () => void;
}

type Terminal = Pick<WriteStream, 'write'> & { readonly isTTY?: boolean };

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** Says how long a task goes on at the speed that it has had, as `, 1:05 left`; nothing while that is unknown. */
const timeLeft = (elapsedMs: number, ratio: number): string => {
  if (elapsedMs < ETA_AFTER_MS || ratio <= 0 || ratio >= 1) return '';
  const seconds = Math.ceil(((elapsedMs / ratio) * (1 - ratio)) / 1000);
  return `, ${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)} left`;
};

export const progressOn = (
  terminal: Terminal,
  clock: () => number = performance.now.bind(performance),
): Progress => {
  const started = clock();
  const percent = (ratio: number): string => `${Math.floor(ratio * 100)} %`;
  if (!terminal.isTTY) {
    let writtenAt = started;
    return {
      show: (ratio, text) => {
        if (clock() - writtenAt < LOG_EVERY_MS) return;
        writtenAt = clock();
        terminal.write(`${percent(ratio)} ${text}${timeLeft(clock() - started, ratio)}\n`);
      },
      clear: () => undefined,
    };
  }
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show: (ratio, text) => {
      if (clock() - shownAt < EVERY_MS && ratio < 1) return;
      shownAt = clock();
      const done = Math.round(WIDTH * Math.min(1, ratio));
      const bar = '█'.repeat(done) + '░'.repeat(WIDTH - done);
      terminal.write(`\r\u001b[K${bar} ${percent(ratio)} ${text}${timeLeft(clock() - started, ratio)}`);
    },
    clear: () => {
      terminal.write('\r\u001b[K');
    },
  };
};
