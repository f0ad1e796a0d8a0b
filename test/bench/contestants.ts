import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { BUNDLE_OPTIONS } from '../../infra/bundle/options.ts';
import { OUT_DIR } from './result.ts';

/** Operations of the peers, each with the same operation of this service. */
const OURS = {
  token: { module: '../../functions/partners/check-for-token.ts', name: 'checkForToken' },
  page: {
    module: '../../functions/deployments/get-deployment-notifications.ts',
    name: 'getDeploymentNotifications',
  },
  write: { module: '../../functions/users/create-user.ts', name: 'createUser' },
} as const;

export type Route = keyof typeof OURS;

/** Frameworks to compare with; each has a module in `peers/`. */
export const PEERS = ['hono', 'powertools', 'fastify', 'express'] as const;

type Peer = (typeof PEERS)[number];

/** Options that AWS and the frameworks advise for functions: ESM if a package has it, tree-shaken and minified. */
const AS_ADVISED = {
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  outExtension: { '.js': '.mjs' },
  define: { 'process.env.NODE_ENV': '"production"' },
  banner: {
    js: "import{createRequire as _createRequire}from'node:module';const require=_createRequire(import.meta.url);",
  },
  logLevel: 'error',
} as const satisfies BuildOptions;

/** Defaults of esbuild, for `bare.ts`. */
const AS_IS = {
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
} as const satisfies BuildOptions;

const bundle = async (
  name: string,
  source: string,
  options: BuildOptions & { outExtension: { '.js': string } },
) => {
  const file = join(OUT_DIR, 'contestants', `${name}${options.outExtension['.js']}`);
  await mkdir(OUT_DIR, { recursive: true });
  const { outExtension: _, ...rest } = options;
  const stdin = {
    contents: source,
    resolveDir: import.meta.dirname,
    sourcefile: `${name}.ts`,
    loader: 'ts',
  } as const;
  await build({ ...rest, stdin, outfile: file });
  return file;
};

const ours = (routes: readonly Route[]): string => `
  import { lambdaHandler } from '../../shared/api/lambda.ts';
  ${routes.map((route) => `import { ${OURS[route].name} } from '${OURS[route].module}';`).join('\n')}
  export const handler = lambdaHandler([${routes.map((route) => OURS[route].name).join(', ')}]);`;

const silent = (name: Peer, routes: readonly Route[]): string => `
  import { ${['serve', ...routes].join(', ')} } from './peers/${name}.ts';
  export const handler = serve(${routes.join(', ')});`;

/** Builds the source of a peer that writes a log line and a metric per request like this service. */
const peer = (name: Peer, routes: readonly Route[]): string => `
  import { observed } from './peers/observed.ts';
  import { ${['serve', ...routes].join(', ')} } from './peers/${name}.ts';
  export const handler = observed(serve(${routes.join(', ')}));`;

const BARE = "export { handler } from './bare.ts';";

/** A program to measure. */
export interface Contestant {
  readonly name: string;
  readonly file: string;
}

/**
 * Bundles services with only these operations: this one, one in each of the frameworks, and the
 * bare function. Further ones show the effect of the bundling and of the line and metric per request.
 */
export const bundleContestants = async (routes: readonly Route[]): Promise<Contestant[]> => {
  const suffix = routes.join('-');
  const made = async (
    name: string,
    label: string,
    source: string,
    options: Parameters<typeof bundle>[2],
  ): Promise<Contestant> => ({ name: label, file: await bundle(`${name}-${suffix}`, source, options) });
  return Promise.all([
    made('bare', 'bare', BARE, AS_IS),
    made('ours', 'ours', ours(routes), BUNDLE_OPTIONS),
    ...PEERS.map((name) => made(name, name, peer(name, routes), AS_ADVISED)),
    ...PEERS.map((name) => made(`${name}-silent`, `${name}, silent`, silent(name, routes), AS_ADVISED)),
    made('bare-lean', 'bare, bundled like ours', BARE, BUNDLE_OPTIONS),
    made('ours-advised', 'ours, bundled like peers', ours(routes), AS_ADVISED),
  ]);
};
