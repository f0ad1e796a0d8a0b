/**
 * Version of the engine, which results of backtests name. It increases when the same rules over the same bars give another
 * result.
 */
export const ENGINE_VERSION = 1;
