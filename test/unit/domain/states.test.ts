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
} from '../../../shared/domain/deployment-states.ts';
import {
  FINAL_ORDER_STATUSES,
  isFinalOrderStatus,
  ORDER_STATUSES,
  prevailingStatus,
} from '../../../shared/domain/order-states.ts';

describe('an order status', () => {
  const reports = fc.uniqueArray(
    fc.record({ status: fc.constantFrom(...ORDER_STATUSES), sequence: fc.nat(20) }),
    { minLength: 1, selector: ({ sequence }) => sequence },
  );

  test('is the same for every order of arrival, and final ones stay', () => {
    fc.assert(
      fc.property(
        reports.chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
        ),
        ([list, shuffled]) => {
          const inOrder = list.toSorted((left, right) => left.sequence - right.sequence);
          const told = inOrder.reduce(prevailingStatus);
          expect([...shuffled, ...list].reduce(prevailingStatus)).toEqual(told);
          expect(told).toEqual(inOrder.find(({ status }) => isFinalOrderStatus(status)) ?? inOrder.at(-1));
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
      halted: ['active', 'stopped', 'expired', 'error'],
      error: ['active', 'halted', 'stopped', 'expired'],
      stopped: [],
      expired: [],
    });
    expect(moveDeployment(at(0, 'active'), at(1, 'stopped'))).toEqual(at(1, 'stopped'));
    expect(moveDeployment(at(0, 'stopped'), at(1, 'active'))).toBeUndefined();
    expect([canMovePhase('waiting', 'entered'), canMovePhase('waiting', 'exited')]).toEqual([true, false]);
  });

  test('is the same for every order in which engines report', () => {
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
          const told = list.reduce(reportDeployment, requestedDeployment(3));
          expect([...shuffled, ...list].reduce(reportDeployment, requestedDeployment(3))).toEqual(told);
          const ends = list.filter(({ status }) => isFinalDeploymentStatus(status));
          const first = Math.min(...ends.map(({ status_at }) => status_at));
          if (ends.length > 0) expect(told.status_at).toBe(first);
        },
      ),
    );
  });
});
