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
const at = (version: string) => Object.fromEntries(NAMES.map((name) => [name, version]));
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

/** Releases a version. */
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
    expect(aws.live()).toEqual(at('2'));
    expect(await aws.stage.parameters.read()).toEqual({
      state: 'released',
      at: '2026-03-02T10:00:00.000Z',
      commit: 'commit-2',
      previous: 'commit-1',
      versions: at('1'),
    });
    expect(aws.moves).toEqual([]);
  });

  test('goes back, producers first, if the service does not work with it, and checks the service again', async () => {
    await releaseOf('1');
    expect(await releaseOf('2', outcomes(false, true))).toBe(false);
    expect(aws.live()).toEqual(at('1'));
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
    expect(aws.live()).toEqual(at('1'));
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
    expect(aws.live()).toEqual(at('1'));
    expect(aws.moves).toEqual(['jobs', 'engine', 'relay', 'orders']);
  });

  test('leaves the first one as it is if the service does not work', async () => {
    expect(await releaseOf('1', outcomes(false))).toBe(false);
    expect(aws.live()).toEqual(at('1'));
    expect(aws.lines.at(-1)).toMatch(/no version before it/);
    await expect(rollBack(aws.stage)).rejects.toThrow(/was the first one/);
    // The next one can go back to it.
    await releaseOf('2', outcomes(false, true));
    expect(aws.live()).toEqual(at('1'));
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
    expect(aws.live()).toEqual(at('1'));
    expect(aws.lines.join('\n')).toContain('commit-1');
  });

  test('begins only when no traffic shifts', async () => {
    await releaseOf('1');
    const users = aws.aliases.get('users');
    if (!users) throw new Error('there is no alias');
    users.weights = { 2: 0.1 };
    await expect(releaseOf('2')).rejects.toThrow(/shifts to a new version of users: .* cancel-update-stack/);
    expect(aws.live()).toEqual(at('1'));
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
    expect(aws.live()).toEqual({ ...at('2'), users: '3' });
  });
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
    expect(aws.live()).toEqual({ ...at('2'), users: '1', account: '1' });
    expect(aws.lines.join('\n')).toContain('jobs: ServiceException');
    await rollBack(aws.stage);
    expect(aws.live()).toEqual(at('1'));
    await rollBack(aws.stage);
    expect(aws.lines.at(-1)).toBe('All 6 functions have their versions from before the release.');
  });

  test('moves the others of a wave if one of them fails', async () => {
    await releaseOf('1');
    await releaseOf('2');
    aws.fail('users', 'TooManyRequestsException', 429);
    await expect(rollBack(aws.stage)).rejects.toThrow(/1 functions were not moved/);
    expect(aws.live()).toEqual({ ...at('2'), account: '1' });
  });

  test('reads an alias again that another one changed meanwhile', async () => {
    await releaseOf('1');
    await releaseOf('2');
    aws.fail('users', 'PreconditionFailedException', 412);
    await rollBack(aws.stage);
    expect(aws.live()).toEqual(at('1'));
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
    const { jobs: _, ...others } = at('1');
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

test('the record of all functions fits into a parameter', () => {
  const versions = Object.fromEntries(FUNCTIONS.map(({ name }) => [name, '10000']));
  expect(JSON.stringify(versions).length).toBeLessThan(3500);
});
