const SECOND_MS = 1000;
const WEEK_MS = 7 * 24 * 3600 * SECOND_MS;
/** Time zones that are kept. There are about 600 names. */
const MAX_KNOWN = 700;
const OFFSET = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

const formatOf = (name: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' });

const offsetIn = (format: Intl.DateTimeFormat, at: number): number => {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = OFFSET.exec(format.format(at)) ?? [];
  const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * SECOND_MS;
  return sign === '-' ? -size : size;
};

/** A time zone, with its offsets cached by week: asking the platform takes microseconds. */
export class TimeZone {
  readonly name: string;
  /** Created lazily: the first format of a process costs milliseconds. */
  #format: Intl.DateTimeFormat | undefined;
  /** Offsets at the starts of weeks. */
  readonly #offsets = new Map<number, number>();
  /** Moments of the changes within weeks. */
  readonly #changes = new Map<number, number>();

  /** The last span without a change that was asked for: most moments lie in the span of the one before. */
  #from = Number.POSITIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;
  #offset = 0;

  private constructor(name: string) {
    this.name = name;
    if (name !== 'UTC') return;
    this.#from = Number.NEGATIVE_INFINITY;
    this.#to = Number.POSITIVE_INFINITY;
  }

  /** Bounded, as every spelling in other letters is a name of its own. */
  static readonly #known = new Map<string, TimeZone>();

  /** Returns a time zone by its IANA name; undefined if the platform has none. */
  static find(name: string): TimeZone | undefined {
    const known = TimeZone.#known.get(name);
    if (known) return known;
    if (name !== 'UTC' && !isTimeZone(name)) return undefined;
    const zone = new TimeZone(name);
    const [oldest] = TimeZone.#known.keys();
    if (TimeZone.#known.size >= MAX_KNOWN && oldest !== undefined) TimeZone.#known.delete(oldest);
    TimeZone.#known.set(name, zone);
    return zone;
  }

  /** Returns a time zone by its IANA name. @throws RangeError if the platform has none. */
  static of(name: string): TimeZone {
    const zone = TimeZone.find(name);
    if (!zone) throw new RangeError(`there is no time zone ${name}`);
    return zone;
  }

  /** Returns the difference of local time from UTC at a moment, in milliseconds. */
  offsetAt(at: number): number {
    if (at >= this.#from && at < this.#to) return this.#offset;
    const week = Math.floor(at / WEEK_MS);
    const before = this.#weekOffset(week);
    const after = this.#weekOffset(week + 1);
    if (before !== after) return at < this.#changeIn(week, before) ? before : after;
    // Whole weeks extend a span that they touch.
    const start = week * WEEK_MS;
    if (start !== this.#to || before !== this.#offset) this.#from = start;
    this.#to = start + WEEK_MS;
    this.#offset = before;
    return before;
  }

  /**
   * Returns the moment of a local time, given as if it were UTC. A time that occurs twice is the first one; one that the
   * clocks skip is the moment of their change or later by as much.
   */
  instantOf(local: number): number {
    const at = local - this.offsetAt(local - this.offsetAt(local));
    return at + Math.max(0, local - (at + this.offsetAt(at)));
  }

  #weekOffset(week: number): number {
    const known = this.#offsets.get(week);
    if (known !== undefined) return known;
    this.#format ??= formatOf(this.name);
    const offset = offsetIn(this.#format, week * WEEK_MS);
    this.#offsets.set(week, offset);
    return offset;
  }

  #changeIn(week: number, before: number): number {
    const known = this.#changes.get(week);
    if (known !== undefined) return known;
    this.#format ??= formatOf(this.name);
    let low = (week * WEEK_MS) / SECOND_MS;
    let high = low + WEEK_MS / SECOND_MS;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetIn(this.#format, middle * SECOND_MS) === before) low = middle;
      else high = middle;
    }
    this.#changes.set(week, high * SECOND_MS);
    return high * SECOND_MS;
  }
}

const isTimeZone = (name: string): boolean => {
  try {
    formatOf(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};
