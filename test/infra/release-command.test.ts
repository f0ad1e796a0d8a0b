import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FUNCTIONS } from '../../functions/manifest.ts';
import { release, rollBack } from '../../infra/release/release.ts';
import { startAwsReleases } from '../support/aws-releases.ts';

let aws: Awaited<ReturnType<typeof startAwsReleases>>;
beforeEach(async () => {
  aws = await startAwsReleases();
});
afterEach(() => aws.close());

const NAMES = ['users', 'account', 'relay', 'orders', 'engine', 'jobs'];
const versionsAt = (version: string) => Object.fromEntries(NAMES.map((name) => [name, version]));
const works = async (): Promise<boolean> => true;

/** A check that gives these outcomes in turn. */
const outcomes = (...given: readonly boolean[]) => {
  const left = [...given];
  return async (): Promise<boolean> => {
    const next = left.shift();
    if (next === undefined) throw new Error('the service is checked too often');
    return next;
  };
};

const releaseOf = (version: string, check = works, commit = `commit-${version}`) =>
  release(aws.stage, {
    commit,
    check,
    deploy: async () => {
      aws.deployed(version);
      return true;
    },
  });

describe('a release', () => {
  test('records the versions before it, and is live if the service works', async () => {
    expect(await releaseOf('1')).toBe(true);
    expect(await releaseOf('2')).toBe(true);
    expect(aws.live()).toEqual(versionsAt('2'));
    expect(await aws.stage.parameters.read()).toEqual({
      state: 'released',
      at: '2026-03-02T10:00:00.000Z',
      commit: 'commit-2',
      previous: 'commit-1',
      versions: versionsAt('1'),
    });
    expect(aws.moves).toEqual([]);
  });

  test('goes back, producers first, if the service does not work with it, and checks the service again', async () => {
    await releaseOf('1');
    expect(await releaseOf('2', outcomes(false, true))).toBe(false);
    expect(aws.live()).toEqual(versionsAt('1'));
    expect(new Set(aws.moves.slice(0, 2))).toEqual(new Set(['users', 'account']));
    expect(aws.moves.slice(2)).toEqual(['jobs', 'engine', 'relay', 'orders']);
    expect(aws.lines).toEqual(
      expect.arrayContaining([
        'The service does not work with the release.',
        'users: version 2 → 1',
        '6 of 6 functions are back at their versions before the release of commit commit-2.',
        'The service works with the versions before the release.',
      ]),
    );
    expect(aws.lines.join('\n')).toContain('Deploy commit commit-1 or a mended one with npm run deploy');
  });

  test('says so if the service does not work with the versions before it either', async () => {
    await releaseOf('1');
    expect(await releaseOf('2', outcomes(false, false))).toBe(false);
    expect(aws.live()).toEqual(versionsAt('1'));
    expect(aws.lines.at(-1)).toMatch(/does not work with the versions before the release either/);
  });

  test('takes stacks back that were deployed before another one failed', async () => {
    await releaseOf('1');
    const isLive = await release(aws.stage, {
      commit: undefined,
      check: outcomes(true),
      deploy: async () => {
        aws.deployed('2', ['orders', 'relay', 'engine', 'jobs']);
        return false;
      },
    });
    expect(isLive).toBe(false);
    expect(aws.live()).toEqual(versionsAt('1'));
    expect(aws.moves).toEqual(['jobs', 'engine', 'relay', 'orders']);
  });

  test('leaves the first one as it is if the service does not work', async () => {
    expect(await releaseOf('1', outcomes(false))).toBe(false);
    expect(aws.live()).toEqual(versionsAt('1'));
    expect(aws.lines.at(-1)).toMatch(/no version before it/);
    await expect(rollBack(aws.stage)).rejects.toThrow(/was the first one/);
    // The next one can go back to it.
    await releaseOf('2', outcomes(false, true));
    expect(aws.live()).toEqual(versionsAt('1'));
  });

  test('keeps the versions of before an interrupted one', async () => {
    await releaseOf('1');
    const crashing = release(aws.stage, {
      commit: 'crashed',
      check: works,
      deploy: async () => {
        aws.deployed('2', ['orders']);
        throw new Error('the machine went down');
      },
    });
    await expect(crashing).rejects.toThrow('the machine went down');
    await releaseOf('3', outcomes(false, true));
    expect(aws.live()).toEqual(versionsAt('1'));
    expect(aws.lines.join('\n')).toContain('commit-1');
  });

  test('begins only when no traffic shifts', async () => {
    await releaseOf('1');
    const users = aws.aliases.get('users');
    if (!users) throw new Error('there is no alias');
    users.weights = { 2: 0.1 };
    await expect(releaseOf('2')).rejects.toThrow(/shifts to a new version of users: .* cancel-update-stack/);
    expect(aws.live()).toEqual(versionsAt('1'));
  });

  test('after a roll-back names the moved functions, and moves those whose code did not change', async () => {
    await releaseOf('1');
    await releaseOf('2', outcomes(false, true));
    aws.moves.length = 0;
    let moved: readonly string[] = [];
    const isLive = await release(aws.stage, {
      commit: 'mended',
      check: works,
      deploy: async (names) => {
        moved = names;
        // The code of the others is that of version 2, so CloudFormation sees no change of their aliases.
        aws.deployed('3', ['users']);
        return true;
      },
    });
    expect(isLive).toBe(true);
    expect([...moved].sort()).toEqual([...NAMES].sort());
    expect(aws.moves).toEqual(['orders', 'relay', 'engine', 'jobs', 'account']);
    expect(aws.live()).toEqual({ ...versionsAt('2'), users: '3' });
  });
});

describe('a release after whose deployment Systems Manager cannot be reached', () => {
  /** Releases version 2 after version 1. The service has these states, and Systems Manager answers again at a check. */
  const releaseTwo = (states: readonly boolean[], { answersAtCheck }: { answersAtCheck: number }) => {
    const check = outcomes(...states);
    let checks = 0;
    return release(aws.stage, {
      commit: 'commit-2',
      deploy: async () => {
        aws.deployed('2');
        aws.setDown(true);
        return true;
      },
      check: async () => {
        checks += 1;
        if (checks >= answersAtCheck) aws.setDown(false);
        return check();
      },
    });
  };
  beforeEach(() => releaseOf('1'));

  test('checks the service all the same, and is live', async () => {
    expect(await releaseTwo([true], { answersAtCheck: 1 })).toBe(true);
    expect(aws.lines).toContainEqual(
      expect.stringMatching(
        /^The state of the release cannot be read \(InternalServerError: .*checked all the same/,
      ),
    );
    expect(await aws.stage.parameters.read()).toMatchObject({ state: 'released', commit: 'commit-2' });
  });

  test('checks the service all the same, and goes back if it does not work', async () => {
    expect(await releaseTwo([false, true], { answersAtCheck: 1 })).toBe(false);
    expect(aws.live()).toEqual(versionsAt('1'));
  });

  test('names the command to run if the service does not work and nothing can be moved', async () => {
    await expect(releaseTwo([false], { answersAtCheck: 2 })).rejects.toThrow(
      /^The service does not work with the release, and the roll-back did not end \(InternalServerError.* npm run roll-back -- --stage test, then npm run smoke -- --url/,
    );
    expect(aws.live()).toEqual(versionsAt('2'));
    aws.setDown(false);
    await rollBack({ ...aws.stage, takeOver: true });
    expect(aws.live()).toEqual(versionsAt('1'));
  });

  test('says that the service works if only the end cannot be recorded', async () => {
    await expect(releaseTwo([true], { answersAtCheck: 2 })).rejects.toThrow(
      /^The service works with .*npm run deploy -- --stage test/,
    );
    expect(aws.lines).toContainEqual(
      expect.stringMatching(/release-lock could not be removed .* --take-over/),
    );
  });

  test('checks again once it has moved functions that a roll-back had moved', async () => {
    await releaseOf('2', outcomes(false, true));
    const checks = outcomes(true, false, true);
    const isLive = await release(aws.stage, {
      commit: 'mended',
      deploy: async () => {
        aws.deployed('3', ['users']);
        aws.setDown(true);
        return true;
      },
      check: () => {
        aws.setDown(false);
        return checks();
      },
    });
    expect(isLive).toBe(false);
    expect(aws.live()).toEqual(versionsAt('1'));
  });
});

test('a release that cannot be checked names the commands that check it and take it back', async () => {
  await releaseOf('1');
  const unchecked = releaseOf('2', async () => {
    throw new Error('the address is unknown');
  });
  await expect(unchecked).rejects.toThrow(
    /^The release is deployed, but the service was not checked \(Error: the address is unknown\)\. Check it: npm run smoke -- --url ADDRESS\. If it does not work: npm run roll-back -- --stage test/,
  );
});

describe('a change of the distribution', () => {
  /** Sets what is deployed: the record, and the settings of functions. */
  const deployed = (state: string | undefined, functions: string) => {
    if (state !== undefined) aws.parameters.set('/strategy-hub/test/edge', [state]);
    for (const name of ['users', 'account']) aws.edges.set(name, functions);
  };
  const releaseWith = (edge: { leads: boolean; locked: boolean } | undefined) =>
    release(
      { ...aws.stage, edge },
      {
        commit: 'commit-2',
        check: works,
        deploy: async () => {
          aws.deployed('2');
          return true;
        },
      },
    );
  const refused = async (edge: { leads: boolean; locked: boolean } | undefined, text: RegExp) => {
    await expect(releaseWith(edge)).rejects.toThrow(text);
    expect(aws.live()).toEqual(versionsAt('1'));
    expect((await aws.stage.parameters.read())?.commit).toBe('commit-1');
  };
  beforeEach(() => releaseOf('1'));

  test('that deletes it is refused while the name leads there, with the steps to take', async () => {
    deployed('leads', 'open');
    await refused(undefined, /edge is unset.*Nothing was changed.*locked: false.*leads: false.*unset edge/);
  });

  test('that deletes it is refused if a version that recorded nothing has deployed it', async () => {
    deployed(undefined, 'open');
    await refused(undefined, /edge is unset.*Nothing was changed/);
  });

  test('that deletes it passes once the name has left', async () => {
    deployed('left', 'open');
    expect(await releaseWith(undefined)).toBe(true);
  });

  test.each(['leads', undefined])(
    'that unlocks it and lets the name leave at once is refused (record: %s)',
    async (state) => {
      deployed(state, 'open');
      aws.edges.set('account', 'locked');
      await refused(
        { leads: false, locked: false },
        /edge\.leads is false.*still refuse.*deploy with locked: false, then/,
      );
    },
  );

  test.each(['open', 'locked'])(
    'that lets the name leave passes in its turn (functions: %s)',
    async (functions) => {
      deployed(functions === 'open' ? 'leads' : 'left', functions);
      expect(await releaseWith({ leads: false, locked: false })).toBe(true);
    },
  );

  test.each([
    [undefined, 'off'],
    ['left', 'open'],
  ])('that locks it before the name leads there is refused (record: %s)', async (state, functions) => {
    deployed(state, functions);
    await refused({ leads: true, locked: true }, /edge\.locked is true.*deploy with locked: false, wait/);
  });

  test.each(['leads', undefined])(
    'that locks it passes once the name leads there (record: %s)',
    async (state) => {
      deployed(state, 'open');
      expect(await releaseWith({ leads: true, locked: true })).toBe(true);
    },
  );
});

describe('a roll-back', () => {
  test('refuses a stage that was not released', async () => {
    aws.deployed('1');
    await expect(rollBack(aws.stage)).rejects.toThrow(/Nothing is recorded for the stage test/);
  });

  test('that fails half-way leaves consumers alone, and is completed by another one', async () => {
    await releaseOf('1');
    await releaseOf('2');
    aws.fail('jobs', 'ServiceException', 500);
    await expect(rollBack(aws.stage)).rejects.toThrow(/1 functions were not moved.*npm run roll-back/);
    expect(aws.live()).toEqual({ ...versionsAt('2'), users: '1', account: '1' });
    expect(aws.lines.join('\n')).toContain('jobs: ServiceException');
    await rollBack(aws.stage);
    expect(aws.live()).toEqual(versionsAt('1'));
    await rollBack(aws.stage);
    expect(aws.lines.at(-1)).toBe('All 6 functions have their versions from before the release.');
  });

  test('moves the others of a wave if one of them fails', async () => {
    await releaseOf('1');
    await releaseOf('2');
    aws.fail('users', 'TooManyRequestsException', 429);
    await expect(rollBack(aws.stage)).rejects.toThrow(/1 functions were not moved/);
    expect(aws.live()).toEqual({ ...versionsAt('2'), account: '1' });
  });

  test('reads an alias again that another one changed meanwhile', async () => {
    await releaseOf('1');
    await releaseOf('2');
    aws.fail('users', 'PreconditionFailedException', 412);
    await rollBack(aws.stage);
    expect(aws.live()).toEqual(versionsAt('1'));
  });

  test('leaves out functions that the release removed, says so, and ends', async () => {
    await releaseOf('1');
    const isLive = await release(aws.stage, {
      commit: 'without-jobs',
      check: outcomes(false, true),
      deploy: async () => {
        aws.deployed('2');
        aws.aliases.delete('jobs');
        return true;
      },
    });
    expect(isLive).toBe(false);
    const { jobs: _, ...others } = versionsAt('1');
    expect(aws.live()).toEqual(others);
    expect(aws.lines).toEqual(
      expect.arrayContaining([
        'Does not exist any more: jobs. Only a deployment brings it back.',
        '5 of 5 functions are back at their versions before the release of commit without-jobs.',
        'The service works with the versions before the release.',
      ]),
    );
    expect((await aws.stage.parameters.read())?.state).toBe('rolled_back');
  });

  test('does not fight a shift that CodeDeploy makes', async () => {
    await releaseOf('1');
    await releaseOf('2');
    const orders = aws.aliases.get('orders');
    if (!orders) throw new Error('there is no alias');
    orders.weights = { 3: 0.1 };
    await expect(rollBack(aws.stage)).rejects.toThrow(/shifts to a new version of orders/);
    expect(aws.moves).toEqual([]);
  });
});

describe('the lock of a stage', () => {
  const LOCK = '/strategy-hub/test/release-lock';
  /** Begins a release and kills it. */
  const killed = () =>
    aws.stage.lock.take('deploy', { now: aws.stage.now(), takeOver: false, print: aws.stage.print });
  const stageAt = (time: string) => ({ ...aws.stage, now: () => new Date(time) });
  const given = (version: string) => ({
    commit: version,
    check: works,
    deploy: async () => {
      aws.deployed(version);
      return true;
    },
  });

  test('lets one release or roll-back run at a time, and is free afterwards', async () => {
    await releaseOf('1');
    const isLive = await release(aws.stage, {
      ...given('2'),
      deploy: async () => {
        await expect(releaseOf('3')).rejects.toThrow(
          /^Another release of the stage test runs: npm run deploy, begun at 2026-03-02T10:00:00\.000Z \(run [0-9a-f]{8}\)\. Nothing was changed\..* npm run deploy -- --stage test --take-over/,
        );
        await expect(rollBack(aws.stage)).rejects.toThrow(/npm run roll-back -- --stage test --take-over/);
        aws.deployed('2');
        return true;
      },
    });
    expect(isLive).toBe(true);
    expect(aws.live()).toEqual(versionsAt('2'));
    expect(aws.moves).toEqual([]);
    expect(aws.parameters.has(LOCK)).toBe(false);
  });

  test('is free after a release that failed', async () => {
    await releaseOf('1');
    const failing = release(aws.stage, {
      ...given('2'),
      deploy: async () => {
        throw new Error('no credentials');
      },
    });
    await expect(failing).rejects.toThrow('no credentials');
    expect(aws.parameters.has(LOCK)).toBe(false);
  });

  test('of a killed release is taken over when asked to, or after two hours', async () => {
    await releaseOf('1');
    await killed();
    await expect(releaseOf('2')).rejects.toThrow(/is free from 2026-03-02T12:00:00\.000Z on/);
    expect(await release({ ...aws.stage, takeOver: true }, given('2'))).toBe(true);
    expect(aws.lines).toContainEqual(expect.stringMatching(/^Taken over: npm run deploy, begun at 2026-/));
    expect(aws.parameters.has(LOCK)).toBe(false);
    await killed();
    await expect(rollBack(stageAt('2026-03-02T11:59:59Z'))).rejects.toThrow(/Another release/);
    await rollBack(stageAt('2026-03-02T12:00:00Z'));
    expect(aws.lines).toContainEqual(expect.stringMatching(/^Expired without an end: npm run deploy/));
    expect(aws.live()).toEqual(versionsAt('1'));
  });

  test('that was taken over keeps the former release from changing anything more', async () => {
    await releaseOf('1');
    const former = release(aws.stage, {
      ...given('2'),
      deploy: async () => {
        aws.deployed('2');
        await rollBack({ ...aws.stage, takeOver: true });
        aws.moves.length = 0;
        return false;
      },
    });
    await expect(former).rejects.toThrow(/has taken the stage test over.*changes nothing more/);
    expect(aws.moves).toEqual([]);
    expect((await aws.stage.parameters.read())?.state).toBe('rolled_back');
  });

  test('is taken over by one of two that try at the same time, and stays its own', async () => {
    await killed();
    const options = { now: aws.stage.now(), takeOver: true, print: aws.stage.print };
    const runs = await Promise.allSettled([
      aws.stage.lock.take('deploy', options),
      aws.stage.lock.take('roll-back', options),
    ]);
    const held = runs.flatMap((run) => (run.status === 'fulfilled' ? [run.value] : []));
    const refused = runs.flatMap((run) => (run.status === 'rejected' ? [String(run.reason)] : []));
    expect(held).toHaveLength(1);
    expect(refused).toEqual([expect.stringMatching(/took the stage test over at the same time/)]);
    await held[0]?.confirm();
    await held[0]?.free();
    expect(aws.parameters.has(LOCK)).toBe(false);
  });

  test('is held by the run that took it, though the answer was lost and the call repeated', async () => {
    aws.loseAnswer();
    expect(await releaseOf('1')).toBe(true);
    await killed();
    aws.loseAnswer();
    expect(await release({ ...aws.stage, takeOver: true }, given('2'))).toBe(true);
    expect(aws.parameters.has(LOCK)).toBe(false);
  });

  test('of a command that only a newer version has is respected, and taken over when asked to', async () => {
    await releaseOf('1');
    await releaseOf('2');
    await killed();
    const [lock = ''] = aws.parameters.get(LOCK) ?? [];
    aws.parameters.set(LOCK, [JSON.stringify({ ...JSON.parse(lock), command: 'move', more: true })]);
    await expect(rollBack(aws.stage)).rejects.toThrow(/Another release .* npm run move/);
    await rollBack({ ...aws.stage, takeOver: true });
    expect(aws.live()).toEqual(versionsAt('1'));
  });
});

test('the record of all functions fits into a parameter', () => {
  const versions = Object.fromEntries(FUNCTIONS.map(({ name }) => [name, '10000']));
  expect(JSON.stringify(versions).length).toBeLessThan(3500);
});
