import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { BatchMember } from '../../shared/data/table/batch-write.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { tableInput } from '../../shared/data/table/table-input.ts';

const CHUNK = 5000;

/** Creates a table without its stream, as the engine scans all stream records at every write. */
export const createStreamless = async (client: DynamoDBClient, name: string): Promise<void> => {
  const { StreamSpecification: _, ...input } = tableInput(name);
  await client.send(new CreateTableCommand(input));
};

function* chunksOf<T>(all: Iterable<T>): Generator<T[]> {
  let chunk: T[] = [];
  for (const one of all) {
    chunk.push(one);
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  yield chunk;
}

/** Writes any number of items, and prints the duration. */
export const fillTable = async (
  store: Store,
  what: string,
  members: Iterable<BatchMember>,
): Promise<void> => {
  const started = performance.now();
  let written = 0;
  for (const chunk of chunksOf(members)) {
    await store.batchWrite(chunk);
    written += chunk.length;
    if (process.stderr.isTTY) process.stderr.write(`\r${written} items`);
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  console.log(`${what} written in ${((performance.now() - started) / 1000).toFixed(1)} s`);
};
