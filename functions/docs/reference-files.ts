/** Files that the API reference page loads, with their media types. No other file is served. */
export const REFERENCE_FILES: ReadonlyMap<string, string> = new Map([
  ['reference.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui-bundle.js.LICENSE.txt', 'text/plain; charset=utf-8'],
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['reference.css', 'text/css; charset=utf-8'],
  ['icon.svg', 'image/svg+xml'],
]);
