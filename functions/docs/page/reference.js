// A classic script: the reference library is one and leaves its entry on the window.
window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  showExtensions: true,
  // The default would ask a service on another host.
  validatorUrl: null,
  // Requests are not remembered: they may hold passwords.
  persistAuthorization: false,
});
