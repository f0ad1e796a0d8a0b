/** Places of an observation. Those of signals and distances follow. */
export const EVALUATED = 0;
/** 1: close everything at the next bar. 2: close everything at this bar's close, the last of its session. */
export const SQUARE_OFF = 1;
/** 1: the session ended without its last bar, so that nothing was squared off. */
export const MISSED_SQUARE_OFF = 2;
/** 1: a condition holds, so that an account may have something to decide. */
export const ANY_SIGNAL = 3;
export const FIRST_FREE = 4;
