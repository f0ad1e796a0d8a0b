import * as z from 'zod';
import { defineOperation, RawAnswer } from '../../../shared/api/operation.ts';
import { authorizationShape } from './consent/request.ts';

export const oauthAuthorize = defineOperation({
  method: 'GET',
  path: '/oauth/authorize',
  name: 'oauth_authorize',
  summary: 'Ask a user for access',
  description:
    'Authorization endpoint of OAuth 2.1: leads to the page of the console that asks the user. It answers with a code, which needs PKCE with S256, and `iss` (RFC 9207).',
  caller: 'anyone',
  extension: true,
  input: { query: z.object(authorizationShape).partial() },
  output: z.never(),
  answers: { 302: { description: 'The address of the page', schema: z.string() } },
  errors: [],
  table: 'none',
  handler: async ({ query }) => {
    const asked = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const place = `/console#/consent?${new URLSearchParams(asked)}`;
    return new RawAnswer(302, { location: place, 'cache-control': 'no-store' }, '');
  },
});
