import { type Assets, assetsIn } from '../../shared/api/assets.ts';
import { withHead } from '../../shared/api/head.ts';
import type { Operation } from '../../shared/api/operation.ts';
import { docs } from './docs.ts';
import { docsFile } from './docs-file.ts';
import { openapi } from './openapi.ts';

/** Makes the group over given assets. */
export const docsOperationsWith = (assets: Assets): readonly Operation[] =>
  withHead([openapi(assets), docs(assets), docsFile(assets)]);

/** Reads the assets from the folder next to the bundle. */
export const docsOperations = docsOperationsWith(assetsIn(new URL('./assets/', import.meta.url)));
