import { configure } from '@codegenie/serverless-express';
import express, { type ErrorRequestHandler, type Express } from 'express';
import * as z from 'zod';
import { createUser, findPage, pageOut, pageQuery, userIn, userOut } from './lists.ts';
import { findToken, tokenOut, tokenQuery } from './token.ts';

const UNKNOWN = { detail: 'There is no such user.', code: 'user_unknown' };

export const token = (app: Express): void => {
  app.get('/check_for_token', async (request, response) => {
    const { user_id: userId } = tokenQuery.parse(request.query);
    const found = await findToken(userId);
    if (found) response.json(tokenOut.parse(found));
    else response.status(404).json(UNKNOWN);
  });
};

export const page = (app: Express): void => {
  app.get('/get_deployment_notifications', async (request, response) => {
    const found = await findPage(pageQuery.parse(request.query));
    if (found) response.json(pageOut.parse(found));
    else response.status(404).json(UNKNOWN);
  });
};

export const write = (app: Express): void => {
  app.post('/users', express.json(), async (request, response) => {
    response.json(userOut.parse(await createUser(userIn.parse(request.body))));
  });
};

const refuse: ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof z.ZodError) response.status(422).json({ detail: error.issues });
  else next(error);
};

/** Creates the Lambda handler of an application with some routes. */
export const serve = (...routes: readonly ((app: Express) => void)[]) => {
  const app = express();
  for (const route of routes) route(app);
  app.use(refuse);
  return configure({ app });
};
