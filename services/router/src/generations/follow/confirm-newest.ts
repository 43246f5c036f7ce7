/**
 * Checks that a manifest of the config store is the newest one. The signature of a manifest says who made it,
 * not that no newer one exists. The head beside it does: it names the newest revision, is signed by the same
 * key, and expires.
 */
import { compareVersions, type GraphKey, type ManifestVersion } from '@switchyard/config-store'
import {
  CLOCK_TOLERANCE_MS,
  CONFIG_HEAD_TYPE,
  ConfigHead,
  headSubject,
  type Jwks,
} from '@switchyard/contracts'
import { ManifestRejectedError } from '../../errors/http-error.ts'
import type { ConfigEvents } from './config-events.ts'
import { type SignatureCheck, signedBy } from '../verify/signed-by.ts'

/**
 * Throws ManifestRejectedError: MANIFEST_OLDER when the head names a newer revision, MANIFEST_UNCONFIRMED
 * without a valid head.
 */
export type NewestConfirmation = (
  graph: GraphKey,
  version: ManifestVersion,
  head: string | null,
) => Promise<void>

/** `now`: Unix milliseconds. */
export function createNewestConfirmation(keys: Jwks, now: () => number = Date.now): NewestConfirmation {
  const check = signedBy(keys)
  return async (graph, version, head) => {
    if (head === null) throw unconfirmed('the config store holds no signed head of the graph')
    const claims = await claimsOf(head, check)
    if (claims.sub !== headSubject(graph))
      throw unconfirmed(`the head of the config store is for another graph, ${claims.sub}`)
    const seconds = now() / 1000
    const tolerance = CLOCK_TOLERANCE_MS / 1000
    if (claims.exp + tolerance <= seconds) throw unconfirmed(`the head expired at ${instant(claims.exp)}`)
    if (claims.iat - tolerance > seconds) {
      throw unconfirmed(
        `the head was signed at ${instant(claims.iat)}, which is in the future: the clock of this machine is late, or that of ` +
          'config-distribution is early',
      )
    }
    if (compareVersions(version, claims) >= 0) return
    throw new ManifestRejectedError(
      'MANIFEST_OLDER',
      `It is revision ${version.revision} of epoch ${version.epoch}, but the newest is revision ${claims.revision} of epoch ` +
        `${claims.epoch}, as config-distribution signed at ${instant(claims.iat)}: the config store was set back, or an old ` +
        'manifest was put into it.',
    )
  }
}

/** A manifest that is certainly old is refused all the same. */
export function warnInstead(
  confirm: NewestConfirmation,
  events: Pick<ConfigEvents, 'unconfirmedAccepted'>,
): NewestConfirmation {
  return async (graph, version, head) => {
    try {
      await confirm(graph, version, head)
    } catch (error) {
      if (!(error instanceof ManifestRejectedError) || error.code !== 'MANIFEST_UNCONFIRMED') throw error
      events.unconfirmedAccepted(version, error)
    }
  }
}

async function claimsOf(head: string, check: SignatureCheck): Promise<ConfigHead> {
  try {
    const { payload, protectedHeader } = await check(head)
    if (protectedHeader.typ !== CONFIG_HEAD_TYPE)
      throw new Error(`its type is ${protectedHeader.typ ?? 'not given'}`)
    return ConfigHead.parse(JSON.parse(Buffer.from(payload).toString('utf8')))
  } catch (error) {
    throw unconfirmed('the head of the config store was not signed by any of the configured keys', error)
  }
}

function unconfirmed(reason: string, cause?: unknown): ManifestRejectedError {
  return new ManifestRejectedError(
    'MANIFEST_UNCONFIRMED',
    `It may be an old one: ${reason}. Config-distribution signs a head every minute while it runs and can read its log.`,
    cause,
  )
}

function instant(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
