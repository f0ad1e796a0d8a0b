import { RELAYED_LANES } from '../../../shared/data/outbox/lanes.ts';
import { addressOf } from '../../roles/needs.ts';
import { type RoleNeeds, type RoleStatement, roleStatements } from '../../roles/statements.ts';
import { ACCOUNT } from '../account.ts';
import { LOCAL, queueName } from './environment.ts';

/** Returns the role that a function has on AWS, with the resources of this machine. */
export const localRole = (
  declared: RoleNeeds,
  { AWS_REGION: region = '', HUB_MAIL_FROM: sender = '' }: Readonly<Record<string, string>>,
): readonly RoleStatement[] => {
  const arn = (service: string, resource: string) => `arn:aws:${service}:${region}:${ACCOUNT}:${resource}`;
  return roleStatements(
    declared,
    { stage: LOCAL.stage, mailFrom: { address: addressOf(sender) } },
    {
      partition: 'aws',
      region,
      account: ACCOUNT,
      tableArn: arn('dynamodb', `table/${LOCAL.table}`),
      secretArn: arn('secretsmanager', `secret:${LOCAL.secretId}`),
      probeSecretArn: arn('secretsmanager', `secret:${LOCAL.probeSecretId}`),
      dataKeyArn: arn('kms', LOCAL.dataKeyId),
      queueArns: RELAYED_LANES.map((lane) => arn('sqs', queueName(lane))),
    },
  );
};
