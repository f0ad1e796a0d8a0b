const { default: Sequencer } = require('@jest/test-sequencer');

/** Test files that start programs or synthesize stacks: they take long, however short they are. */
const LONG = /\/test\/(e2e|infra|integration)\//;

/**
 * Begins with the files that take long, so that at the end no worker runs one while the others have nothing to do. Jest
 * knows how long a file took in the last run. In a first run it goes by size, which puts short files that take long
 * last.
 */
module.exports = class LongFilesFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isFirst = ({ path, duration }) => duration === undefined && LONG.test(path);
    return [...sorted.filter(isFirst), ...sorted.filter((one) => !isFirst(one))];
  }
};
