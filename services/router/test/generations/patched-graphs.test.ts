/** Compositions that are compiled from others which are there. */
import { gzipSync } from 'node:zlib'
import { compileSupergraph } from '@switchyard/engine'
import { buildArtifact, compose, cutArtifact, type SubgraphInput } from '@switchyard/composition'
import { parsePieceList } from '@switchyard/contracts/artifact-pieces'
import { describe, expect, it } from 'vitest'
import type { ArtifactContent } from '../../src/generations/content/artifact-content.ts'
import { Compiler } from '../../src/generations/build/compiler.ts'
import { type BuiltGraph, GraphBuilder } from '../../src/generations/build/graph-builder.ts'
import { unpackGraph } from '../../src/planning/packed-graph.ts'

const TYPES = 120

/** Texts by what they were made of: most tests begin with the same one. */
const composed = new Map<string, string>()

/** A graph of two subgraphs; `more` are fields of the first types, `added` whole types. */
function supergraph(more: readonly string[] = [], added = '', replaced = false): string {
  const key = JSON.stringify([more, added, replaced])
  const text = composed.get(key) ?? composeGraph(more, added, replaced)
  composed.set(key, text)
  return text
}

function composeGraph(more: readonly string[], added: string, replaced: boolean): string {
  const link =
    'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@authenticated"])'
  const types = Array.from(
    { length: Math.max(TYPES, more.length) },
    (_, type) => `type T${type} @key(fields: "id") { id: ID! name: String ${more[type] ?? ''} }`,
  )
  const subgraphs: SubgraphInput[] = [
    {
      name: replaced ? 'a-next' : 'a',
      ...(replaced ? { baseName: 'a' } : {}),
      routingUrl: `http://127.0.0.1:1/${replaced ? 'next' : ''}`,
      sdl: `${link}\ntype Query { first: T0 }\n${types.join('\n')}`,
    },
    {
      name: 'b',
      routingUrl: 'http://127.0.0.1:2/',
      sdl: `${link}\ntype T0 @key(fields: "id") { id: ID! size: Int }\n${added}`,
    },
  ]
  const result = compose({ subgraphs })
  if (result.kind === 'failed') throw new Error(result.errors[0]?.message)
  return result.supergraphSdl
}

function contentOf(kind: ArtifactContent['kind'], supergraphSdl: string, options: object): ArtifactContent {
  const subgraphs = [...supergraphSdl.matchAll(/@join__graph\(name: "([^"]+)", url: "([^"]+)"\)/g)].map(
    ([, name = '', routingUrl = '']) => ({ name, routingUrl }),
  )
  const artifact = { ...buildArtifact(supergraphSdl, subgraphs), ...options }
  if (kind === 'whole') return { kind, gzipped: gzipSync(JSON.stringify(artifact)) }
  const pieces = cutArtifact(artifact, '0'.repeat(64))
  if (pieces === null) throw new Error('it cannot be cut')
  const chunks = new Map(pieces.chunks.map(({ sha256, bytes }) => [sha256, gzipSync(bytes)]))
  return { kind, list: parsePieceList(pieces.list), chunks }
}

async function opened(kind: ArtifactContent['kind']) {
  const compiler = new Compiler()
  const alive: BuiltGraph[] = []
  const builder = new GraphBuilder(compiler, (error) => {
    throw error
  })
  return {
    alive,
    build: async (supergraphSdl: string, options = {}) => {
      const built = await builder.build(contentOf(kind, supergraphSdl, options), () => alive)
      alive.push(built)
      return built
    },
    [Symbol.asyncDispose]: () => compiler[Symbol.asyncDispose](),
  }
}

describe.each(['whole', 'pieces'] as const)('a composition (%s)', (kind) => {
  it('is compiled from the one before, of which it has all types that did not change', async () => {
    await using router = await opened(kind)
    const first = await router.build(supergraph())
    expect(first.changed).toBeNull()
    const text = supergraph(['more: Int'])
    const second = await router.build(text)
    expect(second.changed).toBe(1)
    expect(second.compiled).toEqual(compileSupergraph(text))
    expect(second.compiled.types.filter((type, id) => type !== first.compiled.types[id])).toHaveLength(1)
    expect(second.size).toBeLessThan(first.size / 5)
  })

  it('is what planning threads get, after several changes as well', async () => {
    await using router = await opened(kind)
    await router.build(supergraph())
    for (const more of [['a: Int'], ['a: Int', 'b: Int'], ['', 'b: T7'], []]) {
      const text = supergraph(more)
      const built = await router.build(text)
      expect(built.changed).not.toBeNull()
      expect(unpackGraph(built.packed)).toEqual(compileSupergraph(text))
      expect(built.packed.whole).toBe(router.alive[0]?.packed.whole)
    }
  })

  it('shares all types as well with one in which types came and went', async () => {
    await using router = await opened(kind)
    const first = await router.build(supergraph())
    const more = supergraph(
      [],
      'type A0 { id: ID }\ntype More { id: ID }\nextend type T0 { more: More a: A0 }',
    )
    const second = await router.build(more)
    expect(second.changed).toBe(3)
    expect(first.compiled.types.filter((type, id) => type !== second.compiled.types[id])).toHaveLength(1)
    const back = await router.build(supergraph(['and: Int']))
    expect(back.changed).toBe(1)
    // From the second one, which is there alone then.
    router.alive.splice(0, 1)
    router.alive.pop()
    const again = await router.build(supergraph(['and: Int']))
    expect(again.compiled.removed).toHaveLength(2)
    expect(unpackGraph(again.packed)).toEqual(again.compiled)
    const names = ({ compiled }: BuiltGraph) => compiled.api.types.map(({ name }) => name)
    expect(names(again)).toEqual(names(back))
  })

  it('is compiled from the composition that differs least', async () => {
    await using router = await opened(kind)
    await router.build(supergraph())
    const more = Array.from({ length: 40 }, () => 'other: Int')
    expect((await router.build(supergraph(more))).changed).toBe(40)
    expect((await router.build(supergraph([...more, 'one: Int']))).changed).toBe(1)
  })

  it('of a flag is compiled from base, however many other flags there are', async () => {
    await using router = await opened(kind)
    await router.build(supergraph())
    for (let flag = 0; flag < 12; flag++) {
      const more = Array.from({ length: flag + 1 }, (_, type) => (type === flag ? 'flagged: Int' : ''))
      const built = await router.build(supergraph(more))
      expect(built.changed).toBe(1)
      expect(built.patch?.types.map(({ name }) => name)).toEqual([`T${flag}`])
    }
  })

  it('of a flag is compiled from a new base as well, that was compiled as a whole', async () => {
    await using router = await opened(kind)
    await router.build(supergraph())
    await router.build(supergraph(['flagged: Int']))
    const header = (text: string) => text.replace('schema\n', 'schema @tag(name: "x")\n')
    expect((await router.build(header(supergraph()))).changed).toBeNull()
    expect((await router.build(header(supergraph(['flagged: Int'])))).changed).toBe(1)
  })

  it('is never compiled from one whose text is not laid out definition by definition', async () => {
    await using router = await opened(kind)
    const laidOut = (text: string) => text.replace('\ntype T7\n', '\n  type T7\n')
    expect((await router.build(laidOut(supergraph()))).isPatchable).toBe(false)
    const text = laidOut(supergraph(['more: Int']))
    const built = await router.build(text)
    expect([built.changed, built.compiled]).toEqual([null, compileSupergraph(text)])
  })

  it('of a flag names the subgraph that takes the place of another', async () => {
    await using router = await opened(kind)
    await router.build(supergraph())
    const text = supergraph(['flagged: Int'], '', true)
    const flag = await router.build(text)
    expect(flag.changed).toBe(1)
    expect(flag.compiled.subgraphs).toEqual(compileSupergraph(text).subgraphs)
    expect(flag.subgraphs).toContainEqual({ name: 'a-next', routingUrl: 'http://127.0.0.1:1/next' })
  })

  it.each([
    ['its header says something else', supergraph().replace('schema\n', 'schema @tag(name: "x")\n')],
    ['more changed than is compiled one by one', supergraph(Array.from({ length: 250 }, () => 'more: Int'))],
  ])('is compiled as a whole where %s', async (_, text) => {
    await using router = await opened(kind)
    await router.build(supergraph())
    const built = await router.build(text)
    expect(built.changed).toBeNull()
    expect(built.compiled).toEqual(compileSupergraph(text))
  })

  it('keeps its rules of who may see what, unless the graph says that nobody enforces them', async () => {
    await using router = await opened(kind)
    await router.build(supergraph())
    const text = supergraph(['secret: Int @authenticated'])
    expect((await router.build(text)).compiled).toEqual(compileSupergraph(text))
    const open = await router.build(text, { allowUnenforcedAuthorization: true })
    expect(open.compiled.access).toBeNull()
    expect(unpackGraph(open.packed).access).toBeNull()
    const other = supergraph(['secret: Int @authenticated', 'more: Int'])
    expect((await router.build(other)).compiled.access).toEqual(compileSupergraph(other).access)
  })

  it('of 7 MiB is compiled from the one before if it is in pieces, of which only a few are unpacked', async () => {
    await using router = await opened(kind)
    const long = (text: string) => text.replaceAll(/^type T(?=\d)/gm, `"${'d'.repeat(62_500)}"\n$&`)
    await router.build(long(supergraph()))
    const built = await router.build(long(supergraph(['more: Int'])))
    expect(built.changed).toBe(kind === 'pieces' ? 1 : null)
  })

  it.each(['type Query {', ' ', 'type Query { a: Int }'])(
    'that is none is refused as ever: %j',
    async (text) => {
      await using router = await opened(kind)
      await router.build(supergraph())
      await expect(router.build(text)).rejects.toThrow()
    },
  )
})
