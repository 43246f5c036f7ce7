/** The text of the two small files of a graph, and back. Null for text that is not what was written. */
import { z } from 'zod'
import type { ManifestVersion, StoredManifest } from '../store/config-store.ts'

const VersionText = z.object({ epoch: z.int().min(0), revision: z.int().min(0) })
const ManifestFile = z.object({ version: VersionText, manifest: z.base64(), signature: z.string() })
const HistoryFile = z.array(VersionText)

export function formatManifest({ version, manifest, signature }: StoredManifest): Buffer {
  const { epoch, revision } = version
  const file = { version: { epoch, revision }, manifest: Buffer.from(manifest).toString('base64'), signature }
  return Buffer.from(JSON.stringify(file))
}

export function parseManifest(text: Buffer): StoredManifest | null {
  const file = ManifestFile.safeParse(parseJson(text))
  if (!file.success) return null
  const { version, manifest, signature } = file.data
  return { version, manifest: new Uint8Array(Buffer.from(manifest, 'base64')), signature }
}

export function formatHistory(history: readonly ManifestVersion[]): Buffer {
  return Buffer.from(JSON.stringify(history.map(({ epoch, revision }) => ({ epoch, revision }))))
}

export function parseHistory(text: Buffer): readonly ManifestVersion[] | null {
  const file = HistoryFile.safeParse(parseJson(text))
  return file.success ? file.data : null
}

function parseJson(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'))
  } catch {
    return undefined
  }
}
