import { isatty } from 'node:tty'
import {
  createLogger,
  failedDocument,
  LOG_LEVELS,
  openPropagation,
  type ReadWorkers,
  type RunningService,
  runService,
  say,
  type ServiceContext,
  startedDocument,
  startWithTelemetry,
} from '@switchyard/service-kit'
import { messageOf } from '@switchyard/values'
import { controlPlaneOf } from './brokers/control-plane.ts'
import type { Printed } from './startup/commands/printed.ts'
import { boundHeapGrowth } from './startup/heap-growth.ts'
import { releaseStartUpMemory } from './startup/release-start-up-memory.ts'
import { startRouter } from './startup/start-router.ts'
import { FILE_ALONE, openSource, sourceEnvironment } from './startup/open-source.ts'
import { readStart } from './startup/read-start.ts'

/** Asked for by "router start --json": stdout holds one document, and the log goes to stderr. */
const json = process.env['SWITCHYARD_OUTPUT'] === 'json'
const level = LOG_LEVELS.find((name) => name === process.env['SWITCHYARD_LOG_LEVEL']) ?? 'info'

/** Reads the metrics that the workers measured, in a router with several workers. */
let readWorkers: ReadWorkers = () => null

const words = process.argv.slice(2)
const tasks = words.filter((word) => word !== FILE_ALONE)
if (tasks.length > 0) {
  const printed = await printedFor(tasks)
  say('stdout', printed.stdout)
  say('stderr', printed.stderr)
  process.exitCode = printed.exitCode
} else await serve()

async function printedFor([task = '', ...more]: readonly string[]): Promise<Printed> {
  if (task === 'check-documents') {
    const { checkDocuments } = await import('./startup/commands/check-documents.ts')
    return checkDocuments(more, process.env, json)
  }
  const { printSettings } = await import('./startup/commands/print-settings.ts')
  const source = sourceEnvironment(process.env, words)
  return printSettings([task, ...more], { env: process.env, source, json })
}

async function serve(): Promise<void> {
  boundHeapGrowth()
  await runService(process, {
    name: 'router',
    tellsFailures: isatty(json ? 2 : 1),
    ...(json ? { logger: createLogger({ name: 'router', level, to: 'stderr' }) } : {}),
    async start(context) {
      try {
        return await startWithTelemetry(
          context,
          { service: 'router', workers: () => readWorkers() },
          (keepsMetrics) => start(context, keepsMetrics),
        )
      } catch (error) {
        // "router start" is a command, too: who typed it reads this, and not a log line with a stack.
        if (!context.signal.aborted) {
          if (json) say('stdout', failedDocument(error))
          else say('stderr', `error: ${messageOf(error)}\n`)
        }
        throw error
      }
    },
  })
}

async function start({ env, logger }: ServiceContext, keepsMetrics: boolean): Promise<RunningService> {
  const from = sourceEnvironment(env, words)
  const { config, file, networks, settings, instance } = await readStart(env, from)
  await using parts = new AsyncDisposableStack()
  const { source, announcer, fleetKey } = parts.use(await openSource(from, instance, logger))
  const shared = { config, source, logger, instance, ...(settings === null ? {} : { settings }) }
  const startHere = async () =>
    startRouter({
      ...shared,
      beforeListening: releaseStartUpMemory,
      controlPlane: controlPlaneOf(env),
      propagation: await openPropagation(env, logger),
      ...(fleetKey === undefined ? {} : { fleetKey }),
      ...(announcer === null ? {} : { announcer }),
    })
  const startWorkers = async () => {
    // Only a router with several workers loads what leads them.
    const { startPrimary } = await import('./workers/start-primary.ts')
    const defaultNetworks = networks.defaultNetworks ?? null
    const primary = await startPrimary({
      ...shared,
      announcer,
      fleetKey: fleetKey ?? null,
      env,
      file,
      defaultNetworks,
      keepsMetrics,
    })
    readWorkers = () => primary.measure()
    return primary
  }
  const router = parts.use(config.workers === 1 ? await startHere() : await startWorkers())
  if (json) say('stdout', startedDocument({ url: router.url }))
  const running = parts.move()
  return { reload: () => router.reload(), [Symbol.asyncDispose]: () => running.disposeAsync() }
}
