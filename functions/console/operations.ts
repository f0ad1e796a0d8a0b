import { type Assets, assetsIn } from '../../shared/api/assets.ts';
import { withHead } from '../../shared/api/head.ts';
import type { Operation } from '../../shared/api/operation.ts';
import { consoleFile } from './console-file.ts';
import { consolePage } from './console-page.ts';
import { root } from './root.ts';

/** Makes the group over given assets. */
export const consoleOperationsWith = (assets: Assets): readonly Operation[] =>
  withHead([root, consolePage(assets), consoleFile(assets)]);

/** Reads the assets from the folder next to the bundle. */
export const consoleOperations = consoleOperationsWith(assetsIn(new URL('./assets/', import.meta.url)));
