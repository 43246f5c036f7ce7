/** The key of subscriptions whose events have equal results. */
import { hash } from 'node:crypto'
import { askingToChooseFor } from '../../request/request-property.ts'
import type { JoiningParts } from './join-run.ts'
import type { Subscribed } from './complete-subscription.ts'

/** The parts that know what decides about results. */
export type SharingParts = Pick<JoiningParts, 'generations' | 'sharing' | 'overrideLabels' | 'costs'>

/**
 * Returns the key; null if the subscription shares with no other one. It is made of all that decides about
 * answers to queries, but for what concerns one answer only: how the client is told, and what it has changed.
 */
export function completionKeyOf(
  { exchange, digest, flag, list }: Subscribed,
  { generations: { table }, sharing, overrideLabels, costs }: SharingParts,
): string | null {
  const { identity, named, request } = exchange
  if (table === null) return null
  const key = sharing.keyOf(digest, {
    method: '',
    mediaType: '',
    mutations: 0,
    headers: request.headers,
    flag,
    identity: identity === null ? null : identity.key,
    client: costs?.limitedName(named.name) ?? null,
    documents: list?.scope ?? '',
    side: overrideLabels.sideOf(table.labelsOf(flag), askingToChooseFor(exchange), table.config.graph),
  })
  return key === null ? null : hash('sha256', JSON.stringify([key.context, key.text]), 'base64')
}
