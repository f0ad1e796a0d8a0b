/**
 * Stored forms of a trading deployment. All are read, in any mixture; the setting HUB_DEPLOYMENT_FORM tells which one is
 * written.
 * - `attributes`: an attribute for each field.
 * - `packed`: `facts` holds the fields that few events change, `progress` those that most do. An update reads and writes
 *   every attribute of an item, so the fewer there are, the less an event costs.
 * - `compact`: `packed`, and its records, orders, trades, summaries and entries of lists are compressed with dictionaries,
 *   which takes half the bytes. Trades and entries of lists are one attribute each.
 * - `listed`: `compact`, but ledgers, progress, orders, trades and summaries are lists of values in a fixed order. Only a
 *   long one is compressed.
 */
export const DEPLOYMENT_FORMS = ['listed', 'compact', 'packed', 'attributes'] as const;
export type DeploymentForm = (typeof DEPLOYMENT_FORMS)[number];

let written: DeploymentForm = 'listed';

/** Returns the form that this process writes. */
export const writtenForm = (): DeploymentForm => written;

/** Sets the form that this process writes: a function has one version and one environment. */
export const writeForm = (form: DeploymentForm): void => {
  written = form;
};

/** Tells whether records of a form are compressed with dictionaries. */
export const isCompact = (form: DeploymentForm): boolean => form === 'compact' || form === 'listed';

/** Tells whether this process compresses with dictionaries. */
export const hasDictionaries = (): boolean => isCompact(written);

/** Tells whether this process lists the values of records without their names. */
export const listsValues = (): boolean => written === 'listed';
