import type { ComponentsPageFiles } from '../../bundle/components-page.ts';

/** File of a page of the local service. */
interface PageFile {
  readonly type: string;
  readonly content: () => Promise<string>;
}

/** Content policy of the page, as strict as that of the console. */
export const COMPONENTS_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

let built: Promise<ComponentsPageFiles> | undefined;

/** Bundles the page when it is first asked for: few starts of the service need it. */
const files = (): Promise<ComponentsPageFiles> => {
  built ??= import('../../bundle/components-page.ts').then(({ buildComponentsPage }) =>
    buildComponentsPage(),
  );
  return built;
};

/** Files that the page loads, by their names. */
export const COMPONENTS_FILES: ReadonlyMap<string, PageFile> = new Map([
  ['components.css', { type: 'text/css; charset=utf-8', content: async () => (await files()).style }],
  ['components.js', { type: 'text/javascript; charset=utf-8', content: async () => (await files()).script }],
]);

/** Page of the console's components in all their states. */
export const COMPONENTS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Components · Strategy Hub</title>
<link rel="stylesheet" href="components.css">
<script type="module" src="components.js"></script>
</head>
<body>
<div id="app"></div>
</body>
</html>
`;
