/**
 * One of several workers of a router: its primary starts it, tells it everything, and is the reason for it to
 * exist.
 */
import {
  createLogger,
  LOG_LEVELS,
  openPropagation,
  type RunningService,
  runService,
  type ServiceContext,
  type ServiceProcess,
  startWithTelemetry,
} from '@switchyard/service-kit'
import { messageOf } from '@switchyard/values'
import type { RouterConfig } from '../config/router-config.ts'
import { boundHeapGrowth } from '../startup/heap-growth.ts'
import { releaseStartUpMemory } from '../startup/release-start-up-memory.ts'
import { startRouter } from '../startup/start-router.ts'
import { divideLimits } from './divide-limits.ts'
import { ALIVE_EVERY_MS } from './messages.ts'
import { PrimaryChannel } from './primary-channel.ts'
import { WorkerSettings } from './worker-settings.ts'

boundHeapGrowth()
// Whatever it is doing: nobody would replace it, or tell it of another config.
process.on('disconnect', () => process.exit(1))
// A terminal sends these to all processes of a command. The primary tells its workers what they mean.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})

const channel = new PrimaryChannel(process)
const first = await channel.setUp
const level = LOG_LEVELS.find((name) => name === process.env['SWITCHYARD_LOG_LEVEL']) ?? 'info'
const to = process.env['SWITCHYARD_OUTPUT'] === 'json' ? 'stderr' : 'stdout'

const worker: ServiceProcess = {
  env: process.env,
  on(event: string, listener: (error: unknown) => void) {
    if (event === 'SIGTERM') void channel.stopped.then(listener)
    else if (event === 'SIGHUP') channel.onReload = () => listener(null)
    else if (event !== 'SIGINT') process.on(event, listener)
  },
  exit: (code) => process.exit(code),
}
await runService(worker, {
  name: 'router',
  logger: createLogger({ name: 'router', level, to }).child({ worker: first.setUp.number }),
  start: (context) => startWithTelemetry(context, { service: 'router' }, () => start(context)),
  // The primary logs why.
  tellsFailures: true,
  // As the primary sees it.
  terminalIsGone: () => false,
})

async function start({ env, logger }: ServiceContext): Promise<RunningService> {
  const { number, workers, defaultNetworks, keepsMetrics } = first.setUp
  try {
    if (keepsMetrics) {
      const { keepWorkerMetrics } = await import('@switchyard/service-kit/keep-metrics')
      channel.measure = keepWorkerMetrics(logger).read
    }
    const input = { env, ...(defaultNetworks === null ? {} : { defaultNetworks }) }
    const settings = new WorkerSettings(first.setUp, input)
    const router = await startRouter({
      config: divideLimits(settings.current, workers),
      source: channel.sourceOf(first),
      logger,
      propagation: await openPropagation(env, logger),
      instance: `worker ${number}`,
      beforeListening: releaseStartUpMemory,
    })
    const prepare = (config: RouterConfig) => router.prepare(divideLimits(config, workers))
    channel.followSettings({
      prepare: (text) => settings.prepare(text, prepare),
      decide: (isTaken) => settings.decide(isTaken),
    })
    setInterval(() => channel.isAlive(router.load()), ALIVE_EVERY_MS).unref()
    void channel.answer({ kind: 'up' })
    return router
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : null
    await channel.answer({ kind: 'failed', code, message: messageOf(error) })
    throw error
  }
}
