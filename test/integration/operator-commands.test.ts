import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { runSteps, type Step } from '../../infra/commands/run-steps.ts';
import { auditList } from '../../shared/data/audit/audit-trail.ts';
import { entryKey, headKey } from '../../shared/data/numbered-list/numbered-list.ts';
import { findDeadLetters } from '../../shared/data/outbox/dead-letters.ts';
import { completeDelivery, findDueDeliveries } from '../../shared/data/outbox/deliveries.ts';
import { dueKind } from '../../shared/data/outbox/lanes.ts';
import { putInOutbox } from '../../shared/data/outbox/outbox.ts';
import { SERVICE_COPIES } from '../../shared/data/switches/switches.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { deliverBulk } from '../../shared/deliveries/bulk/deliver-bulk.ts';
import { throwSwitch } from '../../shared/lifecycle/throw-switch.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { startHub, type TestHub } from '../support/hub.ts';
import { haltAll } from '../support/kill-switch.ts';
import { furnish, outbox, signUp } from '../support/people.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let hub: TestHub;
let environment: Record<string, string>;
let dataDir: string;

beforeAll(async () => {
  hub = await startHub();
  dataDir = await mkdtemp(join(tmpdir(), 'hub-commands-'));
  environment = { HUB_DYNAMODB_ENDPOINT: hub.endpoint, HUB_TABLE: hub.runtime.store.table };
});
afterAll(async () => {
  await hub.close();
  await rm(dataDir, { recursive: true });
});

/** Runs a command like an operator. */
const run = (
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = environment,
): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    const options = { cwd: ROOT, env: { ...CHILD_ENVIRONMENT, ...env } };
    execFile(process.execPath, [`infra/commands/${command}.ts`, ...args], options, (error, out, err) => {
      resolve({ code: error ? Number(error.code ?? -1) : 0, out, err });
    });
  });

const lineOf = (out: string, name: string): string =>
  new RegExp(`^${name} +(\\S+)$`, 'm').exec(out)?.[1] ?? '';

describe('every command', () => {
  const NO_ACCESS = {
    HUB_TABLE: 'hub',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  };

  test('names the missing region and the missing credentials, without a stack trace', async () => {
    const status = ['--all', '--status'];
    expect(await run('kill-switch', status, NO_ACCESS)).toEqual({
      code: 1,
      out: '',
      err: 'AWS: there is no region. Set AWS_REGION.\n',
    });
    const { err } = await run('kill-switch', status, { ...NO_ACCESS, AWS_REGION: 'eu-west-1' });
    expect(err).toMatch(/^AWS: there are no credentials\. .*\n$/);
  });

  test('names the answer of a table that does not exist', async () => {
    const { code, err } = await run('dead-letters', [], { ...environment, HUB_TABLE: 'no-such-table' });
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^AWS: ResourceNotFoundException: .*\n$/),
    });
  });

  test('names the reason of a failed connection', async () => {
    const { code, out } = await run('smoke', ['--url', 'http://127.0.0.1:1'], {});
    expect(code).toBe(1);
    expect(out).toMatch(
      /^health +FAILED +health: the service could not be reached: .*(ECONNREFUSED|bad port)/,
    );
    expect(out).toMatch(/^unknown path +FAILED +fetch failed: .*(ECONNREFUSED|bad port)/m);
    expect(out).toMatch(/\nNot checked: preflight, sign-in, mail, backtest\.\n$/);
  });

  test.each(['kill-switch', 'deploy'])(
    'prints its help, and does nothing for an option that it does not have: %s',
    async (command) => {
      const { code, out } = await run(command, ['--help']);
      expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(`npm run ${command} `) });
      const wrong = await run(command, ['--stage', 'dev', '--helpp'].slice(command === 'deploy' ? 0 : 2));
      expect(wrong).toEqual({ code: 2, out: '', err: "Unknown option '--helpp'. See --help.\n" });
    },
  );

  test('of package.json reads its options in the same way', async () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')));
    const files = Object.values(scripts).flatMap((script) => /^node .*?(\S+\.ts)\b/.exec(script)?.[1] ?? []);
    expect(files.length).toBeGreaterThan(40);
    for (const file of files) {
      const source = await readFile(join(ROOT, file), 'utf8');
      expect([
        file,
        /\b(readOptions|helpIfAsked|readCdkCommand|runBrokerCommand)\(/.test(source),
        source.includes('parseArgs') && !file.endsWith('cdk.ts'),
      ]).toEqual([file, true, false]);
    }
  });
});

describe('npm run check', () => {
  const node = (name: string, program: string): Step => ({ name, command: ['node', '-e', program] });
  const check = async (first: Step, ...others: Step[]) => {
    const printed: string[] = [];
    const print = (text: string) => printed.push(text.replace(/\(\d+\.\d s\)/, '(…)'));
    const passed = await runSteps(first, others, print);
    return { passed, printed };
  };

  test('runs the steps after a failed one, and tells all that failed with their output', async () => {
    const { passed, printed } = await check(
      node('first', 'console.log("a fault"); console.error("a reason"); process.exitCode = 3'),
      node('second', 'console.log("quiet")'),
      { name: 'third', command: ['no-such-program'] },
      node('fourth', 'process.kill(process.pid)'),
    );
    expect(passed).toBe(false);
    expect(printed.toSorted()).toEqual(
      [
        'FAILED  first (…)',
        'a fault\na reason\n',
        'passed  second (…)',
        'FAILED  third (…)',
        'spawn no-such-program ENOENT\n',
        'FAILED  fourth (…)',
        'Failed: first, third, fourth',
      ].toSorted(),
    );
    expect(printed.at(-1)).toBe('Failed: first, third, fourth');
  });

  test('passes if all steps do, the first of them before the others', async () => {
    const slow = node('one', 'setTimeout(() => {}, 200)');
    const { passed, printed } = await check(slow, node('two', ''), node('three', ''));
    expect(passed).toBe(true);
    expect([printed[0], printed.at(-1)]).toEqual(['passed  one (…)', 'All 3 steps passed.']);
  });
});

describe('npm run register-client', () => {
  const register = (key: string, email: string) =>
    hub.call('POST /register_user', {
      query: { auth: key },
      json: { email, password: 'a-password-1', name: 'Ada' },
    });

  test('prints a key that can register users, and revokes it', async () => {
    const { code, out } = await run('register-client', ['--name', 'Mobile app']);
    expect(code).toBe(0);
    const key = lineOf(out, 'Key');
    expect(key).toMatch(/^hub_client_[\w-]{43}$/);
    expect((await register(key, 'ada@example.com')).status).toBe(200);
    expect((await register(`${key}x`, 'eve@example.com')).status).toBe(401);

    const id = lineOf(out, 'Id, to revoke it');
    // The fingerprint must not be read as an option.
    expect(id).toMatch(/^client_[\w-]{43}$/);
    expect(await run('register-client', ['--revoke', id])).toMatchObject({ code: 0 });
    expect((await register(key, 'bob@example.com')).status).toBe(401);
    // Takes away the mail of the registration, which would be overdue in the tests of dead letters.
    for (const sent of await outbox(hub)) await completeDelivery(hub.runtime.store, sent);
    const again = await run('register-client', ['--revoke', id]);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('no key with this id') });
  });

  test('works on the data of npm start', async () => {
    const { code, out } = await run('register-client', ['--name', 'Local'], { HUB_DATA_DIR: dataDir });
    expect(code).toBe(0);
    expect(out).toContain(dataDir);
  });

  test.each([[['--name', 'A', '--revoke', 'b']], [['--name', 'x'.repeat(101)]]])(
    'refuses %j',
    async (args) => {
      const { code, err } = await run('register-client', args);
      expect(code).toBe(1);
      expect(err).toContain('npm run register-client');
    },
  );
});

describe('npm run dead-letters', () => {
  const giveUp = async (id: string): Promise<void> => {
    const now = hub.runtime.clock();
    // A day has passed, so the next failure is the last one; nothing answers at the address of the tests.
    await putInOutbox(
      hub.runtime.store,
      id,
      { kind: 'analytics', payload: '{}' },
      new Date(now.getTime() - 9e7),
    );
    await deliverBulk(hub.runtime, id, 0);
  };

  test('lists abandoned messages with their reasons, counts overdue ones, and sends the abandoned ones again', async () => {
    for (const id of ['one', 'two', 'three']) await giveUp(id);
    const written = new Date('2026-01-02T10:00:00Z');
    await putInOutbox(hub.runtime.store, 'waiting', { kind: 'analytics', payload: '{}' }, written);
    const listed = await run('dead-letters', []);
    await hub.runtime.store.delete(keys.outbox('waiting'));
    expect(listed.out).toMatch(
      /^two {2}analytics {2}written 2026-\S+ {2}given up 2026-\S+ after 1 attempts {2}\w/m,
    );
    expect(listed.out).toContain('3 dead letters in');
    expect(listed.out).toMatch(
      /^1 messages of the lane bulk are overdue in .*, the first since 2026-01-02T10:01:00\.000Z\.$/m,
    );
    expect(listed.out).not.toContain('lane main');

    const sent = await run('dead-letters', ['--send', 'two', 'unknown']);
    expect(sent).toMatchObject({ code: 1, err: expect.stringContaining('unknown is not a dead letter') });
    expect((await run('dead-letters', ['--send'])).out).toContain('2 messages are due again');
    const far = new Date(8.64e15);
    const damaged: Error[] = [];
    expect(await findDeadLetters(hub.runtime.store, far, 10, (error) => damaged.push(error))).toEqual([]);
    expect(damaged).toEqual([]);
    const due = await findDueDeliveries(hub.runtime.store, 'bulk', far, 10);
    expect(due.map(({ delivery_id }) => delivery_id).sort()).toEqual(['one', 'three', 'two']);
  });

  test('passes by messages that cannot be read, and names them without their contents', async () => {
    const { store } = hub.runtime;
    const damaged = Array.from({ length: 101 }, (_, n) => ({
      ...keys.outbox(`damaged-${n}`),
      entity: 'delivery_bulk',
      due_kind: 'delivery_dead',
      due_at: n,
      delivery_id: `damaged-${n}`,
      message: { to: 'ada@example.com' },
    }));
    const overdue = { due_kind: dueKind('main', 'overdue'), due_at: Date.parse('2026-01-02T10:00:00Z') };
    const waiting = { ...keys.outbox('overdue'), entity: 'delivery', ...overdue };
    for (const item of [...damaged.slice(0, 2), waiting]) await store.put(item);
    await giveUp('behind');
    const place = 'the dead letter OUTBOX#damaged-1, given up at 1, cannot be read: ';
    const listed = await run('dead-letters', []);
    expect(listed).toMatchObject({ code: 1, err: expect.stringContaining(place) });
    expect(listed.err).toContain('attempts: field required');
    expect(listed.err + listed.out).not.toContain('ada@example.com');
    expect(listed.out).toMatch(/^behind {2}analytics/m);
    expect(listed.out).toContain('3 dead letters in');
    expect(listed.out).toMatch(/^1 messages of the lane main are overdue/m);
    expect(await store.getMany([keys.outbox('overdue')])).toEqual([waiting]);
    // More than a page of them is before the message that is sent.
    for (const item of damaged) await store.put(item);
    const sent = await run('dead-letters', ['--send']);
    expect(sent).toMatchObject({ code: 1, err: expect.stringContaining(place) });
    expect(sent.out).toContain('1 messages are due again');
    for (const { pk, sk } of [...damaged, waiting]) await store.delete({ pk, sk });
  });

  test('does not send messages when asked to list them', async () => {
    expect(await run('dead-letters', ['one'])).toMatchObject({ code: 1, out: '' });
  });
});

describe('npm run kill-switch', () => {
  const all = ['--all', '--reason', 'A drill.'];

  /** Throws a switch like an operator, while a worker takes up what it halts. Without one, the command watches for long. */
  const runServed = async (args: readonly string[]) => {
    let isOver = false;
    const served = run('kill-switch', args).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await haltAll(hub);
      await sleep(50);
    }
    return served;
  };

  test('throws, shows and re-arms the switch of the service', async () => {
    expect(await runServed(all)).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^The kill switch of the service is thrown in .*\n0 deployments are halted\.\n$/,
      ),
    });
    const shown = await run('kill-switch', ['--all', '--status']);
    expect(shown.out).toMatch(
      /is thrown\.\n {2}by operator since \d{4}-\S+, 0 deployments halted: A drill\.\n\d{4}-/,
    );
    const again = await run('kill-switch', [...all, '--re-arm']);
    expect(again.out).toMatch(
      /is re-armed\.\n.*is not thrown\.\n\d{4}-\S+ {2}re-armed {2}by operator: A drill\.\n/,
    );
  });

  test('throws a switch of the service of which every copy is damaged, and names that in one line', async () => {
    for (let copy = 0; copy < SERVICE_COPIES; copy++) {
      await hub.runtime.store.put({ ...keys.serviceSwitch(copy), entity: 'switch', rev: 9 });
    }
    expect(await runServed(all)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^The kill switch of the service is thrown in /),
      err: expect.stringMatching(
        /^the kill switch of the service cannot be read, and is replaced: holds: [^\n]*\n$/,
      ),
    });
    expect((await run('kill-switch', [...all, '--re-arm'])).out).toContain('is not thrown.');
  });

  test('names the user of a switch in the trail of the operators', async () => {
    const email = 'trail@example.com';
    await furnish(hub);
    const { body } = await signUp(hub, { email });
    await throwSwitch(hub.runtime, {
      subject: { level: 'user', user_id: String(body.user_id) },
      actor: { by: 'operator' },
      reason: 'A drill of one user.',
      flatten: false,
    });
    const { out } = await run('kill-switch', ['--all', '--status']);
    expect(out).toContain(
      `thrown    by operator (switch of the user ${body.user_id}): A drill of one user.\n`,
    );
    expect(out).toContain('re-armed  by operator: A drill.\n');
    const own = await run('kill-switch', ['--user', email, '--status']);
    expect(own.out).toContain('thrown    by operator: A drill of one user.\n');
  });

  test('shows and throws a switch of which records are damaged, and names them', async () => {
    await furnish(hub);
    const { store } = hub.runtime;
    const email = 'damaged@example.com';
    const user_id = String((await signUp(hub, { email })).body.user_id);
    const subject = { level: 'user', user_id } as const;
    const thrown = { subject, actor: { by: 'operator' }, flatten: false } as const;
    await throwSwitch(hub.runtime, { ...thrown, reason: 'The first one.' });
    const id = await throwSwitch(hub.runtime, { ...thrown, reason: 'The second one.' });
    const list = auditList(user_id);
    await store.put({ ...entryKey(list, 0), entity: 'audit_entry', action: 'kill_switch_thrown' });
    const [head] = await store.getMany([headKey(list)]);
    await store.put({ ...headKey(list), entity: 'list', head: { next: 2 } });
    await store.put({ ...keys.halt(id), entity: 'halt', throw_id: id });
    await store.put({ ...keys.user(user_id), entity: 'user', user_id });

    const shown = await run('kill-switch', ['--user', email, '--status']);
    expect(shown.code).toBe(1);
    expect(shown.out).toMatch(
      /^The kill switch of damaged@example\.com is thrown\.\n {2}by operator since 2026-\S+: The second one\.\n2026-\S+ {2}thrown {4}by operator: The second one\.\n$/,
    );
    expect(shown.err.trim().split('\n')).toEqual([
      expect.stringMatching(/^The user cannot be read: see its /),
      expect.stringMatching(
        new RegExp(`^HALT#${id}, its work of halting, cannot be read: see its subject, `),
      ),
      expect.stringMatching(/^the entry 000000000000 of a list cannot be read: at: field required; /),
    ]);

    const again = await run('kill-switch', ['--user', user_id, '--reason', 'The third one.', '--re-arm']);
    expect([again.code, again.out]).toEqual([1, '']);
    await store.put({ ...keys.userSwitch(user_id), entity: 'switch', holds: { user: { at: 7 } }, rev: 3 });
    await store.delete(keys.halt(id));
    const third = await runServed(['--user', user_id, '--reason', 'The third one.']);
    expect(third.code).toBe(0);
    expect(third.out).toMatch(/is thrown in /);
    expect(third.err.trim().split('\n')).toEqual([
      expect.stringMatching(/^The user cannot be read: see its /),
      expect.stringMatching(/^the kill switch of a user cannot be read, and is replaced: holds\.user\.at: /),
      expect.stringMatching(/^the head of the trail of a user cannot be read: gone: field required; /),
    ]);

    await store.put({ ...keys.userSwitch(user_id), entity: 'switch', rev: 1 });
    const hidden = await run('kill-switch', ['--user', user_id, '--status']);
    expect(hidden.code).toBe(1);
    expect(hidden.err).toContain(
      `The kill switch of ${user_id}, without which no order leaves, cannot be read: see its holds.`,
    );
    expect(hidden.out).toContain('thrown    by operator: The second one.');

    await store.put({ ...head, ...headKey(list) });
    const mended = await run('kill-switch', ['--user', user_id, '--reason', 'Mended.', '--re-arm']);
    expect(mended.err).toContain('the kill switch of a user cannot be read, and is replaced: holds: ');
    expect(mended.out).toMatch(
      /is re-armed\.\n.*is not thrown\.\n\S+ {2}re-armed {2}by operator: Mended\.\n/,
    );
  });

  test('refuses data that do not exist, as those of a service in memory', async () => {
    const nowhere = join(dataDir, 'nothing');
    const { code, err } = await run('kill-switch', all, { HUB_DATA_DIR: nowhere });
    expect(code).toBe(1);
    expect(err).toContain(`There are no data in ${nowhere}.`);
  });

  test.each([[['--reason', 'x']], [[...all, '--re-arm', '--flatten']]])('refuses %j', async (args) => {
    const { code, err } = await run('kill-switch', args);
    expect(code).toBe(1);
    expect(err).toContain('npm run kill-switch');
  });
});
