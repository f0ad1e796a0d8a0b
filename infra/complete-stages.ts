import { BadSettingError } from './settings-check.ts';
import type { HubConfig } from './stage.ts';

/** Tells whether the address of a stage is known before its API exists. */
export const hasOwnAddress = ({ domain, publicUrl }: Pick<HubConfig, 'domain' | 'publicUrl'>): boolean =>
  domain !== undefined || publicUrl !== undefined;

/** Lists the settings that a production stage lacks. */
const missingIn = (config: HubConfig): string[] => {
  const { production, alarms, engines, mailFrom } = config;
  return production
    ? [
        ...(alarms.email === undefined ? ['alarms.email (recipient of alarms)'] : []),
        ...(engines.length === 0 ? ['engines (sources of accepted events)'] : []),
        // The quota of an account is not known here, and a wrong one would silence the alarm.
        ...(mailFrom.dailyQuota === undefined ? ['mailFrom.dailyQuota (mails a day that SES allows)'] : []),
        ...(hasOwnAddress(config)
          ? []
          : ['domain or publicUrl (an address that does not change with the API)']),
      ]
    : [];
};

/** Checks that production stages are complete. @throws BadSettingError with all missing settings. */
export const requireComplete = (stages: readonly HubConfig[]): void => {
  const problems = stages.flatMap((stage) => {
    const missing = missingIn(stage);
    return missing.length === 0
      ? []
      : [`infra/config.ts, stage ${stage.stage}: a production stage needs ${missing.join(', ')}.`];
  });
  if (problems.length > 0) throw new BadSettingError(problems.join('\n'));
};
