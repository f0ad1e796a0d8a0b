import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import { handle } from 'hono/aws-lambda';
import { createUser, findPage, pageOut, pageQuery, userIn, userOut } from './lists.ts';
import { findToken, tokenOut, tokenQuery } from './token.ts';

const UNKNOWN = { detail: 'There is no such user.', code: 'user_unknown' };
const unknown = { description: 'There is no such user.' };

export const token = (app: OpenAPIHono): void => {
  const route = createRoute({
    method: 'get',
    path: '/check_for_token',
    request: { query: tokenQuery },
    responses: {
      200: { description: 'The token', content: { 'application/json': { schema: tokenOut } } },
      404: unknown,
    },
  });
  app.openapi(route, async (c) => {
    const found = await findToken(c.req.valid('query').user_id);
    return found ? c.json(tokenOut.parse(found), 200) : c.json(UNKNOWN, 404);
  });
};

export const page = (app: OpenAPIHono): void => {
  const route = createRoute({
    method: 'get',
    path: '/get_deployment_notifications',
    request: { query: pageQuery },
    responses: {
      200: { description: 'A page', content: { 'application/json': { schema: pageOut } } },
      404: unknown,
    },
  });
  app.openapi(route, async (c) => {
    const found = await findPage(c.req.valid('query'));
    return found ? c.json(pageOut.parse(found), 200) : c.json(UNKNOWN, 404);
  });
};

export const write = (app: OpenAPIHono): void => {
  const route = createRoute({
    method: 'post',
    path: '/users',
    request: { body: { content: { 'application/json': { schema: userIn } }, required: true } },
    responses: { 200: { description: 'The user', content: { 'application/json': { schema: userOut } } } },
  });
  app.openapi(route, async (c) => c.json(userOut.parse(await createUser(c.req.valid('json'))), 200));
};

/** Creates the Lambda handler of an application with some routes. */
export const serve = (...routes: readonly ((app: OpenAPIHono) => void)[]) => {
  const app = new OpenAPIHono({
    defaultHook: (result, c) => (result.success ? undefined : c.json({ detail: result.error.issues }, 422)),
  });
  for (const route of routes) route(app);
  return handle(app);
};
