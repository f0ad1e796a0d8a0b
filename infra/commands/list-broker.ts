import { listingWrite } from '../../shared/data/brokers/brokers.ts';
import { runBrokerCommand } from './broker-command.ts';

runBrokerCommand({
  usage: `npm run list-broker -- SUBDOMAIN [--remove]

Approves of a white-label broker that registered itself, or does so no longer: an approved one is offered on
everybody's sign-in page (/blloo), can link existing users, and signs in and reads its users for as long as they stay.`,
  flag: 'remove',
  change: ({ subdomain }, undo) => listingWrite(subdomain, !undo),
  done: ({ name }, undo) =>
    `${name} is ${undo ? 'no longer' : 'now'} approved, and offered on sign-in pages.`,
});
