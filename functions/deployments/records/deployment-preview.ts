import * as z from 'zod';
import { extensionRecord } from '../../../shared/api/fields.ts';
import type { ProtectionPlan } from '../accounts/protection-plan.ts';
import { planSentences, symbolSentences } from '../accounts/protection-texts.ts';

const symbolOut = extensionRecord(
  'DeploymentPreviewSymbol',
  z.object({
    symbol: z.string(),
    exits: z.enum(['oco', 'stop', 'stop_limit', 'none']),
    rests: z.array(z.enum(['stop', 'target'])),
    overnight: z.boolean(),
    hours: z.enum(['session', 'always']),
    band_pct: z.number().nullable(),
    sentences: z.array(z.string()),
  }),
);

export const deploymentPreviewOut = extensionRecord(
  'DeploymentPreview',
  z.object({
    can_deploy: z.boolean(),
    refusals: z.array(z.string()),
    symbols: z.array(symbolOut),
    sentences: z.array(z.string()),
  }),
);

/** Presents what protects the trades of a deployment. @param use says why the account cannot trade a symbol. */
export const presentPreview = (
  plan: ProtectionPlan,
  use: string | undefined,
): z.output<typeof deploymentPreviewOut> => {
  const refusals = [...plan.refusals, ...(use === undefined ? [] : [use])];
  return {
    can_deploy: refusals.length === 0,
    refusals,
    symbols: plan.symbols.map((symbol) => {
      const { exits, stop, target } = symbol;
      const sets = { stop: stop !== 'none', target: target !== 'none' };
      const rests = exits.levels.filter((level) => sets[level]);
      return {
        symbol: symbol.symbol,
        exits: rests.length === 0 ? 'none' : exits.kind,
        rests,
        overnight: rests.length > 0 && exits.timeInForce === 'gtc',
        hours: exits.hours,
        band_pct: exits.band === undefined ? null : Number((Number(exits.band) * 100).toPrecision(6)),
        sentences: symbolSentences(symbol),
      };
    }),
    sentences: planSentences(plan),
  };
};
