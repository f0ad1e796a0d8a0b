import * as z from 'zod';
import { extensionRecord } from '../../../shared/api/fields.ts';
import { defineOperation } from '../../../shared/api/operation.ts';
import { ASSISTANT_SCOPES } from '../../../shared/domain/scopes.ts';
import { resourcesOf } from './resources.ts';

const CACHE = 'public, max-age=300';

const resourceOut = extensionRecord(
  'ProtectedResource',
  z.object({
    resource: z.string(),
    authorization_servers: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.string()),
    resource_name: z.string(),
    resource_documentation: z.string(),
  }),
);

const resourceAt = (publicUrl: string, resource: string): z.output<typeof resourceOut> => ({
  resource,
  authorization_servers: [publicUrl],
  scopes_supported: [...ASSISTANT_SCOPES],
  bearer_methods_supported: ['header'],
  resource_name: 'Strategy Hub',
  resource_documentation: `${publicUrl}/docs`,
});

export const protectedResource = defineOperation({
  method: 'GET',
  path: '/.well-known/oauth-protected-resource',
  name: 'protected_resource',
  summary: 'Tell who issues tokens for the service',
  description: 'Protected resource metadata (RFC 9728) of the whole service.',
  caller: 'anyone',
  extension: true,
  input: {},
  output: resourceOut,
  errors: [],
  table: 'none',
  cache: CACHE,
  handler: async (_input, { settings: { HUB_PUBLIC_URL: url } }) => resourceAt(url, resourcesOf(url)[0]),
});

export const protectedMcp = defineOperation({
  method: 'GET',
  path: '/.well-known/oauth-protected-resource/{resource}',
  name: 'protected_mcp',
  summary: 'Tell who issues tokens for the server of assistants',
  description: 'Protected resource metadata (RFC 9728) of `/mcp`.',
  caller: 'anyone',
  extension: true,
  input: { params: z.object({ resource: z.literal('mcp') }) },
  output: resourceOut,
  errors: [],
  table: 'none',
  cache: CACHE,
  handler: async (_input, { settings: { HUB_PUBLIC_URL: url } }) => resourceAt(url, resourcesOf(url)[1]),
});

const serverOut = extensionRecord(
  'AuthorizationServer',
  z.object({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    revocation_endpoint: z.string(),
    registration_endpoint: z.string(),
    jwks_uri: z.string(),
    scopes_supported: z.array(z.string()),
    response_types_supported: z.array(z.string()),
    response_modes_supported: z.array(z.string()),
    grant_types_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    revocation_endpoint_auth_methods_supported: z.array(z.string()),
    code_challenge_methods_supported: z.array(z.string()),
    authorization_response_iss_parameter_supported: z.boolean(),
    client_id_metadata_document_supported: z.boolean(),
    service_documentation: z.string(),
  }),
);

export const authorizationServer = defineOperation({
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  name: 'authorization_server',
  summary: 'Tell how assistants get tokens',
  description:
    'Authorization server metadata (RFC 8414). Clients are named by the address of their metadata document, or register themselves.',
  caller: 'anyone',
  extension: true,
  input: {},
  output: serverOut,
  errors: [],
  table: 'none',
  cache: CACHE,
  handler: async (_input, { settings: { HUB_PUBLIC_URL: url } }): Promise<z.output<typeof serverOut>> => ({
    issuer: url,
    authorization_endpoint: `${url}/oauth/authorize`,
    token_endpoint: `${url}/oauth/token`,
    revocation_endpoint: `${url}/oauth/revoke`,
    registration_endpoint: `${url}/oauth/register`,
    jwks_uri: `${url}/.well-known/jwks.json`,
    scopes_supported: [...ASSISTANT_SCOPES],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${url}/docs`,
  }),
});
