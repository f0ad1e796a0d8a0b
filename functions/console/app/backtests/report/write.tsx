import { render } from 'preact';
import { titleOf } from '../title.ts';
import { Report, type Reported } from './report.tsx';
import { STYLE } from './style.ts';

/** Policy of the report: no script, no address, no other file. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/**
 * Writes the report of a backtest as a page of its own. The browser writes the markup of elements that are in no document,
 * so texts are escaped.
 */
export const reportHtml = (reported: Reported): string => {
  const root = document.createElement('html');
  root.lang = 'en';
  render(
    <>
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={POLICY} />
        <meta name="viewport" content="width=device-width" />
        <title>{titleOf(reported.backtest)}</title>
        <style>{STYLE}</style>
      </head>
      <body>
        <Report {...reported} />
      </body>
    </>,
    root,
  );
  const markup = root.outerHTML;
  render(null, root);
  return `<!doctype html>\n${markup}\n`;
};
