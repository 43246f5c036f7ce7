/** Schema, resolvers and events of the subgraphs in JavaScript. */

/** Tells all who have subscribed what to send: the key of a product, `end` or `throw`. */
export class Broadcast {
  readonly #listeners = new Set<(what: string) => void>()

  /** The number of subscriptions that are open. */
  get open(): number {
    return this.#listeners.size
  }

  send(what: string): boolean {
    for (const tell of this.#listeners) tell(what)
    return true
  }

  /** No generator: one that waits for an event cannot be told that nobody listens any more. */
  subscribe(): AsyncIterableIterator<string> {
    const waiting: string[] = []
    let wake = (): void => {}
    let isOver = false
    const tell = (what: string): void => {
      waiting.push(what)
      wake()
    }
    this.#listeners.add(tell)
    const end = (): { readonly done: true; readonly value: undefined } => {
      isOver = true
      this.#listeners.delete(tell)
      wake()
      return { done: true, value: undefined }
    }
    return {
      next: async () => {
        if (!isOver && waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve))
        const what = waiting.shift()
        if (isOver || what === undefined || what === 'end') return end()
        if (what !== 'throw') return { done: false, value: what }
        end()
        throw new Error('The source is broken.')
      },
      return: () => Promise.resolve(end()),
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }
}

/** The schema of a subgraph whose root fields begin with `prefix`, without the directives of federation. */
export function eventSchema(prefix: string): string {
  return `
    type Query { ${prefix}Open: Int! }
    type Mutation { ${prefix}Send(what: String!): Boolean! }
    type Subscription { ${prefix}Changed: Product }
    type Product @key(fields: "upc") { upc: ID! ${prefix}Fragile: String }`
}

type Product = { readonly upc: string }

/** The resolvers of that schema. */
export function eventResolvers(prefix: string, broadcast: Broadcast) {
  return {
    Query: { [`${prefix}Open`]: () => broadcast.open },
    Mutation: { [`${prefix}Send`]: (_: unknown, { what }: { what: string }) => broadcast.send(what) },
    Subscription: {
      [`${prefix}Changed`]: {
        subscribe: () => broadcast.subscribe(),
        resolve: (upc: string) => ({ upc }),
      },
    },
    Product: {
      __resolveReference: (product: Product) => product,
      [`${prefix}Fragile`]: ({ upc }: Product) => {
        if (upc === 'bad') throw new Error('It is broken.')
        return `fragile ${upc}`
      },
    },
  }
}

export const FEDERATION =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])'
