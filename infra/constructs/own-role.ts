import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  type PolicyStatement,
  Role,
  type RoleProps,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/** Role that holds its permissions itself. CDK puts them into a policy of its own, a second resource for each role. */
export class OwnRole extends Role {
  readonly #permissions: PolicyDocument;

  constructor(scope: Construct, id: string, props: Pick<RoleProps, 'assumedBy'>) {
    const permissions = new PolicyDocument();
    super(scope, id, { ...props, inlinePolicies: { Permissions: permissions } });
    this.#permissions = permissions;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.#permissions.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}
