/**
 * Inputs that were found, in files: the first line says in JSON what it is, the rest are the bytes. Files may
 * be compressed with gzip.
 */
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'

const Head = z.object({
  target: z.string(),
  /** How it ended when it was found. */
  outcome: z.string(),
  bytesOut: z.number(),
})

export type KeptInput = z.infer<typeof Head> & { readonly bytes: Buffer }

export async function readKeptInput(path: string): Promise<KeptInput> {
  const stored = await readFile(path)
  const content = path.endsWith('.gz') ? gunzipSync(stored) : stored
  const end = content.indexOf('\n')
  const head = Head.parse(JSON.parse(content.subarray(0, end).toString('utf8')))
  return { ...head, bytes: content.subarray(end + 1) }
}
