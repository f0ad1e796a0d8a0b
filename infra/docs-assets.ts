import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { REFERENCE_FILES } from '../functions/docs/reference-files.ts';
import { OPERATION_GROUPS, OPERATIONS } from '../functions/operations.ts';
import type { OpenApiDocument } from '../shared/api/openapi/document.ts';
import { buildOpenApi } from '../shared/api/openapi.ts';

const compress = promisify(gzip);
const require = createRequire(import.meta.url);

const PAGE = new URL('../functions/docs/page/', import.meta.url);
const OWN_FILES = new Set(['index.html', 'reference.js']);

/** The OpenAPI document of the service. Its own pages are no part of the interface. */
export const openApiDocument = (): OpenApiDocument => {
  const { docs: _pages, ...groups } = OPERATION_GROUPS;
  return buildOpenApi(groups, {
    title: 'Strategy Hub',
    description:
      'Users, strategies, deployments, order books and integrators of a trading-strategy platform.',
    version: '0.1.0',
  });
};

/** Every path with its methods, for the answer to a request that no route takes. */
const routeTable = (): Record<string, string[]> => {
  const table: Record<string, string[]> = {};
  for (const { method, path } of OPERATIONS) {
    if (method !== 'ANY') table[path] = [...(table[path] ?? []), method];
  }
  return table;
};

const source = (file: string): URL | string =>
  OWN_FILES.has(file) ? new URL(file, PAGE) : require.resolve(`swagger-ui-dist/${file}`);

/**
 * Writes what the functions of the docs group read beside their bundle: the OpenAPI document, the
 * route table, and the API reference page with its files, each gzipped.
 */
export const writeDocsAssets = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true });
  const write = async (name: string, content: string | Buffer): Promise<void> =>
    writeFile(
      join(directory, `${name}.gz`),
      await compress(content, { level: constants.Z_BEST_COMPRESSION }),
    );
  await Promise.all([
    write('openapi.json', JSON.stringify(openApiDocument())),
    write('routes.json', JSON.stringify(routeTable())),
    ...['index.html', ...REFERENCE_FILES.keys()].map(async (name) =>
      write(name, await readFile(source(name))),
    ),
  ]);
};
