/** The steps that are carried out on Compose under load, in this order. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ComposeWorld } from './compose-world.ts'

export type Step = {
  /** Short and unique; `--only` finds it by any part. */
  readonly name: string
  /** A text for the table that says what is done, and why nobody notices it. */
  readonly told: string
  /**
   * Resolves when it is over and made good. The result is when a router was killed, in milliseconds of the
   * epoch.
   */
  readonly carryOut: (world: ComposeWorld) => Promise<number | undefined>
}

/** The time between stopping a server and starting it again. */
const AWAY_MS = 20_000

/** Services whose end no request of a client may notice, and why it does not. */
const UNNOTICED = {
  registry: 'Routers ask nothing of it. Commands go to the other one.',
  composer: 'Routers ask nothing of it. The other one goes on composing.',
  'config-distribution':
    'Routers serve what they have. What changes meanwhile is distributed when it is back.',
  nats: 'Routers serve what they have, and hear of changes later. Commands wait or get 503.',
  redis: 'Routers serve what they have. Its content is written again from the log.',
} as const

const KILLED = ['registry', 'composer', 'config-distribution', 'nats', 'redis'] as const

export const STEPS: readonly Step[] = [
  ...KILLED.map((service) => ({
    name: `${service} killed`,
    told: `\`kill -9\` of a container, which is started again after 2 s. ${UNNOTICED[service]}`,
    carryOut: async (world: ComposeWorld) => {
      await using _ = await world.kill(service)
      return undefined
    },
  })),
  {
    name: 'router killed',
    told: '`kill -9` of a container, which is started again after 2 s. What was on it is lost; HAProxy asks the other router again for queries by GET, and sends everything after that elsewhere.',
    carryOut: async (world) => {
      await using _ = await world.kill('router')
      return Date.now()
    },
  },
  ...(['nats', 'redis'] as const).map((service) => ({
    name: `${service} stopped`,
    told: `Stopped in the orderly way for ${AWAY_MS / 1000} s. ${UNNOTICED[service]}`,
    carryOut: async (world: ComposeWorld) => {
      await world.stop(service)
      await sleep(AWAY_MS)
      await world.start(service)
      return undefined
    },
  })),
  {
    name: 'rolling restart of the routers',
    told: 'One after the other is stopped in the orderly way and started again; the next one when it is ready. A router that stops says so to the load balancer, goes on for 5 s, and answers what it has before it ends.',
    carryOut: async (world) => {
      await world.restart('router')
      return undefined
    },
  },
  {
    name: 'upgrade of all services',
    told: '`compose.sh roll registry composer config-distribution router`: a new container of each is ready before an old one is stopped.',
    carryOut: async (world) => {
      await world.compose('roll', 'registry', 'composer', 'config-distribution', 'router')
      return undefined
    },
  },
]
