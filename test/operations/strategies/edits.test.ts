import { beforeEach, describe, expect, test } from '@jest/globals';
import { openHub } from '../../support/open-hub.ts';
import { rulesWith } from '../../support/rules.ts';
import {
  build,
  categoryCounts,
  copy,
  explore,
  furnishWithInstruments,
  like,
  list,
  person,
  profile,
  search,
  setRules,
  setState,
} from '../../support/strategies.ts';

const hub = await openHub((opened) => furnishWithInstruments(opened, ['AAPL', 'MSFT', 'EURUSD']));
beforeEach(() => {
  hub.advance(1000);
});

interface Own {
  readonly user_id: string;
  readonly strategy_id: number;
}

const update = ({ user_id, strategy_id }: Own, json: unknown) =>
  hub.call('POST /update_strategy', { query: { user_id, strategy_id: String(strategy_id) }, json });

const archive = ({ user_id, strategy_id }: Own, more: Record<string, string> = {}) =>
  hub.call('POST /archive_strategy', { query: { user_id, strategy_id: String(strategy_id), ...more } });

const strategyOf = async (making: Record<string, string> = {}) => {
  const { user_id, user_key } = await person(hub);
  const { body } = await build(hub, { user_id, ...making });
  return { user_key, ...body };
};

const owned = async (user_id: string, more: Record<string, string> = {}) =>
  (await hub.call('GET /get_strategies_by_user', { query: { user_id, page: '1', size: '50', ...more } }))
    .body;

const deploy = (keygen: string) =>
  hub.call('POST /deploy_notification_strategy', { query: { keygen }, form: {} });

describe('updating a strategy', () => {
  test('changes the given fields and raises the version, within three calls', async () => {
    const own = await strategyOf();
    hub.takeCalls();
    const { status, body } = await update(own, {
      strategy_name: '  Night Owl ',
      description: 'Trades at night.',
      symbols: ['msft', 'EURUSD', 'MSFT'],
      legs: [
        { symbol: 'eurusd', weight: 0.3 },
        { symbol: 'MSFT', weight: 0.7 },
      ],
      timeframe: '1h',
      direction: 'long',
      broker_id: 7,
    });
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      strategy_name: 'Night Owl',
      description: 'Trades at night.',
      symbol: 'MSFT,EURUSD',
      asset_class: 'multi',
      legs: [
        { symbol: 'EURUSD', weight: 0.3 },
        { symbol: 'MSFT', weight: 0.7 },
      ],
      timeframe: '1h',
      direction: 'long',
      broker_id: 7,
      version: 2,
    });
    expect((await owned(own.user_id)).items).toEqual([body]);
    expect((await owned(own.user_id, { broker_id: '7', search_key: 'eurusd' })).total).toBe(1);

    const cleared = await update(own, { description: null, broker_id: null, symbols: ['AAPL'] });
    expect(cleared.body).toMatchObject({
      description: null,
      broker_id: null,
      asset_class: 'equity',
      legs: [{ symbol: 'AAPL', weight: 1 }],
      version: 3,
    });
    expect((await owned(own.user_id, { broker_id: '7' })).total).toBe(0);
  });

  test('changes nothing with the values that it has', async () => {
    const own = await strategyOf();
    const { body } = await update(own, { timeframe: '1d', symbols: ['AAPL'], direction: 'both' });
    expect(body).toMatchObject({ version: 1, updated_at: own.created_at });
  });

  test('moves a listed strategy among cards, categories and search entries', async () => {
    const own = await strategyOf({ strategy_name: 'Quokka Drift' });
    await list(hub, own.user_id, own.strategy_id);
    const before = await categoryCounts(hub);
    await update(own, {
      strategy_name: 'Wombat Surge',
      symbols: ['EURUSD'],
      timeframe: '5m',
      direction: 'short',
    });
    const after = await categoryCounts(hub);
    for (const [slug, step] of [
      ['equity', -1],
      ['swing', -1],
      ['forex', 1],
      ['scalping', 1],
    ] as const) {
      expect({ slug, count: after[slug] }).toEqual({ slug, count: (before[slug] ?? 0) + step });
    }
    const card = { strategy_name: 'Wombat Surge', symbols: ['EURUSD'], timeframe: '5m', direction: 'short' };
    expect((await explore(hub, own.user_id)).body.items[0]).toMatchObject(card);
    expect((await profile(hub, own.user_key)).body.items[0]).toMatchObject(card);
    expect((await search(hub, 'wombat eurusd')).body).toHaveLength(1);
    expect((await search(hub, 'quokka')).body).toHaveLength(0);
  });

  test('refuses a name of another strategy, and frees the old name', async () => {
    const own = await strategyOf({ strategy_name: 'First' });
    await build(hub, { user_id: own.user_id, strategy_name: 'Second' });
    expect((await update(own, { strategy_name: 'second', timeframe: '1h' })).body.code).toBe('name_taken');
    expect((await owned(own.user_id)).items.at(-1)).toMatchObject({ timeframe: '1d', version: 1 });
    await update(own, { strategy_name: 'Third' });
    expect((await build(hub, { user_id: own.user_id, strategy_name: 'First' })).status).toBe(200);
  });

  test.each([
    [{}, 'value_error.missing', ['body']],
    [{ symbols: ['NOPE'] }, 'value_error.symbol', ['body', 'symbols']],
    [{ symbols: [''] }, 'value_error.symbol', ['body', 'symbols']],
    [{ legs: [{ symbol: 'MSFT', weight: 1 }] }, 'value_error.legs', ['body', 'legs']],
    [{ legs: [{ symbol: 'AAPL', weight: 0.9 }] }, 'value_error.legs', ['body', 'legs']],
    [{ legs: [{ symbol: 'AAPL', weight: '1' }] }, 'type_error.number', ['body', 'legs', 0, 'weight']],
  ])('refuses %j', async (json, type, loc) => {
    const own = await strategyOf();
    const { status, body } = await update(own, json);
    expect({ status, detail: body.detail }).toMatchObject({ status: 422, detail: [{ type, loc }] });
    expect((await owned(own.user_id)).items[0].version).toBe(1);
  });

  test('keeps rules valid: their operands must fit the timeframe, and they decide the direction', async () => {
    const own = await strategyOf({ timeframe: '1h' });
    const daily = { indicator: 'sma', length: 10, timeframe: '4h' };
    const rules = rulesWith({ left: daily, op: 'gt', right: { price: 'close' } });
    expect((await setRules(hub, own, rules)).status).toBe(200);
    expect((await update(own, { timeframe: '1d' })).body.detail[0]).toMatchObject({
      loc: ['body', 'timeframe'],
      type: 'value_error.timeframe',
    });
    expect((await update(own, { direction: 'short' })).body.detail[0]).toMatchObject({
      loc: ['body', 'direction'],
    });
    expect((await update(own, { strategy_name: 'With rules' })).status).toBe(200);
    expect((await update(own, { timeframe: '30m', direction: 'long' })).body).toMatchObject({
      timeframe: '30m',
      direction: 'long',
    });
  });

  test('keeps the symbols and timeframe of running deployments, and of copies', async () => {
    const own = await strategyOf();
    const { body: deployment } = await deploy(own.keygen);
    const other = await person(hub);
    await setState(hub, own.user_id, own.strategy_id, 2);
    const { body: copied } = await copy(hub, other.user_id, own.strategy_key);
    await update(own, { symbols: ['MSFT'], timeframe: '1h', strategy_name: 'Changed' });
    const { body } = await hub.call('GET /get_all_notification_deployments', {
      query: { user_id: own.user_id },
    });
    expect(body.items[0]).toMatchObject({
      deployment_id: deployment.deployment_id,
      symbol: 'AAPL',
      timeframe: '1d',
      strategy_name: own.strategy_name,
    });
    expect((await owned(other.user_id, { is_copied: '1' })).items).toEqual([copied]);
  });

  test('is for the owner only', async () => {
    const own = await strategyOf();
    const other = await person(hub);
    expect((await update({ ...own, user_id: other.user_id }, { timeframe: '1h' })).status).toBe(404);
    expect((await archive({ ...own, user_id: other.user_id })).status).toBe(404);
  });
});

describe('archiving a strategy', () => {
  test('withdraws it from every list and counts, and keeps copies and likes', async () => {
    const own = await strategyOf({ strategy_name: 'Numbat Fade' });
    const fan = await person(hub);
    await list(hub, own.user_id, own.strategy_id);
    await like(hub, fan.user_id, own.strategy_id);
    await copy(hub, fan.user_id, own.strategy_key);
    const before = await categoryCounts(hub);
    const total = (await explore(hub, fan.user_id)).body.total;
    hub.takeCalls();
    const { status, body } = await archive(own);
    expect(hub.takeCalls().length).toBeLessThanOrEqual(3);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'archived',
      publish_state: 0,
      is_listed: false,
      like_count: 1,
      copy_count: 1,
      version: 1,
    });
    expect((await explore(hub, fan.user_id)).body.total).toBe(total - 1);
    expect((await profile(hub, own.user_key)).body.total).toBe(0);
    expect((await search(hub, 'numbat')).body).toEqual([]);
    expect((await categoryCounts(hub)).equity).toBe((before.equity ?? 0) - 1);
    expect((await owned(fan.user_id, { is_copied: '1' })).items[0]).toMatchObject({ status: 'ready' });
    expect((await copy(hub, fan.user_id, own.strategy_key)).status).toBe(404);
    expect((await archive(own)).body).toEqual(body);
  });

  test('refuses to deploy or publish it until it is taken back; running deployments go on', async () => {
    const own = await strategyOf();
    await deploy(own.keygen);
    await archive(own);
    const refused = { status: 409, body: { code: 'strategy_archived' } };
    expect(await deploy(own.keygen)).toMatchObject(refused);
    expect(await list(hub, own.user_id, own.strategy_id)).toMatchObject(refused);
    expect(await setState(hub, own.user_id, own.strategy_id, 2)).toMatchObject(refused);
    expect(await setState(hub, own.user_id, own.strategy_id, 0)).toMatchObject({ status: 200 });
    const { body } = await hub.call('GET /get_all_notification_deployments', {
      query: { user_id: own.user_id },
    });
    expect(body.items[0].status).toBe('requested');
    expect((await archive(own, { archived: 'false' })).body).toMatchObject({
      status: 'ready',
      publish_state: 0,
      deployment_count: 0,
    });
    expect(await deploy(own.keygen)).toMatchObject({ status: 200 });
    expect(await list(hub, own.user_id, own.strategy_id)).toMatchObject({ status: 200 });
  });

  test('leaves a strategy as it is that is not archived, when it is taken back', async () => {
    const own = await strategyOf();
    await list(hub, own.user_id, own.strategy_id);
    expect((await archive(own, { archived: 'false' })).body).toMatchObject({
      status: 'ready',
      publish_state: 1,
      is_listed: true,
    });
  });

  test('is a filter of the own strategies', async () => {
    const own = await strategyOf();
    await build(hub, { user_id: own.user_id });
    await archive(own);
    expect((await owned(own.user_id)).total).toBe(2);
    expect((await owned(own.user_id, { status: 'ready' })).total).toBe(1);
    expect((await owned(own.user_id, { status: 'archived' })).items).toMatchObject([
      { strategy_id: own.strategy_id },
    ]);
  });

  test('lets no deployment begin that was decided before', async () => {
    const own = await strategyOf();
    const answers = await Promise.all([deploy(own.keygen), archive(own), deploy(own.keygen)]);
    expect(answers.map(({ status }) => status).every((status) => status === 200 || status === 409)).toBe(
      true,
    );
    const { body } = await archive(own);
    const deployed = answers.filter((answer, index) => index !== 1 && answer.status === 200).length;
    expect(body).toMatchObject({ status: 'archived' });
    const { body: made } = await hub.call('GET /get_all_notification_deployments', {
      query: { user_id: own.user_id },
    });
    expect(made.total).toBe(deployed);
  });
});
