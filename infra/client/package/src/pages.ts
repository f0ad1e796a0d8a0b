/** Page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly page: number;
  readonly size: number;
  readonly pages: number;
  /** Place at which a filtered list goes on after its last page. */
  readonly next_cursor?: number | undefined;
}

/** Parameters that select a page. */
export interface PageChoice {
  readonly page?: number | undefined;
  readonly cursor?: number | undefined;
}

/**
 * Request for a page of a list. `await` reads the page; `for await` reads all items from this page on, and sends further
 * requests as needed.
 *
 * @example
 * const { total } = await hub.getBacktests({ user_id });
 * for await (const backtest of hub.getBacktests({ user_id })) console.log(backtest.backtest_id);
 */
export class PageRequest<T, P extends Page<T>> extends Promise<P> implements AsyncIterable<T> {
  readonly #read: (choice: PageChoice) => Promise<P>;

  constructor(read: (choice: PageChoice) => Promise<P>) {
    super((resolve, reject) => {
      read({}).then(resolve, reject);
    });
    this.#read = read;
  }

  /** Lets `then` return plain promises, which are no lists. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** Reads this page and all that follow. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let choice: PageChoice = {};
    let page: P = await this.then((first) => first);
    for (;;) {
      yield page;
      if (page.page < page.pages) choice = { ...choice, page: page.page + 1 };
      else if (page.next_cursor !== undefined) choice = { cursor: page.next_cursor, page: 1 };
      else return;
      page = await this.#read(choice);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }
}
