/** Forbids imports from files of one pattern to files of another. */
const never = (name, from, to) => ({ name, severity: 'error', from: { path: from }, to: { path: to } });

/** Forbids folders that import each other in a circle. */
const noFolderCircles = (name, path) => ({
  name,
  severity: 'error',
  scope: 'folder',
  from: { path },
  to: { path, circular: true },
});

/**
 * Keeps the direction of imports (functions → lifecycle → data → domain), keeps the folders of functions apart and
 * refuses circles. Imports of types
 * count too.
 *
 * @type {import('dependency-cruiser').IConfiguration}
 */
module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    noFolderCircles('no-folder-circles-in-shared', '^shared/'),
    noFolderCircles('no-folder-circles-in-functions', '^functions/'),
    never('domain-is-pure', '^shared/domain/', '^(shared/(?!domain/)|functions/|infra/)'),
    never(
      'domain-without-aws-and-http',
      '^shared/domain/',
      '(^|/)(@aws-|@smithy|@middy|aws-lambda|https?$|net$)',
    ),
    never('data-below-api', '^shared/data/', '^shared/(api|auth|channels|lifecycle)/'),
    never('lifecycle-below-api', '^shared/lifecycle/', '^shared/(api|auth|channels)/'),
    never('channels-below-data', '^shared/channels/', '^shared/(api|auth|data|lifecycle)/'),
    never('auth-below-api', '^shared/auth/', '^shared/(api|lifecycle)/'),
    never(
      'lifecycle-below-deliveries',
      '^shared/lifecycle/',
      '^shared/(broker-orders|callers|deliveries|records)/',
    ),
    never('shared-below-functions', '^shared/', '^(functions|infra|test)/'),
    {
      name: 'no-siblings-in-functions',
      severity: 'error',
      from: { path: '^functions/([^/]+)/' },
      // Tools of assistants describe their fields in the words of the OpenAPI document.
      to: { path: '^functions/[^/]+/', pathNot: '^functions/($1|docs/descriptions)/' },
    },
    never('functions-below-infra', '^functions/(?!console/app/|jobs/canary/)', '^(infra|test)/'),
    // The canary runs the checks of a deployment, which use the client of the API.
    never('canary-uses-checks', '^functions/jobs/canary/', '^(infra/(?!smoke/)|test/)'),
    never('smoke-alone', '^infra/smoke/', '^(functions|shared|test|infra/(?!smoke/|client/package/src/))'),
    // The console runs in browsers: it uses the client of the API and code that is pure.
    never(
      'console-app-alone',
      '^functions/console/app/',
      '^(functions/(?!console/app/)|shared/(?!domain/)|infra/(?!client/package/src/)|test/)',
    ),
    never('nothing-uses-the-console-app', '^(?!functions/console/app/|test/)', '^functions/console/app/'),
    never('charts-are-late', '^functions/console/app/(?!charts/)', 'node_modules/lightweight-charts'),
    never('infra-without-tests', '^infra/', '^test/'),
  ],
  options: { parser: 'swc', doNotFollow: { path: 'node_modules' } },
};
