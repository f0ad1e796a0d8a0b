import * as z from 'zod';

const EXIT_REASONS = [
  'exit',
  'reverse',
  'stop_loss',
  'take_profit',
  'trailing_stop',
  'square_off',
  'end_of_data',
  'manual',
  'flatten',
  'split',
  'liquidated',
  'ruin',
  'unprotected',
] as const;

/** Schema of the cause of a trade's end. */
export const exitReasonSchema = z.enum(EXIT_REASONS);
