/** The settings `subscriptions.upstream`: connections for subscriptions at subgraphs. */
import { z } from 'zod'
import type { CamelCased } from '../../settings/camel-cased.ts'
import { duration, size } from '../../settings/quantities.ts'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'

const isSome = (milliseconds: number): boolean => milliseconds > 0
const SOME = 'expected at least 1ms'

export const UpstreamSettings = section({
  open_timeout: setting(duration('10s').refine(isSome, SOME), {
    says: 'time limit for opening a subscription at a subgraph: up to the `connection_ack` of a WebSocket, or the first bytes of an event stream',
  }),
  reconnect_window: setting(duration('30s'), {
    says: 'how long the router tries to open subscriptions again whose connection to the subgraph was lost, before their clients get an error; `0s` means not at all. While the circuit of the subgraph is open it waits',
  }),
  ping_interval: setting(duration('15s').refine(isSome, SOME), {
    says: 'silence of a subgraph after which its WebSocket is sent a ping; after as long again without a sign of life it counts as lost',
  }),
  max_event_size: setting(size('1MiB', '1KiB'), {
    says: 'size of an event that a subgraph may send; one that is larger ends the connection on which it comes, and the router connects again',
  }),
  max_event_streams: setting(z.int().min(1).max(100_000).default(1000), {
    says: 'connections for event streams of each subgraph, besides those for calls',
  }),
})

/** The settings as the router uses them; times are in milliseconds. */
export type UpstreamConfig = CamelCased<z.output<typeof UpstreamSettings>>
