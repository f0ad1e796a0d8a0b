import * as z from 'zod';
import { extensionRecord, requestRecord } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { strategyTemplates } from '../../shared/domain/engine/rules/templates.ts';
import { ASSET_CLASSES } from '../../shared/domain/instruments/instruments.ts';
import { TIMEFRAMES } from '../../shared/domain/strategies/strategies.ts';

const strategyTemplateOut = extensionRecord(
  'StrategyTemplateOut',
  z.object({
    key: z.string(),
    name: z.string(),
    description: z.string(),
    sentence: z.string(),
    rules: requestRecord('Rules'),
    timeframes: z.array(z.enum(TIMEFRAMES)),
    asset_classes: z.array(z.enum(ASSET_CLASSES)),
  }),
);

export const getStrategyTemplates = defineOperation({
  method: 'GET',
  path: '/get_strategy_templates',
  name: 'get_strategy_templates',
  summary: 'List ready-made rules',
  description:
    'Rules of well-known strategies, for `/set_strategy_rules`. The first suggested timeframe fits best.',
  caller: 'anyone',
  extension: true,
  assistant: {
    description:
      'Lists ready-made rules of well-known strategies. Begin here: change the rules of the closest template instead of writing from nothing.',
  },
  input: {},
  output: z.array(strategyTemplateOut),
  errors: [],
  table: 'none',
  cache: 'public, max-age=3600',
  handler: async () =>
    strategyTemplates().map(({ rules, ...rest }) => ({
      ...rest,
      rules: { ...rules },
      timeframes: [...rest.timeframes],
      asset_classes: [...rest.asset_classes],
    })),
});
