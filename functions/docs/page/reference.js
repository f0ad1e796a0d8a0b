// A classic script: the reference library is one and leaves its entry on the window.

const { documentElement: root } = document;
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

/** Shows the colours that were chosen in the console, or those of the system. */
const applyTheme = () => {
  const theme = localStorage.getItem('hub.theme') ?? 'system';
  root.dataset.theme = theme;
  root.classList.toggle('dark-mode', theme === 'dark' || (theme === 'system' && systemIsDark.matches));
};

applyTheme();
systemIsDark.addEventListener('change', applyTheme);

/**
 * Opens the operation or group of a deep link. Replaces the library's own reader, which takes the underscores of
 * operation ids for escaped spaces and logs a deprecation error.
 */
const openDeepLink = (hash) => (system) => {
  const parts = hash.replace(/^#!?\/?/, '').split('/');
  const target = system.layoutSelectors.isShownKeyFromUrlHashArray(parts);
  if (target.length === 0) return;
  if (target[0] === 'operations') {
    system.layoutActions.show(system.layoutSelectors.isShownKeyFromUrlHashArray([target[1]]), true);
  }
  system.layoutActions.show(target, true);
  system.layoutActions.scrollTo(target);
  system.layoutActions.scrollToVirtualizedOperation(target);
};

window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  showExtensions: true,
  plugins: [{ statePlugins: { layout: { wrapActions: { parseDeepLinkHash: () => openDeepLink } } } }],
  // The default validates with a service on another host.
  validatorUrl: null,
  // Requests may hold passwords.
  persistAuthorization: false,
});
