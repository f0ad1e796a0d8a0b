import { expect, test } from '@jest/globals';
import { stages } from '../complete.ts';
import { type Synthesized, templatesOf } from '../synthesized.ts';

/** Hashes of assets depend on the bundles, which this test leaves out. */
const normalised = (text: string, stage: string): string =>
  text
    .replaceAll(/\b[0-9a-f]{64}\b/g, '<hash>')
    // The id of a version holds a hash of all properties of its function.
    .replaceAll(/(CurrentVersion[0-9A-F]{8})[0-9a-f]{32}/g, '$1<hash>')
    .replaceAll(`strategy-hub-${stage}`, 'strategy-hub-<stage>')
    .replaceAll(`StrategyHub/${stage}`, 'StrategyHub/<stage>');

/** Writes a property as lines, one for each member, so that a diff shows the changed member. */
const propertyLines = (name: string, value: unknown): string[] => {
  if (Array.isArray(value)) return value.map((one) => `${name}[]: ${JSON.stringify(one)}`);
  if (typeof value !== 'object' || value === null) return [`${name}: ${JSON.stringify(value)}`];
  return Object.entries(value).map(([member, one]) => `${name}.${member}: ${JSON.stringify(one)}`);
};

/** Returns the resources, property by property. */
const linesOf = (stage: Synthesized): string[] =>
  templatesOf(stage).flatMap((template) => {
    const resources: Record<string, Readonly<Record<string, unknown>>> = template.toJSON().Resources;
    return Object.entries(resources).flatMap(([id, { Type, Properties, Metadata: _, ...rest }]) =>
      Object.entries({ Type, ...rest, ...(typeof Properties === 'object' ? Properties : {}) })
        .filter(([name]) => name !== 'Tags')
        .flatMap(([name, value]) => propertyLines(name, value))
        .map((line) => normalised(`${id} ${line}`, stage.name)),
    );
  });

const [first, ...others] = stages;
if (!first) throw new Error('there is no stage');
const common = linesOf(first);

test('the templates equal those that were last reviewed', () => {
  expect(common.sort()).toMatchSnapshot(first.name);
});

test.each(others)('$name differs from the first stage as it last did', (stage) => {
  const known = new Set(common);
  expect(
    linesOf(stage)
      .filter((line) => !known.has(line))
      .sort(),
  ).toMatchSnapshot(stage.name);
});
