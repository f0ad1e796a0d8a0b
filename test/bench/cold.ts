/**
 * Measures cold starts: the CPU time to import a bundle in a new process and to answer its first request.
 * Compares every function of the service, and a service with one operation with the same service in other
 * frameworks. Run by `npm run bench:cold [-- --runs 15]`.
 */

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleFunctions } from '../../infra/bundle/bundle.ts';
import { readOptions } from '../../infra/commands/read-options.ts';
import { bundleStart, type Case, functionCases, measure, type Sample, totals } from './cold-cases.ts';
import { bundleContestants, PEERS } from './contestants.ts';
import { failWith, OUT_DIR, writeResult } from './result.ts';
import { gatewayEvent, type Rig, startRig, USER_ID } from './rig.ts';
import { inTurns, median, medianRatio, rounded } from './statistics.ts';

const MAX_RUNS = 200;

/**
 * Maximum CPU time of a cold start, as a multiple of that of the bare function and of each peer. They answer one
 * operation with one read. A function of the service has those of a group, and its first request may make more reads.
 */
const LIMITS = { bare: 1.1, peers: { hono: 0.8, powertools: 0.95, fastify: 0.7, express: 0.8 } } as const;

/** Operation of all contestants. */
const SAME = { routeKey: 'GET /check_for_token', request: { query: { user_id: USER_ID } } } as const;

const sameCases = async (rig: Rig): Promise<Case[]> => {
  const event = gatewayEvent(SAME.routeKey, SAME.request);
  const environment = rig.environmentOf('partners');
  const contestants = await bundleContestants(['token']);
  return Promise.all(
    contestants.map(async (one) => {
      const { size: bytes } = await stat(one.file);
      return { ...one, bytes, status: 200, event, environment };
    }),
  );
};

const rowsOf = (samples: ReadonlyMap<Case, readonly Sample[]>) => {
  const named = new Map([...samples].map(([{ name }, taken]) => [name, totals(taken)]));
  return [...samples].map(([{ name, bytes }, taken]) => ({
    name,
    kb: bytes / 1000,
    importMs: median(taken.map(({ importMs }) => importMs)),
    requestMs: median(taken.map(({ requestMs }) => requestMs)),
    totalMs: median(totals(taken)),
    minMs: Math.min(...totals(taken)),
    ofBare: medianRatio(totals(taken), named.get('bare') ?? []),
    ofPeers: Object.fromEntries(
      PEERS.map((peer) => [peer, medianRatio(totals(taken), named.get(peer) ?? [])]),
    ),
  }));
};

type Row = ReturnType<typeof rowsOf>[number];

const print = (rows: readonly Row[]): void => {
  console.table(
    rows.map(({ name, kb, importMs, requestMs, totalMs, ofBare, ofPeers }) => ({
      'first request': name,
      KB: rounded(kb, 0),
      import: rounded(importMs, 1),
      request: rounded(requestMs, 1),
      total: rounded(totalMs, 1),
      'of bare': rounded(ofBare, 2),
      ...Object.fromEntries(
        Object.entries(ofPeers).map(([peer, ratio]) => [`of ${peer}`, rounded(ratio, 2)]),
      ),
    })),
  );
};

/** Cold starts over their limit. */
const failuresOf = (rows: readonly Row[]): string[] =>
  rows.flatMap(({ name, ofBare, ofPeers }) => [
    ...(ofBare > LIMITS.bare ? [`${name}: ${ofBare.toFixed(2)} of the bare function`] : []),
    ...PEERS.flatMap((peer) => {
      const ratio = ofPeers[peer] ?? Number.NaN;
      return ratio <= LIMITS.peers[peer] ? [] : [`${name}: ${ratio.toFixed(2)} of ${peer}`];
    }),
  ]);

const HELP = `npm run bench:cold [-- --runs 15]

Measures the CPU time of cold starts: of each function, and in comparison with other frameworks.`;

const { values } = readOptions(HELP, { options: { runs: { type: 'string', default: '15' } } });
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1 || runs > MAX_RUNS) {
  throw new Error(`--runs takes a number from 1 to ${MAX_RUNS}`);
}
await using rig = await startRig();
const same = await sameCases(rig);
const functions = await functionCases(rig, await bundleFunctions({ outDir: join(OUT_DIR, 'functions') }));
const script = await bundleStart();
const samples = await inTurns([...same, ...functions], runs, (one) => measure(script, one));
const rows = rowsOf(samples);
console.log(`CPU of a cold start in ms, medians of ${runs}, Node ${process.version}`);
console.log(`The same service in each framework, first asked for ${SAME.routeKey}:`);
print(rows.slice(0, same.length));
console.log('The functions as deployed:');
print(rows.slice(same.length));
await writeResult('cold', { runs, limits: LIMITS, rows });
const ours = rows.filter(({ name }, at) => name === 'ours' || at >= same.length);
failWith(failuresOf(ours).map((failure) => `over the limit: ${failure}`));
