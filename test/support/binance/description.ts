import { readFileSync } from 'node:fs';
import * as z from 'zod';

const parameter = z.object({
  type: z.enum(['string', 'integer', 'number', 'boolean']),
  enum: z.array(z.string()).optional(),
  required: z.literal(true).optional(),
});

/** Part of the published OpenAPI description that the adapter uses. */
const { error, operations } = z
  .object({
    error: z.record(z.string(), z.unknown()),
    operations: z.record(
      z.string(),
      z.object({
        parameters: z.record(z.string(), parameter),
        answer: z.record(z.string(), z.unknown()),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(new URL('spot-api.json', import.meta.url), 'utf8')));

export type Params = Readonly<Record<string, string>>;

/** Refusal in the published form. */
export interface Refusal {
  readonly status: number;
  readonly body: { readonly code: number; readonly msg: string };
}

export const refusal = (code: number, msg: string, status = 400): Refusal => ({
  status,
  body: { code, msg },
});

const FORMS = {
  string: /^.*$/s,
  integer: /^\d+$/,
  number: /^\d+(\.\d+)?$/,
  boolean: /^(true|false)$/,
} as const;

/** Codes of enums with a code of their own. */
const ENUMS: Readonly<Record<string, readonly [number, string]>> = {
  timeInForce: [-1115, 'Invalid timeInForce.'],
  type: [-1116, 'Invalid orderType.'],
  side: [-1117, 'Invalid side.'],
};

/** Ids of clients, by the message of their refusal. */
const CLIENT_ID = /^[a-zA-Z0-9-_]{1,36}$/;

/** Returns the refusal of parameters that the description does not have, or not in this form. */
export const refusedParams = (operation: string, params: Params): Refusal | undefined => {
  const { parameters = {} } = operations[operation] ?? {};
  const unread = Object.keys(params).filter((name) => !parameters[name]);
  if (unread.length > 0) {
    return refusal(-1104, `Not all sent parameters were read; unread: ${unread.join(', ')}.`);
  }
  for (const [name, { type, enum: allowed, required }] of Object.entries(parameters)) {
    const value = params[name];
    if (value === undefined && !required) continue;
    if (value === undefined || value === '' || !FORMS[type].test(value)) {
      return refusal(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`);
    }
    if (allowed && !allowed.includes(value)) {
      const [code, msg] = ENUMS[name] ?? [-1130, `Data sent for parameter '${name}' is not valid.`];
      return refusal(code, msg);
    }
    if (/ClientOrderId$/i.test(name) && !CLIENT_ID.test(value)) {
      const range = `legal range is '^[a-zA-Z0-9-_]{1,36}$'`;
      return refusal(-1100, `Illegal characters found in parameter '${name}'; ${range}.`);
    }
  }
  return undefined;
};

const answers = new Map(
  Object.entries(operations).map(([name, { answer }]) => [name, z.fromJSONSchema(answer)]),
);
const refusals = z.fromJSONSchema(error);

/** Checks an answer of the stand-in against the description. @throws Error */
export const requireDescribed = (operation: string, status: number, body: unknown): void => {
  const schema = status === 200 ? answers.get(operation) : refusals;
  const { success, error: problem } = schema?.safeParse(body) ?? { success: false, error: undefined };
  if (!success) throw new Error(`${operation} answered ${status} in another form: ${problem?.message ?? ''}`);
};
