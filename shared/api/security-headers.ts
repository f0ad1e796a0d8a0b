import httpSecurityHeaders from '@middy/http-security-headers';

/**
 * The security headers of every answer. What only concerns documents (policies of features, of
 * embedding, of reporting) is left to the few answers that are documents: on JSON it is dead weight.
 */
export const securityHeaders = () =>
  httpSecurityHeaders({
    contentSecurityPolicy: false,
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: false,
    downloadOptions: false,
    originAgentCluster: false,
    permissionsPolicy: false,
    permittedCrossDomainPolicies: false,
    reportingEndpoints: false,
    reportTo: false,
    dnsPrefetchControl: false,
  });
