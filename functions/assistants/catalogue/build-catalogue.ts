import { readFile } from 'node:fs/promises';
import type { Operation } from '../../../shared/api/operation.ts';
import { rulesSchema } from '../../../shared/domain/engine/rules/schema.ts';
import { API_VERSION } from '../../../shared/version.ts';
import { type JsonSchema, jsonSchemaOf, pruned, resolved, withoutRules } from './json-schemas.ts';
import type { Catalogue, Tool } from './tool.ts';
import { inputOf, namedBy } from './tool-input.ts';

const REFERENCE = new URL('../../strategies/RULES.md', import.meta.url);
/** Tool that shows the schema of rules in full. Others refer to it, as it is large. */
const RULES_TOOL = 'set_strategy_rules';

/** Returns the schema of an object with an answer as `result`. */
const wrapped = ({ $defs, ...result }: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { result },
  required: ['result'],
  ...($defs !== undefined && { $defs }),
});

const toolOf = (operation: Operation): Tool[] => {
  const { assistant, name, method, path, summary, input, output } = operation;
  if (!assistant) return [];
  if (method !== 'GET' && method !== 'POST')
    throw new Error(`${name} is no tool, as its method is ${method}`);
  const declared = assistant.scope ?? operation.scope;
  const scope = declared === 'any' ? undefined : declared;
  if (scope === 'by_request') throw new Error(`${name} is a tool without a scope: give assistant.scope`);
  const isRead = method === 'GET' || scope === undefined || scope === 'read';
  const converted = jsonSchemaOf(output, 'output');
  const answer = pruned({ ...resolved(converted, converted.$defs), $defs: converted.$defs });
  const isWrapped = answer.type !== 'object';
  const fields = inputOf(operation);
  const named = namedBy(operation);
  return [
    {
      name,
      title: assistant.title ?? summary,
      description: `${assistant.description}${scope === undefined ? '' : ` Needs the scope ${scope}.`}`,
      ...(scope !== undefined && { scope }),
      annotations: {
        readOnlyHint: isRead,
        destructiveHint: assistant.destructive ?? false,
        idempotentHint: isRead || (assistant.idempotent ?? false),
        // The hub answers from its own records only.
        openWorldHint: false,
      },
      inputSchema: name === RULES_TOOL ? fields.schema : withoutRules(fields.schema),
      outputSchema: isWrapped ? wrapped(answer) : answer,
      isWrapped,
      request: {
        method,
        path,
        query: Object.keys(input.query?.shape ?? {}).filter((field) => fields.names.has(field)),
        form: Object.keys(input.form?.shape ?? {}).filter((field) => fields.names.has(field)),
        json: Object.keys(input.json?.shape ?? {}),
        ...(named && { named }),
        fixed: { ...assistant.fixed },
      },
    },
  ];
};

/** Builds the tools of assistants from the operations that are declared as such. */
const toolsOf = (operations: readonly Operation[]): Tool[] => operations.flatMap(toolOf);

/** Builds the catalogue that the function of assistants and the command for one machine serve. */
export const buildCatalogue = async (operations: readonly Operation[]): Promise<Catalogue> => ({
  version: API_VERSION,
  tools: toolsOf(operations),
  rules: jsonSchemaOf(rulesSchema, 'input'),
  reference: await readFile(REFERENCE, 'utf8'),
});
