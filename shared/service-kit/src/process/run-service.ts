/**
 * The life of a service process: start, run until a signal, dispose, exit.
 *
 * SIGTERM and SIGINT stop it in order and exit 0; a second one exits at once. SIGHUP makes it look again at
 * the files that it can reload; it stops it, in order as well, only if it says that the terminal was closed
 * at which the process was started: there it would live on unseen. A start that fails says why in one log
 * line and exits 1. A rejected promise nobody handled is logged; an exception nobody caught ends the process
 * with 1, since its state is then unknown.
 */
import type { Environment } from './environment.ts'
import { problemsIn } from '../text/list-problems.ts'
import { logPrintedWarnings } from '../logging/printed-warnings.ts'
import { watchTerminal } from './terminal.ts'
import { VERSION } from '../text/version.ts'
import { createLogger, LOG_LEVELS, type Logger, type LogLevel } from '../logging/logger.ts'
import { logEvent } from '../logging/log-event.ts'

export type ServiceContext = {
  readonly env: Environment
  readonly logger: Logger
  /** Aborts with the first signal: a start that waits for something gives up then. */
  readonly signal: AbortSignal
}

/** The part of `process` that a service's life needs. */
export interface ServiceProcess {
  readonly env: Environment
  on(event: 'SIGTERM' | 'SIGINT' | 'SIGHUP', listener: () => void): unknown
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown
  exit(code: number): void
}

export type RunningService = AsyncDisposable & {
  /** Reloads the settings, on SIGHUP. Absent if there is nothing to reload. */
  reload?(): void
}

export type ServiceOptions = {
  readonly name: string
  readonly start: (context: ServiceContext) => Promise<RunningService>
  /** Default: JSON lines on standard output, level from `SWITCHYARD_LOG_LEVEL`. */
  readonly logger?: Logger
  /**
   * `start` itself says at a terminal why it failed, and the log, which goes to the same terminal, need not
   * repeat it.
   */
  readonly tellsFailures?: boolean
  /** Whether the terminal at which the process was started was closed since. */
  readonly terminalIsGone?: () => boolean
}

const FORCED_EXIT_CODE = 130

/** The log events of this file. */
export const LOGGED = {
  uncaughtException: logEvent('process.uncaught-exception', {
    level: 'fatal',
    fields: ['err'],
    says: 'A defect ended the process; it should be started again.',
    advice: 'Report it with the line',
  }),
  unhandledRejection: logEvent('process.unhandled-rejection', {
    level: 'error',
    fields: ['err'],
    says: 'A defect failed one task of the process, which goes on.',
    advice: 'Report it with the line',
  }),
  stopping: logEvent('process.stopping', {
    level: 'info',
    fields: ['signal'],
    says: 'The process was told to stop, and stops in order.',
  }),
  reloading: logEvent('process.reloading', {
    level: 'info',
    fields: ['signal'],
    says: 'The process got SIGHUP, and looks whether files that can be reloaded have changed.',
  }),
  forcedExit: logEvent('process.forced-exit', {
    level: 'warn',
    fields: ['signal'],
    says: 'The process got a second signal. It ends at once, and requests in progress are cut off.',
    advice:
      'Give it more time before it is killed, see [configuration.md](configuration.md#stopping-and-signals)',
  }),
  startFailed: logEvent('process.start-failed', {
    level: 'fatal',
    rareFields: ['code', 'problems', 'err'],
    says: 'The process does not start. The line says why.',
    advice: 'Act on the message, and on the remedy that [errors.md](errors.md) has for the code',
  }),
  stopped: logEvent('process.stopped', {
    level: 'info',
    says: 'The process has stopped, perhaps before its start was complete.',
  }),
  started: logEvent('process.started', {
    level: 'info',
    fields: ['version', 'node'],
    says: 'The process serves. The line has the versions of Switchyard and of Node.js that it runs.',
  }),
  stopFailed: logEvent('process.stop-failed', {
    level: 'error',
    fields: ['err'],
    says: 'Something could not be closed in order. Nothing that was acknowledged is lost.',
    advice: 'Report it with the line',
  }),
}

/** Resolves when the process has been told to exit; called by `main.ts` only, with the real `process`. */
export async function runService(serviceProcess: ServiceProcess, options: ServiceOptions): Promise<void> {
  const level = serviceProcess.env['SWITCHYARD_LOG_LEVEL']
  const logger =
    options.logger ?? createLogger({ name: options.name, level: isLogLevel(level) ? level : 'info' })
  logPrintedWarnings(logger)
  const stop = new AbortController()
  serviceProcess.on('uncaughtException', (error) => {
    LOGGED.uncaughtException.write(logger, { err: error }, 'uncaught exception, exiting')
    serviceProcess.exit(1)
  })
  serviceProcess.on('unhandledRejection', (error) => {
    LOGGED.unhandledRejection.write(logger, { err: error }, 'unhandled rejection')
  })
  const terminalIsGone = options.terminalIsGone ?? watchTerminal()
  let service: RunningService | null = null
  const stopped = new Promise<void>((resolve) => {
    serviceProcess.on('SIGHUP', () => {
      // Both the system and a shell may tell of one closed terminal: the second time is no impatience.
      if (stop.signal.aborted) return
      if (terminalIsGone()) {
        LOGGED.stopping.write(logger, { signal: 'SIGHUP' }, 'the terminal was closed, stopping')
        stop.abort()
        return resolve()
      }
      LOGGED.reloading.write(logger, { signal: 'SIGHUP' }, 'looking at what can be reloaded')
      service?.reload?.()
    })
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      serviceProcess.on(signal, () => {
        if (stop.signal.aborted) {
          LOGGED.forcedExit.write(logger, { signal }, 'second signal, exiting at once')
          return serviceProcess.exit(FORCED_EXIT_CODE)
        }
        LOGGED.stopping.write(logger, { signal }, 'stopping')
        stop.abort()
        resolve()
      })
    }
  })

  if (level !== undefined && level !== '' && !isLogLevel(level)) {
    const expected = LOG_LEVELS.join(', ')
    LOGGED.startFailed.write(
      logger,
      { code: 'ENVIRONMENT_INVALID' },
      `SWITCHYARD_LOG_LEVEL is ${JSON.stringify(level)}: expected one of ${expected}`,
    )
    return serviceProcess.exit(1)
  }
  service = await started(options, { env: serviceProcess.env, logger, signal: stop.signal })
  if (service === null) {
    if (!stop.signal.aborted) return serviceProcess.exit(1)
    LOGGED.stopped.write(logger, {}, 'stopped before the start was complete')
    return serviceProcess.exit(0)
  }
  if (!stop.signal.aborted)
    LOGGED.started.write(logger, { version: VERSION, node: process.versions.node }, 'started')
  await stopped
  try {
    await service[Symbol.asyncDispose]()
  } catch (error) {
    LOGGED.stopFailed.write(logger, { err: error }, 'stopping failed')
    return serviceProcess.exit(1)
  }
  LOGGED.stopped.write(logger, {}, 'stopped')
  serviceProcess.exit(0)
}

async function started(options: ServiceOptions, context: ServiceContext): Promise<RunningService | null> {
  try {
    return await options.start(context)
  } catch (error) {
    if (!context.signal.aborted && options.tellsFailures !== true) {
      const reason = error instanceof Error ? error.message : String(error)
      LOGGED.startFailed.write(context.logger, factsOf(error), reason)
    }
    return null
  }
}

/**
 * An error with a code of ours says what to do; where it was thrown tells nobody more. Others are logged
 * whole.
 */
function factsOf(error: unknown): object {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (
    typeof code !== 'string' ||
    code.startsWith('ERR_') ||
    !(error instanceof Error) ||
    'syscall' in error
  ) {
    return { err: error }
  }
  const problems = problemsIn(error)
  return {
    code,
    ...(problems === null ? {} : { problems }),
    ...(error.cause instanceof Error ? { cause: error.cause.message } : {}),
  }
}

function isLogLevel(text: string | undefined): text is LogLevel {
  return LOG_LEVELS.some((level) => level === text)
}
