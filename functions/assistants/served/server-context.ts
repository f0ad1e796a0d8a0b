import type { HubAnswer } from '../answers/hub-answer.ts';
import type { Catalogue, Tool } from '../catalogue/tool.ts';
import type { HubAccess } from './hub-calls.ts';

/** Access of a server to the hub, and its knowledge of the caller. */
export interface ServerContext {
  readonly catalogue: Catalogue;
  readonly access: HubAccess;
  /** Scopes of the key, if they are known; undefined lists all tools. */
  readonly scopes?: readonly string[] | undefined;
  /** Called with each answer of the hub. */
  readonly onAnswer?: (answer: HubAnswer, tool: Pick<Tool, 'scope'>) => void;
}
