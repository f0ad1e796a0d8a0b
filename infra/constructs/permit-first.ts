import type { CfnResource } from 'aws-cdk-lib';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import type { IConstruct } from 'constructs';

/** Returns the permissions to invoke a function that a construct holds. */
export const permissionsIn = (scope: IConstruct): CfnPermission[] =>
  scope.node.findAll().filter((one) => one instanceof CfnPermission);

/**
 * Creates a permission before the resource that invokes the function. The permission has to name that resource without
 * a reference to it. By default it refers to it, so a resource with a new target calls a function that it may not
 * invoke yet.
 */
export const permitFirst = (
  permission: CfnPermission | undefined,
  invoking: CfnResource | undefined,
  sourceArn?: string,
): void => {
  if (!permission || !invoking) throw new Error('a permission or the resource that invokes is missing');
  if (sourceArn !== undefined) permission.sourceArn = sourceArn;
  invoking.addResourceDependency(permission);
};
