/** An account cannot go on: its state does not fit its rules, or a report of its broker. No repeat mends it. */
export class AccountFaultError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AccountFaultError';
  }
}
