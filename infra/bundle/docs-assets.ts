import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DESCRIPTIONS } from '../../functions/docs/descriptions/descriptions.ts';
import examples from '../../functions/docs/examples.json' with { type: 'json' };
import { REFERENCE_FILES } from '../../functions/docs/reference-files.ts';
import requests from '../../functions/docs/request-examples.json' with { type: 'json' };
import { OPERATION_GROUPS } from '../../functions/operations.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { buildOpenApi } from '../../shared/api/openapi/build-openapi.ts';
import { describeDocument } from '../../shared/api/openapi/describe.ts';
import type { OpenApiDocument } from '../../shared/api/openapi/document.ts';
import { addExamples } from '../../shared/api/openapi/examples.ts';
import { API_VERSION } from '../../shared/version.ts';
import { writeAsset } from './write-asset.ts';

const PAGE = new URL('../../functions/docs/page/', import.meta.url);
const require = createRequire(import.meta.url);
const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));
const OWN_FILES = new Set(['index.html', 'reference.js']);
/** Files of the console that the reference shares. */
const TOKENS = new URL('../../functions/console/app/styles/tokens.css', import.meta.url);
const ICON = new URL('../../functions/console/page/icon.svg', import.meta.url);

/** Builds the OpenAPI document of the service. The groups of pages and of assistants, which have a protocol of their own, are not part of it. */
export const openApiDocument = (): OpenApiDocument => {
  const { assistants: _assistants, docs: _docs, console: _console, ...groups } = OPERATION_GROUPS;
  const document = buildOpenApi(groups, {
    title: 'Strategy Hub',
    description:
      'Users, strategies, deployments, order books and integrators of a trading-strategy platform.',
    version: API_VERSION,
    license: { name: packageJson.license },
  });
  return addExamples(describeDocument(document, DESCRIPTIONS), examples, requests);
};

const contentOf = async (file: string): Promise<string | Buffer> => {
  if (file === 'reference.css') {
    const styles = await Promise.all([TOKENS, new URL(file, PAGE)].map((one) => readFile(one, 'utf8')));
    return styles.join('\n');
  }
  if (file === 'icon.svg') return readFile(ICON);
  return readFile(OWN_FILES.has(file) ? new URL(file, PAGE) : join(SWAGGER_UI, file));
};

/**
 * Writes the files that the functions of the docs group read next to their bundle: the OpenAPI document
 * and the API reference page with its files, each gzipped.
 */
export const writeDocsAssets = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true });
  await Promise.all([
    writeAsset(directory, 'openapi.json', JSON.stringify(openApiDocument())),
    ...['index.html', ...REFERENCE_FILES.keys()].map(async (name) =>
      writeAsset(directory, name, await contentOf(name)),
    ),
  ]);
};
