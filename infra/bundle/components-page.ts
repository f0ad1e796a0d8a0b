import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';
import { BROWSER_OPTIONS } from './browser-options.ts';

const APP = fileURLToPath(new URL('../../functions/console/app/', import.meta.url));

/** Script and style sheet of the page of the console's components. */
export interface ComponentsPageFiles {
  readonly script: string;
  readonly style: string;
}

/** Bundles the page of the console's components, which is in no deployment. */
export const buildComponentsPage = async (): Promise<ComponentsPageFiles> => {
  const { outputFiles } = await build({
    ...BROWSER_OPTIONS,
    entryPoints: [
      { in: join(APP, 'components-page', 'main.tsx'), out: 'components' },
      { in: join(APP, 'styles', 'console.css'), out: 'console' },
      { in: join(APP, 'components-page', 'components-page.css'), out: 'page' },
    ],
    outdir: join(APP, 'components-page'),
  });
  // The local service needs the compiler no more.
  await stop();
  const textOf = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  return { script: textOf('components.js'), style: `${textOf('console.css')}\n${textOf('page.css')}` };
};
