import type * as z from 'zod';
import type { BatchMember } from '../data/table/batch-write.ts';
import { keys } from '../data/table/keys.ts';
import { type ItemSchema, parseItem } from '../data/table/parse-item.ts';
import type { Store } from '../data/table/store.ts';
import type { Condition, Key, Update, Write } from '../data/table/writes.ts';
import { asUser, findUser, type User } from '../data/users/users.ts';

/** Maximum number of items in a BatchGetItem call. */
const MAX_BATCH = 100;

/**
 * Store of an operation that names its user. The user's item tells whether the session was revoked, and whether the user may call the operation. It is
 * read in the same call as the first items that the operation reads by key, so it costs no extra call. Before that,
 * nothing is returned or written.
 */
export class SessionStore implements Store {
  readonly table: string;
  readonly #store: Store;
  readonly #userId: string;
  readonly #requireHeld: (user: User | undefined) => User;
  #user: Promise<User> | undefined;

  /** @param requireHeld throws if the user does not have the session, or may not call the operation. */
  constructor(store: Store, userId: string, requireHeld: (user: User | undefined) => User) {
    this.table = store.table;
    this.#store = store;
    this.#userId = userId;
    this.#requireHeld = requireHeld;
  }

  get origin(): Store {
    return this.#store.origin;
  }

  /** Throws, as reads with the client would bypass the session check. Only jobs use the client. */
  get client(): Store['client'] {
    throw new Error('an operation must read and write with the methods of its store');
  }

  /** Reads the user once and checks the session. */
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

  queryOnce(...request: Parameters<Store['queryOnce']>): ReturnType<Store['queryOnce']> {
    return this.#whileHeld(this.#store.queryOnce(...request));
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
