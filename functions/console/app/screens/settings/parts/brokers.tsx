import { ExecutionAccounts } from '../execution-accounts.tsx';
import { LinkedBrokers } from '../linked-brokers.tsx';

/** Accounts for real money. */
export const Brokers = () => (
  <>
    <ExecutionAccounts />
    <LinkedBrokers />
  </>
);
