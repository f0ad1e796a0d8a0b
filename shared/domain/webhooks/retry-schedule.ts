/** Gaps after the first, second, … failed attempt in milliseconds; the last one repeats. */
const GAPS_MS = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 28_800_000] as const;
const LONGEST_MS = 28_800_000;
/** The longest time that an endpoint may ask to wait. */
const MAX_ASKED_MS = 24 * 3_600_000;
/** Gaps between two attempts at a parked endpoint double from the first to the last. */
const FIRST_PROBE_MS = 30_000;
const LAST_PROBE_MS = 3_600_000;
/** Largest share by which a gap is shortened or lengthened, so that retries do not come in waves. */
const JITTER = 0.2;

/** Returns a number between 0 and 1. */
const fraction = (random: (bytes: number) => Buffer): number => random(4).readUInt32BE() / 2 ** 32;

const jittered = (ms: number, random: (bytes: number) => Buffer): number =>
  Math.round(ms * (1 - JITTER + 2 * JITTER * fraction(random)));

const atLeast = (ms: number, asked: number | undefined): number =>
  Math.max(ms, Math.min(asked ?? 0, MAX_ASKED_MS));

/**
 * Returns the milliseconds until the next attempt to deliver an event.
 *
 * @param attempts failed ones so far.
 * @param asked `Retry-After` of the endpoint.
 */
export const retryGap = (
  attempts: number,
  asked: number | undefined,
  random: (bytes: number) => Buffer,
): number => atLeast(jittered(GAPS_MS[attempts - 1] ?? LONGEST_MS, random), asked);

/** Returns the milliseconds until a parked endpoint is tried again, after a number of failed attempts. */
export const probeGap = (
  probes: number,
  asked: number | undefined,
  random: (bytes: number) => Buffer,
): number => atLeast(jittered(Math.min(LAST_PROBE_MS, FIRST_PROBE_MS * 2 ** probes), random), asked);
