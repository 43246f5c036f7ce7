import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { StoredManifest } from '../src/index.ts'

export const SHOP = { namespace: 'default', graph: 'shop' }

/** A manifest whose bytes tell the version, with bytes that are no text. */
export function manifestOf(epoch: number, revision: number, note = ''): StoredManifest {
  const bytes = Buffer.concat([
    Buffer.from(`${epoch}/${revision} ${note} grüße`),
    Buffer.from([0, 0xff, 0xfe, 10]),
  ])
  return {
    version: { epoch, revision },
    manifest: new Uint8Array(bytes),
    signature: `header..${epoch}-${revision}`,
  }
}

export function artifactOf(content: string): { readonly sha256: string; readonly gzipped: Uint8Array } {
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { sha256, gzipped: new Uint8Array(gzipSync(content)) }
}
