/**
 * What every case has in its hands: one running system, the shop that its routers serve, and namespaces to
 * make a mess in.
 */
import { waitFor } from '@switchyard/testkit'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Constellation, type Finished, LINK, query, type Shop, variantOf } from '../../src/index.ts'

/** The members of an answer to a write that the rules speak of. */
export type Outcome = {
  readonly changed: boolean
  readonly message: string
  readonly warnings: readonly string[]
  readonly affectedGraphs: readonly string[]
  readonly compositions: readonly Composition[]
  readonly pending: boolean
  readonly routers: { readonly serving: number; readonly total: number }
}
export type Composition = {
  readonly graph: string
  readonly featureFlag: string | null
  readonly status: 'composed' | 'unchanged' | 'failed' | 'empty'
  readonly errors: readonly { readonly code: string; readonly message: string }[]
}
export type Refusal = {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly problems?: readonly string[]
}

export type World = {
  readonly system: Constellation
  readonly shop: Shop
  /** A new namespace, empty. */
  readonly space: () => Promise<Space>
  /** `default`, where the graph is that the routers serve. */
  readonly served: Space
  /** Waits until every router answers so. */
  readonly routersAnswer: (variant: string, headers?: Readonly<Record<string, string>>) => Promise<void>
  /** The command-line tool; the exit code is checked. */
  readonly cli: (exitCode: number, ...args: string[]) => Promise<Finished>
  /** The same with `--json`: what it printed. */
  readonly json: (exitCode: number, ...args: string[]) => Promise<CliDocument>
  /** Writes a file into the folder where the command-line tool runs. */
  readonly file: (name: string, text: string) => Promise<string>
}
export type CliDocument = {
  readonly ok: boolean
  readonly result?: Readonly<Record<string, unknown>>
  readonly compositions?: readonly Composition[]
  readonly routers?: { readonly serving: number; readonly total: number }
  readonly error?: Refusal
}

export function createWorld(system: Constellation, shop: Shop): World {
  const world: World = {
    system,
    shop,
    async space() {
      const name = `n${randomUUID().replaceAll('-', '')}`
      const space = new Space(system, name)
      await space.write('POST', '/v1/namespaces', { name })
      return space
    },
    served: new Space(system, 'default'),
    async routersAnswer(variant, headers = {}) {
      for (const url of system.routerUrls)
        await waitFor(
          `${url} to answer ${variant}`,
          async () => {
            const got = variantOf(await query(url, headers))
            if (got !== variant) throw new Error(`${got} for ${JSON.stringify(headers)}`)
            return true
          },
          { everyMs: 10 },
        )
    },
    async cli(exitCode, ...args) {
      const finished = await system.cli(...args)
      expect(finished.code, `${args.join(' ')}\n${finished.stdout}\n${finished.stderr}`).toBe(exitCode)
      return finished
    },
    async json(exitCode, ...args) {
      const { stdout } = await world.cli(exitCode, ...args, '--json')
      return JSON.parse(stdout) as CliDocument
    },
    async file(name, text) {
      await writeFile(join(system.folder, name), text)
      return name
    },
  }
  return world
}

export const URL_OF = 'http://127.0.0.1:9/graphql'

/** A subgraph of fields of its own, so that any of them compose with each other. */
export function sdlOf(...fields: readonly string[]): string {
  return `${LINK}\ntype Query { ${fields.map((field) => `${field}: Int`).join(' ')} }\n`
}

/** A namespace, with a verb for everything that sets up a case. Every verb throws when it is refused. */
export class Space {
  readonly name: string
  readonly #system: Pick<Constellation, 'manage'>

  constructor(system: Pick<Constellation, 'manage'>, name: string) {
    this.#system = system
    this.name = name
  }

  path(kind: string, ...names: readonly string[]): string {
    return ['/v1', kind, this.name, ...names]
      .map((part, at) => (at === 0 ? part : encodeURIComponent(part)))
      .join('/')
  }

  async write(method: string, path: string, body: unknown = {}): Promise<Outcome> {
    const reply = await this.#system.manage(method, path, body)
    expect(reply.status, `${method} ${path} ${JSON.stringify(reply.body)}`).toBeLessThan(300)
    return reply.body as unknown as Outcome
  }

  /** A write that the rules forbid. */
  async refused(method: string, path: string, body: unknown = {}): Promise<Refusal> {
    const reply = await this.#system.manage(method, path, body)
    expect(reply.status, `${method} ${path} ${JSON.stringify(reply.body)}`).toBeGreaterThanOrEqual(400)
    return reply.body as unknown as Refusal
  }

  async read(path: string): Promise<Readonly<Record<string, unknown>>> {
    const reply = await this.#system.manage('GET', path)
    expect(reply.status, `${path} ${JSON.stringify(reply.body)}`).toBe(200)
    return reply.body
  }

  graph(name: string, ...labelMatchers: string[]): Promise<Outcome> {
    return this.write('POST', this.path('graphs'), { name, labelMatchers })
  }

  /** As published here: no two namespaces share a schema, so that nothing is known from a case before. */
  own(sdl: string): string {
    return this.name === 'default' ? sdl : `${sdl}# ${this.name}`
  }

  /** Publishes; creates it, too, when labels are given. */
  publish(name: string, sdl: string, labels?: readonly string[]): Promise<Outcome> {
    const creation = labels === undefined ? {} : { routingUrl: URL_OF, labels }
    return this.write('PUT', this.path('subgraphs', name, 'schema'), { sdl: this.own(sdl), ...creation })
  }

  /** Without an SDL it stays unpublished. */
  async feature(name: string, base: string, sdl?: string): Promise<Outcome> {
    const created = await this.write('POST', this.path('feature-subgraphs'), {
      name,
      routingUrl: URL_OF,
      subgraph: base,
    })
    return sdl === undefined ? created : this.publish(name, sdl)
  }

  flag(
    name: string,
    featureSubgraphs: readonly string[],
    more: { readonly labels?: readonly string[]; readonly enabled?: boolean } = {},
  ): Promise<Outcome> {
    return this.write('POST', this.path('feature-flags'), { name, featureSubgraphs, ...more })
  }

  enable(flag: string): Promise<Outcome> {
    return this.write('POST', this.path('feature-flags', flag, 'enable'))
  }

  disable(flag: string): Promise<Outcome> {
    return this.write('POST', this.path('feature-flags', flag, 'disable'))
  }

  change(kind: string, name: string, body: unknown): Promise<Outcome> {
    return this.write('PATCH', this.path(kind, name), body)
  }

  remove(kind: string, name: string): Promise<Outcome> {
    return this.write('DELETE', this.path(kind, name))
  }

  /** Subgraphs that each graph is composed from. */
  async graphs(): Promise<Readonly<Record<string, readonly string[]>>> {
    const { graphs } = await this.read(this.path('graphs'))
    const list = graphs as readonly { name: string; subgraphs: readonly string[] }[]
    return Object.fromEntries(list.map(({ name, subgraphs }) => [name, subgraphs]))
  }

  async subgraphs(): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return (await this.read(this.path('subgraphs')))['subgraphs'] as Record<string, unknown>[]
  }

  async flags(): Promise<readonly FlagView[]> {
    return (await this.read(this.path('feature-flags')))['featureFlags'] as FlagView[]
  }

  /** Where the flag is served and why not, per graph. */
  async states(flag: string): Promise<Readonly<Record<string, string>>> {
    const view = (await this.flags()).find(({ name }) => name === flag)
    return Object.fromEntries((view?.graphs ?? []).map(({ graph, state }) => [graph, state]))
  }

  /** `shop with next: composed`, for comparison. */
  async waitForState(flag: string, graph: string, state: string | RegExp): Promise<void> {
    await waitFor(
      `flag "${flag}" in "${graph}" to be ${String(state)}`,
      async () => {
        const got = (await this.states(flag))[graph]
        if (typeof state === 'string' ? got !== state : !state.test(got ?? '')) throw new Error(got)
        return true
      },
      { everyMs: 20 },
    )
  }
}
export type FlagView = {
  readonly name: string
  readonly labels: readonly string[]
  readonly featureSubgraphs: readonly string[]
  readonly enabled: boolean
  readonly graphs: readonly { readonly graph: string; readonly state: string }[]
}

/** `shop: composed`, `shop with next: failed`, sorted. */
export function reportOf({
  compositions,
}: {
  readonly compositions?: readonly Composition[]
}): readonly string[] {
  return (compositions ?? [])
    .map(({ graph, featureFlag, status }) =>
      featureFlag === null ? `${graph}: ${status}` : `${graph} with ${featureFlag}: ${status}`,
    )
    .toSorted()
}

/** Two subgraphs of one graph, a feature subgraph of the first, published. */
export async function twoSubgraphs(world: World): Promise<Space> {
  const space = await world.space()
  await space.graph('g', 't=1')
  await space.publish('a', sdlOf('a'), ['t=1'])
  await space.publish('b', sdlOf('b'), ['t=1'])
  await space.feature('a-next', 'a', sdlOf('a', 'a2'))
  return space
}
