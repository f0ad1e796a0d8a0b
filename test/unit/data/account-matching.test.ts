import { describe, expect, test } from '@jest/globals';
import { auditList, deploymentAuditList } from '../../../shared/data/audit/audit-trail.ts';
import { profileList } from '../../../shared/data/strategies/listings.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Account } from '../../../shared/data/user-data/account.ts';
import { type Holdings, relationTest } from '../../../shared/data/user-data/holdings.ts';
import { matcherOf } from '../../../shared/data/user-data/matching.ts';
import { partsFinder } from '../../../shared/data/user-data/sweep.ts';

interface Subject {
  readonly deletion_id: string;
  readonly rounds: number;
  readonly pseudonym: string;
  readonly account: Account;
  readonly holdings: Holdings;
}

const subject = (n: number, more: Partial<Account> = {}): Subject => ({
  deletion_id: `deletion-${n}`,
  rounds: 0,
  pseudonym: `deleted-${n}`,
  account: {
    user_id: `U${n}-k3vRtQxWnd`,
    user_key: `K${n}-Zp8sLmYbva`,
    email: `person${n}@example.com`,
    name: `Name ${n}`,
    ph_number: `+4917000${n}`,
    referral_code: `CODE${n}`,
    ...more,
  },
  holdings: { deployments: [1000 + n], strategies: [2000 + n], backtests: [3000 + n], sweeps: [4000 + n] },
});

const SUBJECTS = [
  ...Array.from({ length: 5 }, (_, n) => subject(n)),
  subject(5, { email: 'ä@ü.example' }),
  subject(6, { email: 'a@b' }),
  subject(7, { email: 'ödön.kovács-straße@exämple.com' }),
  subject(8, { email: 'ssk@kks.example' }),
  subject(9, { user_id: 'x1', user_key: 'ÄÖÜ' }),
];

/** Returns an item for each relation that a user can have, and items that nearly have one. */
const itemsFor = ({ account, holdings }: Subject): Item[] => {
  const { user_id, user_key, email, referral_code, ph_number } = account;
  const [deployment, strategy, backtest, sweep] = Object.values(holdings).flat();
  const at = (pk: string, more: Item = {}): Item => ({ pk, sk: 'ITEM', entity: 'item', ...more });
  const other = (more: Item): Item => at('OTHER#1', more);
  const texts = [user_id, user_key, email].flatMap((name) => [
    name,
    name.toUpperCase(),
    name.toLowerCase(),
    `before ${name} after`,
    `x${name}`,
    `${name}x`,
    name.slice(1),
    name.slice(0, -1),
    name.replaceAll('s', 'ſ').replaceAll('k', '\u212a'),
    `İ ß 中 ${name}`,
  ]);
  return [
    at(keys.user(user_id).pk),
    at(keys.credentials(email).pk),
    at(keys.referral(referral_code).pk),
    at(profileList(user_key).pk),
    at(auditList(user_id).pk),
    at(deploymentAuditList(deployment ?? 0).pk),
    at(`DEPLOYMENT#${deployment}`),
    at(`NEW_KIND#${deployment}`),
    at(`ORDER#${deployment}`),
    at(`STRATEGY#${strategy}`),
    at(`LIKES#${strategy}`),
    at(`BACKTEST#${backtest}`),
    at(`SWEEP#${sweep}`),
    at(`STRATEGY#${deployment}`),
    other({ user_id }),
    other({ owner: { user_id } }),
    other({ deployment_id: deployment }),
    other({ deployment_id: String(deployment) }),
    other({ deployment_id: deployment, entity: 'audit_entry' }),
    other({ entity: 'outbox_push', message: { to: ph_number } }),
    other({ entity: 'outbox', message: { to: `${ph_number}0` } }),
    other({ entity: 'outbox', message: { body: email } }),
    other({ message: { to: ph_number } }),
    other({ entity: 'broker', contact: email }),
    ...texts.flatMap((text) => [
      other({ text }),
      other({ list: [1, { [text]: true }] }),
      other({ set: new Set(['a', text]) }),
      at(`OTHER#${text}`),
      { pk: 'OTHER#1', sk: text },
    ]),
    other({ bytes: Buffer.from(email), number: 5, none: null }),
  ];
};

describe('matching items with many users at once', () => {
  test('finds the same relations as a test for each user', () => {
    const match = matcherOf(SUBJECTS);
    const tests = SUBJECTS.map((one) => [one, relationTest(one.account, one.holdings)] as const);
    let related = 0;
    for (const item of SUBJECTS.flatMap(itemsFor)) {
      const expected = tests.flatMap(([{ deletion_id }, relationOf]) => {
        const relation = relationOf(item);
        return relation === undefined ? [] : [`${deletion_id} ${relation}`];
      });
      related += expected.length;
      const found = match(item).map(([{ deletion_id }, relation]) => `${deletion_id} ${relation}`);
      expect([item, found.sort()]).toEqual([item, expected.sort()]);
    }
    expect(related).toBeGreaterThan(500);
  });

  test('replaces all users that an item of somebody else names, and fails together for them', () => {
    const [first, second, third] = SUBJECTS.slice(0, 3);
    if (!first || !second || !third) throw new Error('too few users');
    const item = {
      pk: 'OTHER#1',
      sk: 'ITEM',
      entity: 'item',
      note: `${first.account.email}, ${second.account.user_id}`,
    };
    const mixed = { ...item, sk: 'OWN', user_id: first.account.user_id };
    const parts = partsFinder([first, second, third])([item, mixed, { ...item, note: 'nobody' }], new Date());
    const rewritten = parts.map(({ rewrites }) => rewrites.map((one) => [one.item, one.replaced(one.item)]));
    expect(rewritten).toEqual([[[item, { ...item, note: 'deleted-0, deleted-1' }]]]);
    expect(parts.map(({ rewrites: _, ...others }) => others)).toEqual([
      {
        deletionIds: ['deletion-0', 'deletion-1'],
        recurring: new Set(['deletion-0', 'deletion-1']),
        moved: [],
        removed: [{ delete: { pk: 'OTHER#1', sk: 'OWN' } }],
        referred: [],
        claims: [],
      },
    ]);
  });
});
