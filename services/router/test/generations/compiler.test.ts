/** What stays in memory when a composition was compiled. */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Compiler } from '../../src/generations/build/compiler.ts'
import { heldBytes } from '../support/heap.ts'

const TYPES = 1500
const FIELDS = Array.from({ length: 20 }, (_, index) => `field${index}: String`).join(' ')

describe('a compiler', () => {
  it('keeps nothing of what its thread sent', async () => {
    await using compiler = new Compiler()
    await compiler.compile({ kind: 'whole', gzipped: artifact(1) })
    const before = await heldBytes()
    const size = await sizeOf(compiler)
    expect(size).toBeGreaterThan(15_000_000)
    expect((await heldBytes()) - before).toBeLessThan(size / 10)
  })
})

/** The result is let go. */
async function sizeOf(compiler: Compiler): Promise<number> {
  return (await compiler.compile({ kind: 'whole', gzipped: artifact(TYPES) })).size
}

function artifact(types: number): Uint8Array {
  const objects = Array.from({ length: types }, (_, index) => `type T${index} { ${FIELDS} }`)
  const supergraphSdl = `
    schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION) { query: Query }
    enum join__Graph { A @join__graph(name: "a", url: "http://127.0.0.1:1/") }
    type Query { first: T0 }
    ${objects.join('\n')}`
  const subgraphs = [{ name: 'a', routingUrl: 'http://127.0.0.1:1/' }]
  const parts = { formatVersion: 1, compatibilityVersion: 'join/v0.3', supergraphSdl, subgraphs }
  return gzipSync(JSON.stringify(parts))
}
