import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import { resultOf } from '../answers/tool-result.ts';
import { callHub, requestOf } from './hub-calls.ts';
import type { ServerContext } from './server-context.ts';

const SCHEMA = 'hub://schemas/rules';
const REFERENCE = 'hub://reference/rules';
const TEMPLATES = 'hub://templates';
const STRATEGY = /^hub:\/\/strategies\/(\d{1,16})$/;
const JSON_TYPE = 'application/json';

/** Lists the resources that every caller has. */
export const listResources = (): Resource[] => [
  {
    uri: SCHEMA,
    name: 'rules-schema',
    title: 'JSON Schema of rules',
    description: 'Schema of the rules that set_strategy_rules and run_backtest take.',
    mimeType: 'application/schema+json',
  },
  {
    uri: REFERENCE,
    name: 'rules-reference',
    title: 'Reference of rules',
    description: 'Operands, conditions, indicators, exits and sizes of rules, with examples.',
    mimeType: 'text/markdown',
  },
  {
    uri: TEMPLATES,
    name: 'templates',
    title: 'Templates',
    description: 'Rules of well-known strategies to begin with.',
    mimeType: JSON_TYPE,
  },
];

export const RESOURCE_TEMPLATES: readonly ResourceTemplateType[] = [
  {
    uriTemplate: 'hub://strategies/{strategy_id}',
    name: 'strategy',
    title: 'Strategy',
    description: 'A strategy with its rules, their sentence and their versions, as JSON.',
    mimeType: JSON_TYPE,
  },
];

/** Reads a resource through a tool, so it is as small and as safe as the answer of the tool. */
const readByTool = async (
  { catalogue, access, onAnswer }: ServerContext,
  uri: string,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<ReadResourceResult> => {
  const tool = catalogue.tools.find((one) => one.name === name);
  if (!tool) throw new Error(`the resource of ${name} has no tool`);
  const answer = await callHub(access, requestOf(tool, args));
  onAnswer?.(answer, tool);
  const { content } = resultOf(tool, answer);
  const texts = content.flatMap((one) => (one.type === 'text' ? [one.text] : []));
  return { contents: texts.map((text) => ({ uri, mimeType: JSON_TYPE, text })) };
};

/** Reads a resource. @throws ResourceNotFoundError */
export const readResource = async (context: ServerContext, uri: string): Promise<ReadResourceResult> => {
  const { rules, reference } = context.catalogue;
  if (uri === SCHEMA) {
    return { contents: [{ uri, mimeType: 'application/schema+json', text: JSON.stringify(rules) }] };
  }
  if (uri === REFERENCE) return { contents: [{ uri, mimeType: 'text/markdown', text: reference }] };
  if (uri === TEMPLATES) return readByTool(context, uri, 'get_strategy_templates');
  const strategyId = STRATEGY.exec(uri)?.[1];
  if (strategyId !== undefined) {
    return readByTool(context, uri, 'get_strategy', { strategy_id: Number(strategyId) });
  }
  throw new ResourceNotFoundError(uri);
};
