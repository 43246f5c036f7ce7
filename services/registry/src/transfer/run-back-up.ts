/**
 * `main.ts back-up <folder> <number of backups to keep>`: a backup by a user of NATS that may only read, so
 * that what makes backups by the clock needs no admin key and no registry that runs.
 */
import {
  NATS_VARIABLES,
  type NatsSettings,
  type NatsStorage,
  natsSettingsOf,
  openNatsStorage,
} from '@switchyard/event-log'
import { type Environment, parseEnvironment, type ServerProblem } from '@switchyard/service-kit'
import { z } from 'zod'
import { messageOf } from '@switchyard/values'
import { type BackUp, backUp } from './back-up.ts'

/** NATS may be starting as well. What makes backups tries again by itself. */
const PATIENCE_MS = 60_000
const MOST_KEPT = 100_000

const BackUpEnvironment = z.object({
  SWITCHYARD_NATS_URL: z.string({
    error: 'expected nats://backup:…@host:port ("switchyard registry export" needs none)',
  }),
  ...NATS_VARIABLES,
})

export class WrongNumberOfBackUpsError extends Error {
  constructor(given: string) {
    super(`${JSON.stringify(given)} is no number of backups to keep: expected 1 to ${MOST_KEPT}.`)
    this.name = new.target.name
  }
}

export type RunBackUpOptions = {
  readonly folder: string
  /** The number as it was typed. */
  readonly keep: string
  readonly env: Environment
  /** How long NATS is waited for; a minute unless told. */
  readonly patienceMs?: number
}

/**
 * Makes a backup and returns a text for the person who started it. Throws an error whose message says what
 * was expected.
 */
export async function runBackUp({
  folder,
  keep: text,
  env,
  patienceMs = PATIENCE_MS,
}: RunBackUpOptions): Promise<string> {
  const keep = Number(text)
  if (!/^\d+$/.test(text) || keep < 1 || keep > MOST_KEPT) throw new WrongNumberOfBackUpsError(text)
  const values = parseEnvironment(BackUpEnvironment, env)
  await using storage = await openReadOnly(natsSettingsOf(values.SWITCHYARD_NATS_URL, values), patienceMs)
  const { log, blobs, pieces } = storage
  return described(await backUp({ log, blobs, pieces, now: Date.now, folder, keep }))
}

async function openReadOnly(settings: NatsSettings, patienceMs: number): Promise<NatsStorage> {
  let problem: ServerProblem | null = null
  const signal = AbortSignal.timeout(patienceMs)
  try {
    return await openNatsStorage({
      ...settings,
      name: 'backup',
      owns: [],
      ownsBlobs: false,
      signal,
      onProblem: (told) => (problem = told ?? problem),
    })
  } catch (error) {
    if (!signal.aborted) throw error
    const reason = (problem as ServerProblem | null)?.message ?? messageOf(error)
    throw new Error(`NATS could not be used within ${patienceMs / 1000} s: ${reason}`, { cause: error })
  }
}

function described({ file, counts, piecesLeftOut, removed, spared }: BackUp): string {
  const { registry, compositions, configs } = counts.records
  const lines = [
    `Wrote ${file}: ${registry} changes, ${compositions} compositions, ${configs} published revisions, ${counts.blobs} blobs, ${counts.pieces ?? 0} pieces of artifacts.`,
  ]
  if (piecesLeftOut !== null) {
    const { lists, reason } = piecesLeftOut
    lines.push(`It holds artifacts as a whole only, and not in pieces (${lists} of them): ${reason}`)
  }
  if (removed.length > 0) lines.push(`Removed ${removed.join(', ')}.`)
  if (spared.length > 0) {
    lines.push(
      `Did not remove ${spared.join(', ')}: each holds more changes than the new one, since the log was lost or set back. Remove them by hand when nobody needs them any more.`,
    )
  }
  return `${lines.join('\n')}\n`
}
