import * as z from 'zod';
import { extensionRecord, integer } from '../../shared/api/fields.ts';
import type { Strategy } from '../../shared/data/strategies.ts';
import { presentShape, strategyShape } from '../strategies/strategy-shape.ts';

/** A strategy as an integrator sees it: without the keys that copy and deploy it. */
export const integratorStrategy = extensionRecord(
  'IntegratorStrategy',
  z.object({
    strategy_id: integer(),
    strategy_name: z.string(),
    ...strategyShape,
  }),
);

/** A strategy of a user, for the broker. */
export const presentStrategy = (strategy: Strategy): z.output<typeof integratorStrategy> => ({
  strategy_id: strategy.strategy_id,
  strategy_name: strategy.strategy_name,
  ...presentShape(strategy),
});
