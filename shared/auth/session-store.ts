import type * as z from 'zod';
import type { BatchMember } from '../data/table/batch-write.ts';
import { keys } from '../data/table/keys.ts';
import { type ItemSchema, parseItem } from '../data/table/parse-item.ts';
import type { Store } from '../data/table/store.ts';
import type { Condition, Key, Update, Write } from '../data/table/writes.ts';
import { asUser, findUser, type User } from '../data/users/users.ts';

/** DynamoDB reads so many items in one call. */
const MAX_BATCH = 100;

/**
 * The table as an operation sees it that comes with a session. A token says whose session it is; whether that
 * session is still held stands in the user's item, which is read along with the first items that the operation
 * reads by their keys, and so costs no call of its own. Until it is known nothing is handed out, and nothing
 * written.
 */
export class SessionStore implements Store {
  readonly table: string;
  readonly #store: Store;
  readonly #userId: string;
  readonly #requireHeld: (user: User | undefined) => User;
  #user: Promise<User> | undefined;

  /** @param requireHeld throws where the user does not hold the session. */
  constructor(store: Store, userId: string, requireHeld: (user: User | undefined) => User) {
    this.table = store.table;
    this.#store = store;
    this.#userId = userId;
    this.#requireHeld = requireHeld;
  }

  /** What is read past the methods of a store would be handed out unasked: only jobs do that. */
  get client(): Store['client'] {
    throw new Error('an operation reads and writes by the methods of its store');
  }

  /** The user, who holds the session; read once. */
  user(): Promise<User> {
    this.#user ??= findUser(this.#store, this.#userId).then(this.#requireHeld);
    return this.#user;
  }

  async #whileHeld<T>(reading: Promise<T>): Promise<T> {
    const [found] = await Promise.all([reading, this.user()]);
    return found;
  }

  async get<S extends ItemSchema>(
    key: Key,
    schema: S,
    options: { consistent?: boolean } = {},
  ): Promise<z.output<S> | undefined> {
    if (this.#user || !options.consistent) return this.#whileHeld(this.#store.get(key, schema, options));
    const [item] = await this.getMany([key], options);
    return item && parseItem(schema, item);
  }

  async getMany(
    wanted: readonly Key[],
    options: { consistent?: boolean } = {},
  ): ReturnType<Store['getMany']> {
    if (this.#user || !options.consistent || wanted.length === MAX_BATCH) {
      return this.#whileHeld(this.#store.getMany(wanted, options));
    }
    const own = keys.user(this.#userId);
    const place = wanted.findIndex(({ pk, sk }) => pk === own.pk && sk === own.sk);
    const reading = this.#store.getMany(place === -1 ? [...wanted, own] : wanted, options);
    this.#user = reading.then((items) => this.#requireHeld(asUser(items.at(place))));
    return (await this.#whileHeld(reading)).slice(0, wanted.length);
  }

  queryItems(input: Parameters<Store['queryItems']>[0]): ReturnType<Store['queryItems']> {
    return this.#whileHeld(this.#store.queryItems(input));
  }

  query<S extends ItemSchema>(input: Parameters<Store['query']>[0], schema: S): Promise<z.output<S>[]> {
    return this.#whileHeld(this.#store.query(input, schema));
  }

  async put(item: Parameters<Store['put']>[0], condition?: Condition): Promise<void> {
    await this.user();
    return this.#store.put(item, condition);
  }

  async update<S extends ItemSchema>(key: Key, change: Update, schema: S): Promise<z.output<S>> {
    await this.user();
    return this.#store.update(key, change, schema);
  }

  async delete(key: Key, condition?: Condition): Promise<void> {
    await this.user();
    return this.#store.delete(key, condition);
  }

  async transact(writes: readonly Write[]): Promise<void> {
    await this.user();
    return this.#store.transact(writes);
  }

  async batchWrite(members: readonly BatchMember[]): Promise<void> {
    await this.user();
    return this.#store.batchWrite(members);
  }
}
