import { listingRemoval, listingWrite } from '../../shared/data/brokers/brokers.ts';
import { runBrokerCommand } from './broker-command.ts';

runBrokerCommand({
  usage: `npm run list-broker -- SUBDOMAIN [--remove]

Approves a white-label broker that registered itself, or withdraws the approval with --remove. An approved broker is
listed on the sign-in page of all users (/blloo), can link existing users, and can sign in and read its linked users.`,
  flag: 'remove',
  change: ({ subdomain }, undo) => (undo ? listingRemoval(subdomain) : listingWrite(subdomain)),
  done: ({ name }, undo) =>
    undo
      ? `${name} is no longer approved and not listed on sign-in pages.`
      : `${name} is now approved and listed on sign-in pages.`,
});
