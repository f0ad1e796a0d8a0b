import { NotFoundError, Router } from '@aws-lambda-powertools/event-handler/http';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { createUser, findPage, pageOut, pageQuery, userIn, userOut } from './lists.ts';
import { findToken, tokenOut, tokenQuery } from './token.ts';

const unknown = (): NotFoundError => new NotFoundError('There is no such user.');

export const token = (app: Router): void =>
  app.get(
    '/check_for_token',
    async ({ valid }) => {
      const found = await findToken(valid.req.query.user_id);
      if (!found) throw unknown();
      return found;
    },
    { validation: { req: { query: tokenQuery }, res: { body: tokenOut } } },
  );

export const page = (app: Router): void =>
  app.get(
    '/get_deployment_notifications',
    async ({ valid }) => {
      const found = await findPage(valid.req.query);
      if (!found) throw unknown();
      // The router does not accept a response schema with values of any type.
      return Response.json(pageOut.parse(found));
    },
    { validation: { req: { query: pageQuery } } },
  );

export const write = (app: Router): void =>
  app.post('/users', ({ valid }) => createUser(valid.req.body), {
    validation: { req: { body: userIn }, res: { body: userOut } },
  });

/** Creates the Lambda handler of an application with some routes. */
export const serve = (...routes: readonly ((app: Router) => void)[]) => {
  const app = new Router();
  for (const route of routes) route(app);
  return (event: APIGatewayProxyEventV2, context: Context) => app.resolve(event, context);
};
