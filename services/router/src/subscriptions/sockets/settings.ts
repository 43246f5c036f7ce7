/** The settings of WebSockets: `subscriptions.connection_init` and `subscriptions.sockets`. */
import { z } from 'zod'
import { headerOrigin } from '../../headers/header-origins.ts'
import { HeaderName } from '../../headers/header-values.ts'
import { camelCased } from '../../settings/camel-cased.ts'
import { lowerCased } from '../../settings/lower-cased.ts'
import { duration } from '../../settings/quantities.ts'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'

/**
 * Headers that a payload may set. A page could otherwise pass for another user or address: browsers and
 * proxies say these things, and the router believes them.
 */
const InitHeaders = z.array(HeaderName).superRefine((names, context) => {
  for (const [index, name] of names.entries()) {
    const origin = headerOrigin(name.toLowerCase())
    if (origin !== 'browser' && origin !== 'proxy') continue
    context.addIssue({
      code: 'custom',
      path: [index],
      message: `the header ${name} comes from browsers or proxies, and a client must not choose it: expected a header that only your clients send`,
    })
  }
})

/** The settings of the first message of a WebSocket. */
export const ConnectionInitSection = section({
  headers: setting(InitHeaders.default([]), {
    says: 'headers, such as `[authorization]`, that a client may send in the payload of `connection_init`, since pages cannot add headers to WebSockets. Headers of the handshake win. Never `Cookie`, `Forwarded`, `X-Forwarded-*`, or others that browsers and proxies add',
  }),
})

/** The limits of WebSockets. */
export const SocketsSection = section({
  max: setting(z.int().min(1).default(10_000), {
    says: 'WebSockets of all clients together. When one more is opened, it gets 503. They count as connections, too (`traffic.max_connections`)',
  }),
  max_per_client: setting(z.int().min(1).default(1000), {
    says: 'the same of one client address (an IPv6 client counts by its /64). Behind a proxy of `traffic.trusted_proxies` the address is the one that the proxy names',
  }),
  max_operations: setting(z.int().min(1).default(100), {
    says: 'operations that are in progress on one WebSocket, subscriptions included. One more is refused with `OVERLOADED`, and the others go on',
  }),
  max_messages_per_second: setting(z.int().min(1).default(100), {
    says: 'messages and pings that are taken from one WebSocket in a second. The router reads more of them a second later',
  }),
  init_timeout: setting(duration('10s'), {
    says: 'time limit for `connection_init`; then the WebSocket is closed with 4408',
  }),
  idle_timeout: setting(duration('10m'), {
    says: 'how long a WebSocket is kept on which no operation is in progress; then it is closed with 1000',
  }),
  max_age: setting(duration('24h'), {
    says: 'how long a WebSocket is kept at all; then it is closed with 1001, and clients come back with a new one',
  }),
  ping_interval: setting(duration('30s'), {
    says: 'time between two pings of the router. A client that answers none within this time is taken for gone',
  }),
})

export type SocketsConfig = ReturnType<typeof socketsConfigOf>

/** Returns the settings under the names that code uses. Names of headers are in lower case. */
export function socketsConfigOf(
  init: z.output<typeof ConnectionInitSection>,
  sockets: z.output<typeof SocketsSection>,
) {
  return { ...camelCased(sockets), initHeaders: lowerCased(init.headers) } as const
}
