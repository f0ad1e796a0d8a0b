import * as z from 'zod';
import { SCOPES } from '../../../shared/domain/scopes.ts';

const schema = z.record(z.string(), z.unknown());

/** Tool of assistants, as the build derives it from an operation. */
const toolSchema = z.strictObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  /** Scope that a key needs; absent for tools that every key may call. */
  scope: z.enum(SCOPES).exactOptional(),
  annotations: z.strictObject({
    readOnlyHint: z.boolean(),
    destructiveHint: z.boolean(),
    idempotentHint: z.boolean(),
    openWorldHint: z.boolean(),
  }),
  inputSchema: schema,
  outputSchema: schema,
  /** True if the answer is no object, so that its result is one with the answer as `result`. */
  isWrapped: z.boolean(),
  request: z.strictObject({
    method: z.enum(['GET', 'POST']),
    path: z.string(),
    /** Names of the arguments that go into the query. */
    query: z.array(z.string()),
    form: z.array(z.string()),
    json: z.array(z.string()),
    /** Query parameters of the caller: `me` as the user, or the strategy of the argument `strategy_id`. */
    named: z.enum(['user', 'strategy']).exactOptional(),
    /** Fields that every call sends. */
    fixed: z.record(z.string(), z.string()),
  }),
});

export type Tool = z.output<typeof toolSchema>;

/** Tools and texts of assistants, as the build writes them. */
export const catalogueSchema = z.strictObject({
  version: z.string(),
  tools: z.array(toolSchema),
  /** JSON schema of rules. */
  rules: schema,
  /** Reference of rules, in Markdown. */
  reference: z.string(),
});

export type Catalogue = z.output<typeof catalogueSchema>;
