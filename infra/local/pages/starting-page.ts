import { escapeHtml } from './escape-html.ts';

/** Content policy of the page: its style sheet, and nothing else. */
export const STARTING_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Name of the style sheet of the page. */
export const STARTING_STYLES = 'messages.css';

/** Seconds after which the page loads again. */
const RELOAD_S = 1;

/** A part of the start. */
export interface StartStep {
  readonly name: string;
  readonly seconds: number;
}

const row = ({ name, seconds }: StartStep, index: number, all: readonly StartStep[]): string => {
  const state = index === all.length - 1 ? '<strong>now</strong>' : 'done';
  return `<li>${escapeHtml(name)}: ${state}, ${seconds.toFixed(1)} s</li>`;
};

/** Builds the page that a browser shows until the service is ready. It loads again by itself. */
export const startingPage = (steps: readonly StartStep[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${RELOAD_S}">
<title>Strategy Hub is starting</title>
<link rel="stylesheet" href="/__local/${STARTING_STYLES}">
</head>
<body>
<header>
<h1>Strategy Hub is starting</h1>
<p>This page opens by itself when the service is ready. The first start takes longest: it loads the demo data.</p>
</header>
<main>
<progress aria-label="The service is starting"></progress>
<ol>
${steps.map(row).join('\n')}
</ol>
</main>
</body>
</html>
`;
