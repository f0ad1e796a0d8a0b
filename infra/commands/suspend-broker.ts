import { suspensionWrite } from '../../shared/data/brokers/broker-changes.ts';
import { runBrokerCommand } from './broker-command.ts';

runBrokerCommand({
  usage: `npm run suspend-broker -- SUBDOMAIN [--resume]

Keeps a white-label broker from acting with its secret, its access tokens or partner tokens, or lets it act again.
Its users go on signing in with their passwords; sessions that its tokens opened before go on.`,
  flag: 'resume',
  change: ({ subdomain }, undo) => suspensionWrite(subdomain, undo ? undefined : new Date()),
  done: ({ name }, undo) => `${name} ${undo ? 'can act again' : 'is suspended'}.`,
});
