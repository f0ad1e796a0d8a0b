import type { Operation } from './operation.ts';

/**
 * Returns the twin of a public document for HEAD, which caches and link checkers send. The gateway passes only methods
 * that have a route. The stack leaves out the body.
 */
export const headOf = (document: Operation): Operation => ({
  ...document,
  method: 'HEAD',
  name: `${document.name}_head`,
  routeKey: `HEAD ${document.path}`,
  operationId: document.operationId.replace(/_get$/, '_head'),
});

/** Adds the twins for HEAD to a list of public documents. */
export const withHead = (documents: readonly Operation[]): readonly Operation[] => [
  ...documents,
  ...documents.map(headOf),
];
