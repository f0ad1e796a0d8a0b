import awsLambdaFastify from '@fastify/aws-lambda';
import Fastify, { type FastifyTypeProvider } from 'fastify';
import * as z from 'zod';
import { createUser, findPage, pageOut, pageQuery, userIn, userOut } from './lists.ts';
import { findToken, tokenOut, tokenQuery } from './token.ts';

/** Types of `fastify-type-provider-zod`. */
interface ZodTypes extends FastifyTypeProvider {
  validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown;
  serializer: this['schema'] extends z.ZodType ? z.input<this['schema']> : unknown;
}

const make = () => {
  const app = Fastify().withTypeProvider<ZodTypes>();
  app.setValidatorCompiler<z.ZodType>(({ schema }) => (data) => {
    const { success, data: value, error } = schema.safeParse(data);
    return success ? { value } : { error };
  });
  app.setSerializerCompiler<z.ZodType>(
    ({ schema }) =>
      (data) =>
        JSON.stringify(schema.parse(data)),
  );
  app.setErrorHandler((error, _request, reply) =>
    error instanceof z.ZodError ? reply.code(422).send({ detail: error.issues }) : reply.send(error),
  );
  return app;
};

type App = ReturnType<typeof make>;

const UNKNOWN = z.object({ detail: z.string(), code: z.string() });
const unknown = { detail: 'There is no such user.', code: 'user_unknown' };

export const token = (app: App) =>
  app.get(
    '/check_for_token',
    { schema: { querystring: tokenQuery, response: { 200: tokenOut, 404: UNKNOWN } } },
    async ({ query }, reply) => (await findToken(query.user_id)) ?? reply.code(404).send(unknown),
  );

export const page = (app: App) =>
  app.get(
    '/get_deployment_notifications',
    { schema: { querystring: pageQuery, response: { 200: pageOut, 404: UNKNOWN } } },
    async ({ query }, reply) => (await findPage(query)) ?? reply.code(404).send(unknown),
  );

export const write = (app: App) =>
  app.post('/users', { schema: { body: userIn, response: { 200: userOut } } }, ({ body }) =>
    createUser(body),
  );

/** Creates the Lambda handler of an application with some routes. */
export const serve = (...routes: readonly ((app: App) => unknown)[]) => {
  const app = make();
  for (const route of routes) route(app);
  return awsLambdaFastify(app);
};
