/**
 * A router in a process of its own, on the config store that a test writes. It logs to its output and answers
 * messages.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { writeHeapSnapshot } from 'node:v8'
import { openDirectoryConfigStore } from '@switchyard/config-store'
import { createLogger } from '@switchyard/service-kit'
import { LOCAL_NETWORKS, loadRouterConfig } from '../../src/config/router-config.ts'
import { boundHeapGrowth, startRouter } from '../../src/startup/start-router.ts'
import { GRAPH } from './config-world.ts'
import type { Delays, Memory, ProcessSetUp } from './router-process.ts'

/** How often the event loop is looked at. */
const SAMPLED_MS = 1

const { store, keys, settings, copies }: ProcessSetUp = JSON.parse(process.argv[2] ?? '')
const config = loadRouterConfig({
  file: { path: 'router.yaml', text: settings },
  defaultNetworks: LOCAL_NETWORKS,
})
boundHeapGrowth()
const router = await startRouter({
  config: { ...config, host: '127.0.0.1', port: 0, pollInterval: 50 },
  source: {
    kind: 'config-store',
    store: await openDirectoryConfigStore({ directory: store }),
    keys,
    graph: GRAPH,
    ...(copies !== null && { lastKnownGoodDirectory: copies }),
  },
  logger: createLogger({ name: 'router', to: process.stdout }),
})
await router.ready
const late = monitorEventLoopDelay({ resolution: SAMPLED_MS })
late.enable()
process.send?.({ port: router.port })
// Whoever started it is gone, without having stopped it.
const leave = (): void => process.exit(1)
process.once('disconnect', leave)
process.on('message', (message) => {
  if (message === 'measure') void measure().then((memory) => process.send?.(memory))
  if (message === 'look') process.send?.(look())
  if (message === 'delays') process.send?.(delays())
  if (typeof message === 'object' && message !== null && 'snapshot' in message)
    process.send?.({ written: writeHeapSnapshot(String(message.snapshot)) })
  if (message !== 'stop') return
  process.off('disconnect', leave)
  void router[Symbol.asyncDispose]().then(() => process.disconnect())
})

async function measure(): Promise<Memory> {
  if (globalThis.gc === undefined) throw new Error('start with --expose-gc')
  for (let collection = 0; collection < 2; collection++) {
    globalThis.gc()
    // For finalizers, whose objects the next collection frees.
    await delay(20)
  }
  return look()
}

function look(): Memory {
  const { heapUsed, heapTotal, external, arrayBuffers, rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return {
    heap: heapUsed,
    heapTotal,
    external,
    buffers: arrayBuffers,
    resident: rss,
    remembered: router.remembered,
    cpu: user + system,
  }
}

/** Node.js counts from one look to the next, in nanoseconds. */
function delays(): Delays {
  const [p99, max] = [late.percentile(99), late.max].map((gap) => Math.max(0, gap / 1e6 - SAMPLED_MS))
  late.reset()
  return { p99: p99 ?? 0, max: max ?? 0 }
}
