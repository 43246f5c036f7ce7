/**
 * The copy on disk with which a router starts when the config store is away: manifest, signature and artifacts in one file
 * per graph, replaced as a whole. It is verified like any source: a disk is no more trusted than a network.
 */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type GraphKey, writeFileAtomically } from '@switchyard/config-store'
import { encodeToken } from '@switchyard/contracts'
import { z } from 'zod'
import { ManifestRejectedError } from '../errors.ts'
import type { OfferedConfig, VerifiedConfig } from './offered-config.ts'
import { type ManifestVerifier, offerOf } from './verify-manifest.ts'

const CopyFile = z.object({
  formatVersion: z.literal(1),
  version: z.object({ epoch: z.int(), revision: z.int() }),
  manifest: z.string(),
  signature: z.string(),
  /** Gzipped artifacts in base64, by hash. */
  artifacts: z.record(z.string(), z.string()),
})

export interface LastKnownGood {
  /** null: there is no copy. Throws ManifestRejectedError for one that is damaged or forged. */
  read(graph: GraphKey): Promise<OfferedConfig | null>
  /** Resolves when the copy is on disk, with a function that puts back what was there before. */
  write(graph: GraphKey, config: VerifiedConfig): Promise<() => Promise<void>>
}

export function createLastKnownGood(directory: string, verify: ManifestVerifier): LastKnownGood {
  const pathOf = ({ namespace, graph }: GraphKey) =>
    join(directory, `${encodeToken(namespace)}.${encodeToken(graph)}.json`)

  return {
    async read(graph) {
      const bytes = await readIfThere(pathOf(graph))
      if (bytes === null) return null
      const file = parsed(bytes)
      const signed = {
        version: file.version,
        manifest: Buffer.from(file.manifest, 'utf8'),
        signature: file.signature,
      }
      const artifacts = new Map(Object.entries(file.artifacts))
      return offerOf(await verify(signed, graph), signed, 'last-known-good copy', async (sha256) => {
        const text = artifacts.get(sha256)
        return text === undefined ? null : Buffer.from(text, 'base64')
      })
    },

    async write(graph, { signed, artifacts }) {
      if (signed === null) return async () => {}
      const path = pathOf(graph)
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const before = await readIfThere(path)
      const file: z.infer<typeof CopyFile> = {
        formatVersion: 1,
        version: signed.version,
        manifest: Buffer.from(signed.manifest).toString('utf8'),
        signature: signed.signature,
        artifacts: Object.fromEntries(
          [...artifacts].map(([sha256, gzipped]) => [sha256, Buffer.from(gzipped).toString('base64')]),
        ),
      }
      await writeFileAtomically(path, Buffer.from(JSON.stringify(file)))
      return async () => {
        if (before !== null) await writeFileAtomically(path, before)
      }
    },
  }
}

function parsed(bytes: Buffer): z.infer<typeof CopyFile> {
  try {
    return CopyFile.parse(JSON.parse(bytes.toString('utf8')))
  } catch (error) {
    throw new ManifestRejectedError(
      'MANIFEST_INVALID',
      'The file is damaged (not the JSON that a router writes).',
      error,
    )
  }
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
