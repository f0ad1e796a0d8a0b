import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Tool } from '../catalogue/tool.ts';
import type { HubAnswer } from './hub-answer.ts';
import { safeValue } from './safe-values.ts';
import { smallValue } from './small-value.ts';

const text = (value: unknown) => ({ type: 'text' as const, text: JSON.stringify(value) });

/** Returns a result that tells a model about a failure, as JSON. */
export const failure = (error: Readonly<Record<string, unknown>>): CallToolResult => ({
  isError: true,
  content: [text({ error })],
});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Presents a refusal or a fault of the hub with its code and fields, so that a model can mend its request. */
const refusal = ({ status, body, retryAfterS }: HubAnswer): CallToolResult => {
  const { detail, code } = isRecord(body) ? body : {};
  const small = smallValue(safeValue(detail ?? 'The hub gave no reason.'));
  return failure({
    status,
    ...(typeof code === 'string' && { code }),
    detail: small?.value ?? 'The reason is too long to show.',
    ...(retryAfterS !== undefined && { retry_after_s: retryAfterS }),
  });
};

/**
 * Presents an answer of the hub as the result of a tool. Texts of people are values of JSON alone, so nothing of them can
 * pass for a text of the server.
 */
export const resultOf = (tool: Tool, answer: HubAnswer): CallToolResult => {
  if (answer.status !== 200) return refusal(answer);
  const small = smallValue(safeValue(answer.body));
  if (!small) {
    return failure({
      status: 200,
      code: 'answer_too_large',
      detail: 'The answer is too large to show. Ask for a smaller page or a shorter span.',
    });
  }
  const value = tool.isWrapped ? { result: small.value } : small.value;
  if (!isRecord(value))
    return failure({ status: 502, code: 'answer_unreadable', detail: 'The hub sent no object.' });
  const cuts = small.cuts.map(({ path, kept, total, choice }) => ({ path, kept, of: total, choice }));
  return {
    content: [
      text(value),
      ...(cuts.length > 0
        ? [text({ left_out: cuts, more: 'Ask for a page, a shorter span or one entry to see the rest.' })]
        : []),
    ],
    structuredContent: value,
  };
};
