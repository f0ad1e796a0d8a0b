import { suspensionWrite } from '../../shared/data/brokers/broker-changes.ts';
import { runBrokerCommand } from './broker-command.ts';

runBrokerCommand({
  usage: `npm run suspend-broker -- SUBDOMAIN [--resume]

Blocks the secret, the access tokens and the partner tokens of a white-label broker, or unblocks them with --resume.
Its users can still sign in with their passwords. Existing sessions that its tokens opened stay valid.`,
  flag: 'resume',
  change: ({ subdomain }, undo) => suspensionWrite(subdomain, undo ? undefined : new Date()),
  done: ({ name }, undo) => `${name} ${undo ? 'can act again' : 'is suspended'}.`,
});
