import { type Assets, assetsIn } from '../../shared/api/assets.ts';
import type { Operation } from '../../shared/api/operation.ts';
import { mcp, mcpSession, mcpStream } from './mcp.ts';

/** Makes the group over given assets. */
export const assistantsOperationsWith = (assets: Assets): readonly Operation[] => [
  mcp(assets),
  mcpStream,
  mcpSession,
];

/** Reads the assets from the folder next to the bundle. */
export const assistantsOperations = assistantsOperationsWith(assetsIn(new URL('./assets/', import.meta.url)));
