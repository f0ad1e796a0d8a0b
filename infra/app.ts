import { BUNDLE_DIR, bundleFunctions } from './bundle.ts';
import { createApp } from './hub.ts';

await bundleFunctions({ pruned: true });
createApp({ bundleDir: BUNDLE_DIR }).app.synth();
