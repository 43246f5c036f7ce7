/** The compositions that are measured. */
import { compose, CompositionMemory, type SubgraphInput } from '@switchyard/composition'
import { composeServices } from '@theguild/federation-composition'
import { parse } from 'graphql'
import { byCosmo } from './cosmo.ts'
import { chainOfEntities, manyTypes } from './graphs.ts'

/** Switchyard, `@theguild/federation-composition` and `@wundergraph/composition`. */
export type Composer = 'ours' | 'guild' | 'cosmo'

/** One measured thing: `prepare` returns the work of one run, which is given the number of the run. */
export type Row = {
  readonly name: string
  readonly who: Composer
  readonly goalMs: number | null
  readonly prepare: () => (run: number) => void
}

const OURS = 'ours' as const

function cold(name: string, goalMs: number | null, make: () => readonly SubgraphInput[]): readonly Row[] {
  return [
    {
      name,
      who: OURS,
      goalMs,
      prepare: () => {
        const subgraphs = make()
        return () => composed(subgraphs, null)
      },
    },
    ...byPeers(name, make),
  ]
}

/** Rows of the others for it. None of them remembers anything, so that they compose a change from nothing. */
function byPeers(name: string, make: () => readonly SubgraphInput[]): readonly Row[] {
  return [
    { name, who: 'guild', goalMs: null, prepare: () => byGuild(make()) },
    { name, who: 'cosmo', goalMs: null, prepare: () => byCosmo(make()) },
  ]
}

/** Every row, each in a process of its own. */
export const ROWS: readonly Row[] = [
  ...cold('150 subgraphs, a chain of entities', 200, () => chainOfEntities(150)),
  ...cold('1,000 subgraphs, a chain of entities', 2000, () => chainOfEntities(1000)),
  ...cold('20,000 types in 20 subgraphs', 1500, () => manyTypes(20_000, 20)),
  {
    name: '12,000 types in 24 subgraphs, one field changed',
    who: OURS,
    goalMs: 50,
    prepare: () => {
      const subgraphs = manyTypes(12_000, 24)
      const memory = new CompositionMemory()
      composed(subgraphs, memory)
      return (run) => composed(edited(subgraphs, 3, run), memory)
    },
  },
  ...byPeers('12,000 types in 24 subgraphs, one field changed', () => manyTypes(12_000, 24)),
  {
    name: '12,000 types in 24 subgraphs, one type added',
    who: OURS,
    goalMs: null,
    prepare: () => {
      const subgraphs = manyTypes(12_000, 24)
      const memory = new CompositionMemory()
      composed(subgraphs, memory)
      return (run) => composed(withType(subgraphs, 3, run), memory)
    },
  },
  {
    name: '150 subgraphs and 50 flags, one subgraph changed',
    who: OURS,
    goalMs: 500,
    prepare: () => {
      const all = withFlags(chainOfEntities(150), 50)
      const memory = new CompositionMemory()
      for (const one of all) composed(one, memory)
      return (run) => {
        for (const one of all) composed(edited(one, 149, run), memory)
      }
    },
  },
  {
    name: '200 subgraphs of 50 types and 30 flags, from nothing',
    who: OURS,
    goalMs: 4000,
    prepare: () => {
      const all = withFlags(manyTypes(10_000, 200), 30)
      return () => {
        const memory = new CompositionMemory()
        for (const one of all) composed(one, memory)
      }
    },
  },
]

/** A field more in one of the subgraphs. */
function edited(subgraphs: readonly SubgraphInput[], at: number, edit: number): readonly SubgraphInput[] {
  return changed(subgraphs, at, (sdl) => sdl.replace('field0(', `edited${edit}: Int field0(`))
}

/** A type more in one of the subgraphs. */
function withType(subgraphs: readonly SubgraphInput[], at: number, edit: number): readonly SubgraphInput[] {
  return changed(
    subgraphs,
    at,
    (sdl) => `${sdl}\ntype Added${edit} @key(fields: "id") { id: ID! name: String }`,
  )
}

function changed(
  subgraphs: readonly SubgraphInput[],
  at: number,
  change: (sdl: string) => string,
): readonly SubgraphInput[] {
  return subgraphs.map((one, index) => (index === at ? { ...one, sdl: change(one.sdl) } : one))
}

/** The graph, and the same behind each flag, which replaces one subgraph and adds a field. */
function withFlags(base: readonly SubgraphInput[], flags: number): readonly (readonly SubgraphInput[])[] {
  const behind = Array.from({ length: flags }, (_, flag) =>
    base.map((one, index) =>
      index === flag * 3
        ? {
            ...one,
            name: `${one.name}-next`,
            baseName: one.name,
            sdl: one.sdl.replace('field0(', 'flagged: Int field0('),
          }
        : one,
    ),
  )
  return [base, ...behind]
}

function composed(subgraphs: readonly SubgraphInput[], memory: CompositionMemory | null): void {
  const result = compose({ subgraphs }, memory)
  if (result.kind === 'failed') throw new Error(result.errors[0]?.message)
}

function byGuild(subgraphs: readonly SubgraphInput[]): () => void {
  return () => {
    const services = subgraphs.map(({ name, routingUrl, sdl }) => ({
      name,
      url: routingUrl,
      typeDefs: parse(sdl),
    }))
    const { supergraphSdl, errors } = composeServices(services)
    if (supergraphSdl === undefined) throw new Error(errors?.[0]?.message)
  }
}
