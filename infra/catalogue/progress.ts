import type { WriteStream } from 'node:tty';

const WIDTH = 30;
/** Minimum time between two updates on a terminal. */
const EVERY_MS = 100;
/** Time between two lines in a log. */
const LOG_EVERY_MS = 10_000;
/** Minimum time before an estimate, as the first moments are not representative. */
const ETA_AFTER_MS = 1000;

/** Shows the progress of a long task: as a bar on a terminal, otherwise as an occasional line. */
export interface Progress {
  readonly show: (ratio: number, text: string) => void;
  /** Removes the bar, so that other text can be written. */
  readonly clear: () => void;
}

type Terminal = Pick<WriteStream, 'write'> & { readonly isTTY?: boolean };

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** Estimates the remaining time at the speed so far, such as `, 1:05 left`. Empty if there is no estimate yet. */
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
