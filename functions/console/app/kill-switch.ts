import { signal } from '@preact/signals';

/** Number of throws and re-arms in this page. No change event tells of the own re-arming. */
export const killSwitchChanges = signal(0);
