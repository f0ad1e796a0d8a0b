import { riskGrantWrite } from '../../shared/data/brokers/broker-changes.ts';
import { runBrokerCommand } from './broker-command.ts';

runBrokerCommand({
  usage: `npm run grant-risk -- SUBDOMAIN [--remove]

Lets a white-label broker request access tokens with the scope broker:risk, to throw kill switches over the deployments
at itself, or withdraws it with --remove. Existing tokens then throw no more switches.`,
  flag: 'remove',
  change: ({ subdomain }, undo) => riskGrantWrite(subdomain, undo ? undefined : new Date()),
  done: ({ name }, undo) => `${name} ${undo ? 'can no longer' : 'can now'} throw kill switches.`,
});
