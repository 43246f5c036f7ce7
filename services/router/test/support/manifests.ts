/** Manifests of documents in files, as tests write them. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** As Relay and GraphQL Code Generator write them. */
export function manifestOf(...texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(texts.map((text) => [sha256(text), text]))
}

/** As `@apollo/generate-persisted-query-manifest` writes them. */
export function apolloManifestOf(...texts: readonly string[]) {
  const operations = texts.map((body) => ({ id: sha256(body), name: 'Name', type: 'query', body }))
  return { format: 'apollo-persisted-query-manifest', version: 1, operations }
}

export type ManifestFolder = AsyncDisposable & {
  readonly path: (name: string) => string
  readonly write: (name: string, manifest: unknown) => Promise<void>
}

export async function createManifestFolder(
  manifests: Readonly<Record<string, unknown>> = {},
): Promise<ManifestFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-manifests-'))
  const path = (name: string) => join(folder, name)
  const write = (name: string, manifest: unknown) =>
    writeFile(path(name), typeof manifest === 'string' ? manifest : JSON.stringify(manifest))
  for (const [name, manifest] of Object.entries(manifests)) await write(name, manifest)
  return { path, write, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
