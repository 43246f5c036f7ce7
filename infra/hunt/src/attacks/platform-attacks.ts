/**
 * Attacks on what feeds routers: on NATS, on Redis and by publishing. They run against real services on real
 * servers.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { openRedisConfigStore } from '@switchyard/config-store'
import { routerStatusSubject } from '@switchyard/contracts'
import { connectNats } from '@switchyard/event-log'
import { ATTACKER, counted, type Tally } from './attack.ts'
import { CHUNK, PIECES, sendOnConnections } from './cut-input.ts'
import type { MemoryLimits } from './memory-limits.ts'

/** The servers that the attacker can reach. */
export type PlatformField = {
  readonly natsUrl: string
  readonly redisUrl: string
  readonly registryUrl: string
  readonly apiKey: string
  readonly graph: string
  readonly signal: AbortSignal
  readonly tally: Tally
}

export type PlatformAttack = {
  readonly name: string
  /**
   * True if publishes of others need not be served, since an owner of the config store can hold them back.
   */
  readonly mayHoldBack?: true
  /** The program whose memory and turns are judged, if it is not a router. */
  readonly attacked?: 'registry-0'
  /** The memory limits of that program, if they differ from the usual ones. */
  readonly memory?: Partial<MemoryLimits>
  /** True if the attack lies in how its input is cut. */
  readonly isCut?: true
  /** Resolves soon after the signal aborts. */
  readonly run: (field: PlatformField) => Promise<void>
}

const PAUSE_MS = 50

/** Acts again and again, with pauses in which others may run. */
async function repeatedly({ signal }: PlatformField, act: (round: number) => Promise<void>): Promise<void> {
  for (let round = 0; !signal.aborted; round++) {
    await act(round)
    await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined)
  }
}

const GARBAGE = ['not json', '', '{"v":1}']

const GARBAGE_RECORDS: PlatformAttack = {
  name: '6: records on the logs that nobody can read',
  async run(field) {
    const { natsUrl, graph, tally } = field
    await using link = await connectNats({ url: natsUrl, name: 'stranger' })
    const subjects = [
      'registry.events.default',
      'registry.events._system',
      `compositions.default.${graph}`,
      'compositions.nobody',
      `configs.default.${graph}`,
    ]
    await repeatedly(field, async () => {
      for (const subject of subjects)
        for (const text of GARBAGE) {
          const answer = await link.connection.request(subject, text)
          tally.requests++
          tally.bytes += text.length
          counted(tally, typeof answer.json<{ seq?: unknown }>().seq === 'number' ? 'stored' : 'refused')
        }
    })
  },
}

const BYTES = 64 * 1024
const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable"])'

/**
 * Values of an enum that another subgraph does not have: tens of thousands of errors, each with its places.
 */
function mistakes(name: string): string {
  let values = ''
  for (let index = 0; values.length < BYTES; index++) values += `${name}${index} `
  return `${LINK} type Query { ${name}(x: E): E } enum E { ${values} }`
}

const LARGE_COMPOSITIONS: PlatformAttack = {
  name: '7: schemas of 64 KB with 22,000 mistakes and five flags, published again and again',
  async run(field) {
    const { registryUrl, apiKey, signal, tally } = field
    const send = async (method: string, path: string, body: object): Promise<void> => {
      const text = JSON.stringify(body)
      tally.requests++
      tally.bytes += text.length
      try {
        const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
        const response = await fetch(`${registryUrl}${path}`, { method, headers, body: text, signal })
        await response.arrayBuffer()
        counted(tally, String(response.status))
      } catch (error) {
        if (!signal.aborted) throw error
        counted(tally, 'stopped')
      }
    }
    await send('POST', '/v1/namespaces', { name: 'loud' })
    await send('POST', '/v1/graphs/loud', { name: 'shop', labelMatchers: [] })
    const publish = (name: string, round: number, more: object = {}) =>
      send('PUT', `/v1/subgraphs/loud/${name}/schema`, { sdl: mistakes(`${name}r${round}x`), ...more })
    await publish('one', 0, { routingUrl: 'http://one.test/' })
    await publish('two', 0, { routingUrl: 'http://two.test/' })
    for (let flag = 0; flag < 5 && !signal.aborted; flag++) {
      const name = `v${flag}`
      await send('POST', '/v1/feature-subgraphs/loud', {
        name,
        routingUrl: 'http://v.test/',
        subgraph: 'two',
      })
      await publish(name, 0)
      await send('POST', '/v1/feature-flags/loud', {
        name: `flag${flag}`,
        featureSubgraphs: [name],
        enabled: true,
      })
    }
    await repeatedly(field, (round) => publish(round % 2 === 0 ? 'one' : 'two', round + 1))
  },
}

const REPLAYED_MANIFEST: PlatformAttack = {
  name: '15: an old manifest put into the config store again and again',
  mayHoldBack: true,
  async run(field) {
    const { redisUrl, graph, tally } = field
    const key = { namespace: 'default', graph }
    await using store = await openRedisConfigStore({ url: redisUrl })
    const old = await store.getManifest(key)
    if (old === null) throw new Error('There is no manifest to replay.')
    const bytes = JSON.stringify(old).length
    await repeatedly(field, async () => {
      await store.replaceManifest(key, old)
      tally.requests++
      tally.bytes += bytes
      counted(tally, 'replaced')
    })
  },
}

const HEARTBEATS_AT_ONCE = 250

const FORGED_HEARTBEATS: PlatformAttack = {
  name: '16: heartbeats of routers that do not exist',
  async run(field) {
    const { natsUrl, graph, tally } = field
    const own = { namespace: 'default', graph }
    await using link = await connectNats({ url: natsUrl, name: 'stranger' })
    let number = 0
    await repeatedly(field, async () => {
      for (let index = 0; index < HEARTBEATS_AT_ONCE; index++) {
        const instance = `ghost${number++}`
        const text = JSON.stringify({
          ...own,
          instance,
          boot: 'b1',
          epoch: 0,
          revision: 0,
          registrySequence: 0,
          flags: [],
          configCreatedAt: null,
          state: 'serving',
        })
        link.connection.publish(routerStatusSubject(own, instance), text)
        tally.requests++
        tally.bytes += text.length
      }
      await link.connection.flush()
      counted(tally, 'flushed')
    })
  },
}

const CUT_PUBLISHES: PlatformAttack = {
  name: '20: publishes in chunks of one byte, with a key for one namespace',
  attacked: 'registry-0',
  isCut: true,
  memory: { growth: 250e6, kept: 150e6 },
  async run(field) {
    const { registryUrl, apiKey, signal, tally } = field
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const made = async (path: string, body: object): Promise<unknown> => {
      const response = await fetch(`${registryUrl}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
      return response.json()
    }
    await made('/v1/namespaces', { name: 'loud' })
    const key = (await made('/v1/api-keys', { name: 'loud', scopes: ['publish:loud'] })) as {
      readonly key: string
    }
    const { hostname: host, port } = new URL(registryUrl)
    const head =
      'PUT /v1/subgraphs/loud/one/schema HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
      `Authorization: Bearer ${key.key}\r\nTransfer-Encoding: chunked\r\n\r\n`
    const attacker = { host, port: Number(port), address: ATTACKER, signal, tally }
    await sendOnConnections(attacker, 100, Buffer.from(head), Buffer.from(CHUNK.repeat(PIECES)))
  },
}

export const PLATFORM_ATTACKS: readonly PlatformAttack[] = [
  GARBAGE_RECORDS,
  LARGE_COMPOSITIONS,
  REPLAYED_MANIFEST,
  FORGED_HEARTBEATS,
  CUT_PUBLISHES,
]
