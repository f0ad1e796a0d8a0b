import * as z from 'zod';
import { asProgram } from '../../shared/data/engine/programs.ts';
import { asDeploymentSetup } from '../../shared/data/engine/setups.ts';
import { asStoredProgram } from '../../shared/data/engine/states.ts';
import { readSub, type Sub } from '../../shared/data/engine/subscriptions.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { Store } from '../../shared/data/table/store.ts';

const saved = z.object({
  exits: z.number(),
  account: z.object({
    cash: z.unknown(),
    trades: z.array(z.record(z.string(), z.unknown())),
    orders: z.array(z.unknown()),
    isRuined: z.boolean(),
  }),
  entry_ids: z.array(z.string()),
  waiting: z.array(z.unknown()),
});

/**
 * Returns what an account holds. A stored one may lie behind its program, and its cursor with it: the bars since then
 * widen the prices that its trades have seen.
 */
const accountOf = (sub: Sub | undefined) => {
  if (!sub) return undefined;
  const { kind, error, joined_at } = sub;
  if (sub.kind === 'N') return { kind, error, joined_at };
  const paper = saved.parse(JSON.parse(sub.paper.saved));
  const trades = paper.account.trades.map(({ low: _low, high: _high, ...held }) => held);
  return {
    kind,
    error,
    joined_at,
    inputs: sub.inputs,
    paper: { ...paper, account: { ...paper.account, trades } },
  };
};

const programOf = async (store: Store, programId: string) => {
  const [item] = await store.getMany([keys.programState(programId)], { consistent: true });
  const stored = asStoredProgram(item);
  if (stored?.in_shard === undefined) return undefined;
  const { symbol, timeframe, in_shard } = stored;
  const key = keys.program(symbol, timeframe, in_shard, programId);
  const [listed] = await store.getMany([key], { consistent: true });
  const program = asProgram(listed);
  return program && { symbol, joined: stored.joined, at: program.at, busy: program.busy };
};

/** Returns the accounts and cursors that the engine keeps for deployments, comparable between runs. */
export const engineStateOf = async (store: Store, deployments: readonly number[]) => {
  const found = await Promise.all(
    deployments.map(async (id) => {
      const [item] = await store.getMany([keys.deploymentSetup(id)], { consistent: true });
      const setup = asDeploymentSetup(item);
      if (!setup) throw new Error('a deployment of the test has no setup');
      return Promise.all(
        setup.program_ids.map(async (programId) => ({
          program: await programOf(store, programId),
          account: accountOf(await readSub(store, programId, id)),
        })),
      );
    }),
  );
  return found.flat();
};

export type EngineState = Awaited<ReturnType<typeof engineStateOf>>;
