/**
 * A DynamoDB that repeats the first answers of a real one at once, so that measurements show mainly the
 * function. Runs in its own process, so its CPU is not counted. Argument: the real one's address.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

const [endpoint = ''] = process.argv.slice(2);

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

const answers = new Map<string, Promise<Answer>>();

const ask = async (request: IncomingMessage, body: Buffer): Promise<Answer> => {
  const { host: _, connection: __, ...headers } = request.headers;
  const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const response = await fetch(endpoint, { method: 'POST', headers: sent, body: new Uint8Array(body) });
  const { 'transfer-encoding': ___, connection: ____, ...kept } = Object.fromEntries(response.headers);
  return { status: response.status, headers: kept, body: Buffer.from(await response.arrayBuffer()) };
};

/** Answers all transactions alike, as each has new identifiers. */
const keyOf = (target: string, body: Buffer): string =>
  target.endsWith('.TransactWriteItems') ? target : `${target} ${body.toString()}`;

const server = createServer(async (request, response) => {
  const body = await buffer(request);
  const key = keyOf(String(request.headers['x-amz-target']), body);
  const answering = answers.get(key) ?? ask(request, body);
  answers.set(key, answering);
  const { status, headers, body: answer } = await answering;
  response.writeHead(status, headers).end(answer);
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : undefined);
});
