/** Facts of a file that its reader may have to name. */
export type Choice = 'time_zone' | 'dates' | 'decimal' | 'columns' | 'anchor';

/** Fact of a file that is doubtful, and the choice that decides it. */
export interface Doubt {
  readonly text: string;
  readonly choice?: Choice | undefined;
}

/** The file is no file of candles, or not a certain one. Its text does not name the choice. */
export class CandleFileError extends Error implements Doubt {
  readonly text: string;
  readonly choice: Choice | undefined;

  constructor(text: string, choice?: Choice) {
    super(text);
    this.name = 'CandleFileError';
    this.text = text;
    this.choice = choice;
  }
}
