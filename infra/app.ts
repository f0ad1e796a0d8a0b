import { BUNDLE_DIR } from './bundle/built.ts';
import { bundleFunctions } from './bundle/bundle.ts';
import { explain } from './commands/command-line.ts';
import { requireComplete } from './complete-stages.ts';
import { STAGES } from './config.ts';
import { createApp } from './hub.ts';
import { BadSettingError } from './settings-check.ts';

/** Returns the stage with a name, or all stages. @throws BadSettingError */
const chosenStages = (name: string | undefined) => {
  const chosen = STAGES.filter(({ stage }) => !name || stage === name);
  if (chosen.length === 0) throw new BadSettingError(`infra/config.ts has no stage ${name}.`);
  // Check before bundling, which takes seconds.
  requireComplete(chosen);
  return chosen;
};

try {
  const stages = chosenStages(process.env.HUB_SYNTH_STAGE);
  await bundleFunctions({ pruned: true });
  const moved = (process.env.HUB_SYNTH_MOVED ?? '').split(',').filter(Boolean);
  createApp({ bundleDir: BUNDLE_DIR, stages, moved }).app.synth();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
