/**
 * The message that describes an object of a JetStream object store, and changes of it that hold only when
 * nobody changed it since it was read. The client library reads and writes it in two steps, so an object that
 * is put again while somebody removes it would be lost. The form is that of ADR-20 of NATS (architecture and
 * design), which all clients share.
 */
import { JetStreamApiCodes, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import { z } from 'zod'

const ROLLUP = { name: 'Nats-Rollup', value: 'sub' } as const
const WRONG_LAST_SEQUENCE = new Set([10_071, 10_164])

/** The members that are read. Those that others wrote into it stay in it. */
const Content = z.looseObject({
  nuid: z.string(),
  mtime: z.string(),
  deleted: z.boolean().optional(),
})

export type ObjectDescription = {
  readonly bucket: string
  readonly subject: string
  /** Sequence of the message. */
  readonly revision: number
  readonly content: z.infer<typeof Content>
}

/** Null for an object that never was there; a removed one has a description that says so. */
export async function readDescription(
  jsm: JetStreamManager,
  bucket: string,
  name: string,
): Promise<ObjectDescription | null> {
  const subject = `$O.${bucket}.M.${urlSafe(name)}`
  try {
    const message = await jsm.streams.getMessage(`OBJ_${bucket}`, { last_by_subj: subject })
    if (message === null) return null
    return { bucket, subject, revision: message.seq, content: Content.parse(message.json()) }
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.NoMessageFound) return null
    throw error
  }
}

/** Makes the object as new as now. False when it was changed meanwhile. */
export async function renewUnchanged(jsm: JetStreamManager, found: ObjectDescription): Promise<boolean> {
  return replace(jsm, found, { ...found.content, mtime: new Date().toISOString() })
}

/** False when the object was changed meanwhile; then nothing was removed. */
export async function deleteUnchanged(jsm: JetStreamManager, found: ObjectDescription): Promise<boolean> {
  const removed = { ...found.content, deleted: true, size: 0, chunks: 0, digest: '' }
  if (!(await replace(jsm, found, removed))) return false
  await jsm.streams.purge(`OBJ_${found.bucket}`, { filter: `$O.${found.bucket}.C.${found.content.nuid}` })
  return true
}

async function replace(jsm: JetStreamManager, found: ObjectDescription, content: object): Promise<boolean> {
  const header = headers()
  header.set(ROLLUP.name, ROLLUP.value)
  try {
    await jsm.jetstream().publish(found.subject, JSON.stringify(content), {
      headers: header,
      expect: { lastSubjectSequence: found.revision },
    })
    return true
  } catch (error) {
    if (error instanceof JetStreamApiError && WRONG_LAST_SEQUENCE.has(error.code)) return false
    throw error
  }
}

function urlSafe(name: string): string {
  return Buffer.from(name).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}
