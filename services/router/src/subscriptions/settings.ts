/** The section `subscriptions`: events of subgraphs for clients. */
import { z } from 'zod'
import { camelCased } from '../settings/camel-cased.ts'
import { duration, size } from '../settings/quantities.ts'
import { section } from '../settings/section.ts'
import { setting } from '../settings/setting.ts'
import { ConnectionInitSection, SocketsSection, socketsConfigOf } from './sockets/settings.ts'
import { UpstreamSettings } from './upstream/settings.ts'

export const SubscriptionsSection = section({
  enabled: setting(z.boolean().default(false), {
    says: 'true: the router serves [subscriptions](subscriptions.md). Otherwise they get `SUBSCRIPTIONS_NOT_SUPPORTED`',
  }),
  max_subscriptions: setting(z.int().min(1).max(1_000_000).default(10_000), {
    says: 'subscriptions that a process serves at the same time; further ones get 503 `OVERLOADED`',
  }),
  parallel_events: setting(z.int().min(1).max(64).default(4), {
    says: 'events of one subscription that are completed at the same time by what other subgraphs add to them. Clients get them in the order of the source',
  }),
  share_by: setting(z.enum(['token', 'decision'], 'expected token or decision').default('token'), {
    says: '[who may share](subscriptions.md#who-shares-a-completion) the completion of an event. `token`: equal subscriptions with the same token. `decision`: also those with different tokens, if everything that the router and subgraphs learn from the tokens is the same',
  }),
  queue: section({
    max_events: setting(z.int().min(1).max(100_000).default(100), {
      says: 'events that wait for one client which reads more slowly than they come',
    }),
    max_size: setting(size('1MiB'), { says: 'bytes of these events, as they came from the subgraph' }),
    when_full: setting(z.enum(['drop_oldest', 'end'], 'expected drop_oldest or end').default('drop_oldest'), {
      says: '`drop_oldest`: the oldest event is dropped, and the next one says in `extensions.missed` how many were. `end`: the subscription ends with `SUBSCRIPTION_QUEUE_FULL`',
    }),
  }),
  keep_alive: setting(
    duration('10s').refine((interval) => interval >= 1000, 'expected at least 1s'),
    {
      says: 'interval of the signs of life on event streams and multipart answers without events, which keep proxies from closing them; at least 1s',
    },
  ),
  connection_init: ConnectionInitSection,
  sockets: SocketsSection,
  upstream: UpstreamSettings,
  move_window: setting(duration('5s'), {
    says: 'time over which subscriptions are moved, or ended, when another schema is served, so that not all clients come back at once',
  }),
})

/** The settings under the names that code uses; times in milliseconds, sizes in bytes. */
export type SubscriptionsConfig = ReturnType<typeof subscriptionsConfigOf>

/** Returns the settings. */
export function subscriptionsConfigOf({
  queue,
  upstream,
  connection_init: init,
  sockets,
  ...settings
}: z.output<typeof SubscriptionsSection>) {
  const { maxEvents, maxSize, whenFull } = camelCased(queue)
  const { parallelEvents, ...others } = camelCased(settings)
  const limits = { maxEvents, maxSize, whenFull, parallelEvents } as const
  return {
    ...others,
    limits,
    upstream: camelCased(upstream),
    sockets: socketsConfigOf(init, sockets),
  } as const
}
