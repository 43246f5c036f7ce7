/**
 * Finds out in which account of NATS a user is. Only the server knows: one account has many users, and two
 * servers may have accounts of one name.
 */
import { connect } from '@nats-io/transport-node'
import { z } from 'zod'
import { natsOptions } from './nats-options.ts'
import type { NatsSettings } from './nats-settings.ts'

const ANSWERED_WITHIN_MS = 5_000

/** An account, and where it is. */
export type NatsAccount = {
  readonly account: string
  /** The server that was asked. */
  readonly server: string
  /** Null for a server that is in no cluster. */
  readonly cluster: string | null
}

/** https://docs.nats.io/running-a-nats-service/configuration/sys_accounts#user-services. */
const UserInfo = z.object({
  server: z.object({ id: z.string(), cluster: z.string().optional() }),
  data: z.object({ account: z.string() }),
})

/**
 * Returns null if NATS does not tell: it is older than 2.10, or the user may not ask, or not hear the answer.
 * Rejects if there is no connection.
 */
export async function natsAccountOf(settings: NatsSettings, name: string): Promise<NatsAccount | null> {
  const { options, check } = natsOptions(settings, name)
  check()
  const connection = await connect({ ...options, name: `${name}, which account`, reconnect: false })
  try {
    const answer = await connection.request('$SYS.REQ.USER.INFO', '', { timeout: ANSWERED_WITHIN_MS })
    const { server, data } = UserInfo.parse(answer.json())
    return { account: data.account, server: server.id, cluster: server.cluster ?? null }
  } catch {
    return null
  } finally {
    await connection.close()
  }
}

/** Whether both are one account, for certain: of one server, or of one cluster. */
export function isSameAccount(one: NatsAccount, other: NatsAccount): boolean {
  if (one.account !== other.account) return false
  return one.server === other.server || (one.cluster !== null && one.cluster === other.cluster)
}
