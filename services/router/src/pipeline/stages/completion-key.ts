/** The key of subscriptions whose events have equal results. */
import { hash } from 'node:crypto'
import { askingToChooseFor } from '../../request/request-property.ts'
import type { JoiningParts } from './join-run.ts'
import type { Subscribed } from './complete-subscription.ts'
import type { PlanningParts } from './plan-operation.ts'
import type { SubscribingParts } from './subscribing-parts.ts'

/** The parts that know what decides about results. */
export type SharingParts = Pick<JoiningParts, 'generations' | 'sharing' | 'overrideLabels' | 'costs'> &
  Pick<PlanningParts, 'authorizer'> & {
    readonly subscriptions: Pick<SubscribingParts['subscriptions'], 'sentClaims'>
  }

/**
 * Returns the key; null if the subscription shares with no other one. It is made of all that decides about
 * answers to queries, but for what concerns one answer only: how the client is told, and what it has changed.
 */
export function completionKeyOf(subscribed: Subscribed, parts: SharingParts): string | null {
  const { exchange, digest, flag, list } = subscribed
  const { sharing, overrideLabels, costs } = parts
  const { table } = parts.generations
  const { named, request } = exchange
  if (table === null) return null
  const key = sharing.keyOf(digest, {
    method: '',
    mediaType: '',
    mutations: 0,
    headers: request.headers,
    flag,
    identity: identityItem(subscribed, parts),
    client: costs?.limitedName(named.name) ?? null,
    documents: list?.scope ?? '',
    side: overrideLabels.sideOf(table.labelsOf(flag), askingToChooseFor(exchange), table.config.graph),
  })
  return key === null ? null : hash('sha256', JSON.stringify([key.context, key.text]), 'base64')
}

/**
 * Returns what stands for the token: the token itself, or all that results may depend on of it. A token is
 * read to answer an operation by access rules and by rules for headers; both are looked at for every
 * operation and every subgraph, so that nothing hangs on which of them the plan needs. The flag and the side
 * of progressive overrides, which claims may decide as well, are in the key by themselves.
 */
function identityItem(
  { exchange: { identity }, prepared: { operation } }: Subscribed,
  { authorizer, subscriptions: { sentClaims } }: SharingParts,
): string | null {
  if (sentClaims === null) return identity === null ? null : identity.key
  const granted = [...authorizer.granted(operation, identity)]
  return JSON.stringify([identity !== null, granted, sentClaims(identity)])
}
