import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import {
  presentNotification,
  userDeploymentNotificationsCustomOut,
} from '../../../functions/deployments/records/notification.ts';
import { dummyUser, dummyUserIn } from '../../../functions/users/records/dummy-user.ts';
import { notificationEntrySchema } from '../../../shared/data/deployments/notification.ts';
import { marksIn, notificationList } from '../../../shared/data/deployments/notifications.ts';
import { headIn, headKey, readPage } from '../../../shared/data/numbered-list/numbered-list.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { Store } from '../../../shared/data/table/store.ts';
import { addDummyUser } from '../../../shared/data/users/dummy-users.ts';
import { tidy } from '../../../shared/domain/text.ts';
import { integerId } from '../../../shared/ids.ts';
import { undamaged } from '../../support/undamaged.ts';

const store = new Store(new DynamoDBClient({}), process.env.HUB_TABLE ?? '');

/** The input of `GET /get_deployment_notifications`. */
export const pageQuery = z.object({
  user_id: z.string(),
  page: z.coerce.number().int().min(1).default(1),
  size: z.coerce.number().int().min(1).max(100).default(50),
});

/** The answer of `GET /get_deployment_notifications`. */
export const pageOut = z.object({
  items: z.array(userDeploymentNotificationsCustomOut),
  total: z.int(),
  page: z.int(),
  size: z.int(),
  pages: z.int(),
});

/** Reads a page of a user's notifications with a BatchGet and a Query; undefined for an unknown user. */
export const findPage = async ({
  user_id: userId,
  ...choice
}: z.output<typeof pageQuery>): Promise<z.output<typeof pageOut> | undefined> => {
  const list = notificationList(userId);
  const [user, item] = await store.getMany([keys.user(userId), headKey(list)], { consistent: true });
  if (!user) return undefined;
  const marks = marksIn(item);
  const { entries, total } = await readPage(
    store,
    list,
    { ...choice, head: headIn(list, item) },
    notificationEntrySchema,
    undamaged,
  );
  const items = entries.map((entry) => presentNotification(entry, marks));
  return { items, total, ...choice, pages: Math.ceil(total / choice.size) };
};

/** The body and the answer of `POST /users`. */
export const userIn = dummyUserIn;
export const userOut = dummyUser;

/** Adds a dummy user with a Query and a transaction. */
export const createUser = async ({
  name,
  email,
}: z.output<typeof userIn>): Promise<z.output<typeof userOut>> => {
  const id = String(integerId(new Date(), randomBytes)).padStart(16, '0');
  const user = { id, name: tidy(name), email };
  await addDummyUser(store, user);
  return user;
};
