/** Turns of something that is loaded again and again. */
export interface Turns {
  /** Asks for a load: now, or after the one that runs. */
  readonly ask: () => void;
  /** Notes that a load runs. */
  readonly begin: () => void;
  /** Notes that the load has ended, and starts the next one if it was asked for. */
  readonly end: () => void;
  /** Notes that the load was given up. */
  readonly drop: () => void;
}

/**
 * Lets one load run at a time. A load that is asked for meanwhile comes after it and does not end it, so that frequent
 * changes cannot keep old figures on the screen.
 */
export const turns = (start: () => void): Turns => {
  let isRunning = false;
  let isAsked = false;
  const drop = (): void => {
    isRunning = false;
    isAsked = false;
  };
  return {
    ask: () => {
      if (isRunning) isAsked = true;
      else start();
    },
    begin: () => {
      isRunning = true;
      isAsked = false;
    },
    end: () => {
      const isNext = isAsked;
      drop();
      if (isNext) start();
    },
    drop,
  };
};
