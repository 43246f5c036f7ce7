/** Artifacts in chunks: which chunks a change changes, and what they make together. */
import { createHash } from 'node:crypto'
import { MAX_CHUNKS } from '@switchyard/contracts'
import { joinArtifact, parsePieceList } from '@switchyard/contracts/artifact-pieces'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildArtifact, cutArtifact, cutText } from '../src/index.ts'

const HASH = 'a'.repeat(64)
const SUBGRAPHS = [{ name: 'a', routingUrl: 'http://127.0.0.1:1/' }]

/** A text as the composer prints it. `fields` is the number of fields of a type by its number. */
function textOf(types: number, fields: (type: number) => number = () => 8): string {
  const definitions = Array.from({ length: types }, (_, type) => {
    const lines = Array.from({ length: fields(type) }, (__, field) => `  field${field}: String\n`)
    return `type Type${type}\n  @join__type(graph: A)\n{\n${lines.join('')}}`
  })
  return ['schema\n{\n  query: Query\n}', 'type Query\n{\n  a: Int\n}', ...definitions].join('\n\n')
}

function differing(one: readonly string[], other: readonly string[]): number {
  const known = new Set(one)
  return other.filter((chunk) => !known.has(chunk)).length
}

describe('the chunks of a text', () => {
  it('are of 32 KiB on average, and as few for a small text as it needs', () => {
    const text = textOf(20_000)
    const chunks = cutText(text)
    const average = text.length / chunks.length
    expect(average).toBeGreaterThan(16 * 1024)
    expect(average).toBeLessThan(64 * 1024)
    expect(cutText(textOf(20))).toHaveLength(1)
  })

  it('stay, but for one, when a definition changes, comes or goes', () => {
    const before = cutText(textOf(4000))
    expect(before.length).toBeGreaterThan(10)
    for (const type of [0, 17, 1234, 3999]) {
      const changed = cutText(textOf(4000, (one) => (one === type ? 9 : 8)))
      expect(differing(before, changed)).toBe(1)
      const without = textOf(4000).replace(new RegExp(`type Type${type}\n[^}]*}\n*`), '')
      expect(differing(before, cutText(without))).toBeLessThanOrEqual(2)
    }
  })

  it('have a large definition by itself, so that only a change of it moves its text', () => {
    const large = (more: number) => textOf(4000, (type) => (type === 2000 ? 4000 + more : 8))
    const chunks = cutText(large(0))
    const own = chunks.filter((chunk) => chunk.includes('type Type2000\n'))
    expect(own.map((chunk) => chunk.match(/^type /gm))).toEqual([['type ']])
    expect(differing(chunks, cutText(large(1)))).toBe(1)
  })

  it('are never more than a list may name', () => {
    // Each of them is a chunk of its own at first.
    const large = `type L\n{\n${'  field: String\n'.repeat(2100)}}`
    const text = Array.from({ length: 5000 }, (_, at) => large.replace('type L', `type L${at}`)).join('\n\n')
    const chunks = cutText(text)
    expect(chunks.length).toBeLessThanOrEqual(MAX_CHUNKS)
    expect(chunks.join('') === text).toBe(true)
  })

  it('are not more for names that are chosen to end a chunk', () => {
    // Each name has the hash 0.
    const text = Array.from({ length: 9000 }, (_, at) => `type T2_a4ywdk\n{\n  field${at}: Int\n}`).join(
      '\n\n',
    )
    const chunks = cutText(text)
    expect(chunks.length).toBeGreaterThan(1000)
    expect(chunks.length).toBeLessThanOrEqual(MAX_CHUNKS)
    expect(chunks.join('') === text).toBe(true)
  })

  it('make the text together, whatever it is', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        '\n',
        '\ntype A {',
        '\n"""',
        '\n"a"\nscalar B',
        '\n}\n\nenum Č',
        '\nextend schema',
        ' ',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('')
        expect(cutText(text).join('')).toBe(text)
      }),
    )
  })
})

describe('an artifact in pieces', () => {
  it('is the artifact again, byte for byte, when its chunks are joined', () => {
    const artifact = buildArtifact(textOf(2000), [
      { name: 'b-next', routingUrl: 'http://127.0.0.1:2/', baseName: 'b' },
      ...SUBGRAPHS,
    ])
    const pieces = cutArtifact(artifact, HASH)
    const texts = new Map(
      pieces?.chunks.map(({ sha256, bytes }) => {
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
        return [sha256, new TextDecoder().decode(bytes)]
      }),
    )
    const list = parsePieceList(pieces?.list ?? new Uint8Array())
    expect(list.artifact).toBe(HASH)
    const joined = joinArtifact(list, (sha256) => texts.get(sha256) ?? '')
    expect(JSON.stringify(joined)).toBe(JSON.stringify(artifact))
  })

  it('is equal bytes for equal artifacts', () => {
    const artifact = buildArtifact(textOf(2000), SUBGRAPHS)
    expect(cutArtifact(artifact, HASH)).not.toBeNull()
    expect(cutArtifact(artifact, HASH)).toEqual(cutArtifact(structuredClone(artifact), HASH))
  })

  it('is none if its list would be larger than anybody reads', () => {
    const many = Array.from({ length: 3000 }, (_, at) => ({
      name: `subgraph-${at}`,
      routingUrl: `http://127.0.0.1/${'x'.repeat(1500)}`,
    }))
    expect(cutArtifact(buildArtifact(textOf(1), many), HASH)).toBeNull()
  })
})
