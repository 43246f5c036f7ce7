import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { compose, cutArtifact } from '@switchyard/composition'
import type { Artifact } from '@switchyard/contracts'

export type BuiltArtifact = {
  readonly sha256: string
  readonly gzipped: Uint8Array
  readonly artifact: Artifact
}

/** `base` or `next` (the composition in which products-next replaces products). */
export function buildArtifact(
  composition: 'base' | 'next',
  urls: { readonly products: string; readonly reviews: string },
): BuiltArtifact {
  const file = new URL(`../fixtures/supergraph-${composition}.graphql`, import.meta.url)
  const products =
    composition === 'base'
      ? { name: 'products', routingUrl: urls.products }
      : { name: 'products-next', routingUrl: urls.products, baseName: 'products' }
  return packed({
    formatVersion: 1,
    supergraphSdl: readFileSync(file, 'utf8'),
    subgraphs: [products, { name: 'reviews', routingUrl: urls.reviews }],
    compatibilityVersion: 'join/v0.3',
  })
}

/** The composition of these subgraphs. */
export function composedArtifact(subgraphs: Parameters<typeof compose>[0]['subgraphs']): BuiltArtifact {
  const composed = compose({ subgraphs })
  if (composed.kind === 'failed') throw new Error(composed.errors.map(({ message }) => message).join('\n'))
  return packed({
    formatVersion: 1,
    supergraphSdl: composed.supergraphSdl,
    subgraphs: subgraphs.map(({ name, routingUrl }) => ({ name, routingUrl })),
    compatibilityVersion: 'join/v0.3',
  })
}

/** Custom scalars, an interface, mutations, and things that are hidden from clients: `ledger` and `audit`. */
export function buildLedgerArtifact(urls: {
  readonly ledger: string
  readonly audit: string
}): BuiltArtifact {
  return packed({
    formatVersion: 1,
    supergraphSdl: readFileSync(new URL('../fixtures/supergraph-ledger.graphql', import.meta.url), 'utf8'),
    subgraphs: [
      { name: 'ledger', routingUrl: urls.ledger },
      { name: 'audit', routingUrl: urls.audit },
    ],
    compatibilityVersion: 'join/v0.3',
  })
}

/** An artifact that verifies and does not compile. */
export function brokenArtifact(): BuiltArtifact {
  return packed({
    formatVersion: 1,
    supergraphSdl: 'type Query { a: String @unknown__directive(',
    subgraphs: [{ name: 'a', routingUrl: 'http://127.0.0.1:1/' }],
    compatibilityVersion: 'join/v0.3',
  })
}

/**
 * The same graph as a text that is compiled as a whole, whatever graphs there are: a definition does not
 * begin its line. So all flags take as much as base.
 */
export function compiledWhole({ artifact: { supergraphSdl, ...rest } }: BuiltArtifact): BuiltArtifact {
  return packed({ ...rest, supergraphSdl: supergraphSdl.replace(/\ntype /, '\n  type ') })
}

export function packed(artifact: Artifact): BuiltArtifact {
  const bytes = Buffer.from(JSON.stringify(artifact))
  return { sha256: createHash('sha256').update(bytes).digest('hex'), gzipped: gzipSync(bytes), artifact }
}

/** The hash of the list, and the list with the chunks: gzipped, by hash. */
export function piecesOf({ artifact, sha256 }: BuiltArtifact): {
  readonly list: string
  readonly pieces: ReadonlyMap<string, Uint8Array>
} {
  const cut = cutArtifact(artifact, sha256)
  if (cut === null) throw new Error('it has more subgraphs than a list may name')
  const list = createHash('sha256').update(cut.list).digest('hex')
  const chunks = cut.chunks.map((chunk) => [chunk.sha256, gzipSync(chunk.bytes)] as const)
  return { list, pieces: new Map([...chunks, [list, gzipSync(cut.list)]]) }
}
