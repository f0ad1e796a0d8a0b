import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  canMove,
  canMovePhase,
  DEPLOYMENT_STATUSES,
  type DeploymentState,
  isFinalDeploymentStatus,
  moveDeployment,
  reportDeployment,
  requestedDeployment,
  STOP_REASONS,
} from '../../../shared/domain/deployments/deployment-states.ts';
import {
  FINAL_ORDER_STATUSES,
  isFinalOrderStatus,
  ORDER_STATUSES,
  type OrderStatus,
  type Prevailing,
  prevailingStatus,
} from '../../../shared/domain/orders/order-states.ts';

describe('an order status', () => {
  const reports = fc.uniqueArray(
    fc.record({ status: fc.constantFrom(...ORDER_STATUSES), sequence: fc.nat(20) }),
    { minLength: 1, selector: ({ sequence }) => sequence },
  );

  type Reported = { status: OrderStatus; sequence: number };
  const fold = (list: readonly Reported[], hasFills: boolean): Reported | undefined => {
    let known: Prevailing<Reported> | undefined;
    for (const report of list) {
      const before = known ? [known.shown, ...(known.hidden ? [known.hidden] : [])] : [];
      known = prevailingStatus([report, ...before], { hasFills });
    }
    return known?.shown;
  };

  test('is the same for every order of arrival: a full fill, else the first end, else the latest', () => {
    fc.assert(
      fc.property(
        reports.chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
        ),
        ([list, shuffled]) => {
          const inOrder = list.toSorted((left, right) => left.sequence - right.sequence);
          const filled = inOrder.find(({ status }) => status === 'filled');
          const ended = inOrder.find(({ status }) => status !== 'filled' && isFinalOrderStatus(status));
          const open = inOrder.at(-1);
          expect(fold([...shuffled, ...list], true)).toEqual(filled ?? ended ?? open);
          // After a full fill was taken back, the other end shows.
          expect(fold([...shuffled, ...list], false)).toEqual(ended ?? filled ?? open);
        },
      ),
    );
  });

  test.each(FINAL_ORDER_STATUSES)('%s is final', (status) => {
    expect(isFinalOrderStatus(status)).toBe(true);
  });
});

const at = (status_at: number, status: DeploymentState['status']): DeploymentState => ({
  status,
  status_at,
  stop_reason: status === 'stopped' ? 'user' : null,
});

describe('a deployment', () => {
  test('moves as the table allows', () => {
    const moves = DEPLOYMENT_STATUSES.map((from) => [
      from,
      DEPLOYMENT_STATUSES.filter((to) => canMove(from, to)),
    ]);
    expect(Object.fromEntries(moves)).toEqual({
      requested: ['active', 'halted', 'stopped', 'expired', 'error'],
      active: ['paused', 'halted', 'stopped', 'expired', 'error'],
      paused: ['active', 'halted', 'stopped', 'expired', 'error'],
      halted: ['requested', 'active', 'stopped', 'expired', 'error'],
      error: ['active', 'halted', 'stopped', 'expired'],
      stopped: [],
      expired: [],
    });
    expect(moveDeployment(at(0, 'active'), at(1, 'stopped'))).toEqual(at(1, 'stopped'));
    expect(moveDeployment(at(0, 'stopped'), at(1, 'active'))).toBeUndefined();
    expect([canMovePhase('waiting', 'entered'), canMovePhase('waiting', 'exited')]).toEqual([true, false]);
  });

  test('is the same for every order of reports', () => {
    const states = fc.record({
      status: fc.constantFrom('active' as const, 'error' as const, 'stopped' as const, 'expired' as const),
      status_at: fc.nat(5),
      stop_reason: fc.constantFrom(null, ...STOP_REASONS),
    });
    fc.assert(
      fc.property(
        fc
          .array(states)
          .chain((list) =>
            fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
          ),
        ([list, shuffled]) => {
          const expected = list.reduce(reportDeployment, requestedDeployment(3));
          expect([...shuffled, ...list].reduce(reportDeployment, requestedDeployment(3))).toEqual(expected);
          const ends = list.filter(({ status }) => isFinalDeploymentStatus(status));
          const first = Math.min(...ends.map(({ status_at }) => status_at));
          if (ends.length > 0) expect(expected.status_at).toBe(first);
        },
      ),
    );
  });
});
