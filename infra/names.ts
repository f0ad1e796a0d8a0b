import type { BusSubscription } from '../functions/declaration.ts';
import type { HubConfig } from './stage.ts';

/** Returns the name of the configuration set of a stage's mails. */
export const configurationSetName = ({ stage }: Pick<HubConfig, 'stage'>): string => `strategy-hub-${stage}`;

/** Returns the pattern of the events by which SES reports on the mails of a stage. */
export const mailEventPattern = (config: Pick<HubConfig, 'stage'>) => ({
  source: ['aws.ses'],
  detail: { mail: { tags: { 'ses:configuration-set': [configurationSetName(config)] } } },
});

/** Returns the name of the event bus of a stage. */
export const busName = ({ stage }: Pick<HubConfig, 'stage'>): string => `strategy-hub-${stage}`;

/** Returns the name of a function in a stage. */
export const functionName = ({ stage }: Pick<HubConfig, 'stage'>, name: string): string =>
  `strategy-hub-${stage}-${name}`;

/** Alias of each function that all its callers invoke. */
export const LIVE_ALIAS = 'live';

/** Stacks that have functions. */
export type ReleasedStack = 'api' | 'events';

/** Returns the name of the parameter with the versions of a stack's functions, as CloudFormation knows them. */
export const versionsParameter = ({ stage }: Pick<HubConfig, 'stage'>, stack: ReleasedStack): string =>
  `/strategy-hub/${stage}/versions/${stack}`;

/** Returns the name of the parameter with the versions before the latest release. */
export const releaseParameter = ({ stage }: Pick<HubConfig, 'stage'>): string =>
  `/strategy-hub/${stage}/release`;

/** Returns the name of the parameter that tells whether the name of the service leads to a distribution. */
export const edgeParameter = ({ stage }: Pick<HubConfig, 'stage'>): string => `/strategy-hub/${stage}/edge`;

/** Values of that parameter. */
export type EdgeState = 'leads' | 'left';

/** Returns the name of the parameter that one release or roll-back at a time creates. */
export const releaseLockParameter = ({ stage }: Pick<HubConfig, 'stage'>): string =>
  `/strategy-hub/${stage}/release-lock`;

/** Returns the name of the rule that delivers events of senders to a function. */
export const ruleName = (
  { stage }: Pick<HubConfig, 'stage'>,
  name: string,
  senders: BusSubscription['senders'],
): string => `strategy-hub-${stage}-${name}-${senders}`;

/** Outcomes of backup jobs that alarms watch: a copy in the other account, and a failure of a backup or a copy. */
export const BACKUP_OUTCOMES = ['copied', 'failed'] as const;

/** Returns the name of the rule of the default bus that counts an outcome of backup jobs. */
export const backupRuleName = (
  { stage }: Pick<HubConfig, 'stage'>,
  outcome: (typeof BACKUP_OUTCOMES)[number],
): string => `strategy-hub-${stage}-backup-${outcome}`;

/** Returns the name of the plan of backups that are copied to another account. */
export const backupPlanName = ({ stage }: Pick<HubConfig, 'stage'>): string => `strategy-hub-${stage}`;

/** Returns the name of the group of a stage's schedules. */
export const scheduleGroupName = ({ stage }: Pick<HubConfig, 'stage'>): string => `strategy-hub-${stage}`;
