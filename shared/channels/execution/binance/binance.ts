import type { ExecutionAdapter } from '../execution-adapter.ts';

/** Adapter for the spot market of Binance. */
export const binance: ExecutionAdapter = {
  name: 'binance',
  // Most runs find nothing to do. They do without the library, which takes 80 ms and 40 MB.
  open: async (account) => (await import('./binance-broker.ts')).binanceBroker(account),
};
