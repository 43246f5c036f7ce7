/**
 * Log lines and metrics of the registry: one function per event. Event names never change, and ids are fields
 * of the line.
 */
import { metrics } from '@opentelemetry/api'
import type { TransferCounts } from '@switchyard/contracts'
import { type LogLoss, tellLogLost } from '@switchyard/event-log'
import { HTTP_DURATIONS, type Logger } from '@switchyard/service-kit'

export type RegistryEvents = ReturnType<typeof createEvents>

export type CommandFacts = {
  readonly namespace: string
  readonly command: string
  readonly commandId: string
  readonly actor: string
  readonly traceparent: string
  /** The id of the API key or trace key that the command is about. The id is no secret. */
  readonly keyId?: string
}

/** Returns the functions that log and count the events of a registry. */
export function createEvents(logger: Logger) {
  return {
    ...apiEvents(logger),
    ...commandEvents(logger),
    ...accessEvents(logger),
    ...traceKeyEvents(logger),
    ...logEvents(logger),
    ...upkeepEvents(logger),
    ...transferEvents(logger),
  }
}

/** The management API: its requests, and whether it is open. */
function apiEvents(logger: Logger) {
  const meter = metrics.getMeter('@switchyard/registry')
  const requests = meter.createHistogram('http.server.request.duration', {
    unit: 's',
    description: 'How long requests of the management API took, by route and status',
    advice: { explicitBucketBoundaries: HTTP_DURATIONS },
  })
  return {
    /** `route` is the declared pattern, never the requested path. Nothing is logged. */
    requestAnswered(method: string, route: string, status: number, milliseconds: number): void {
      requests.record(milliseconds / 1000, {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
      })
    },
    listening(url: string): void {
      logger.info({ event: 'registry.listening', url }, 'the management API is open')
    },
    ready(): void {
      logger.info({ event: 'registry.ready' }, 'the event log has been read: the registry answers requests')
    },
    requestFailed(method: string, path: string, error: unknown): void {
      logger.error(
        { event: 'registry.request.failed', method, path, err: error },
        'a request failed because of a defect, and was answered with 500',
      )
    },
    requestUnavailable(method: string, path: string, reason: string): void {
      logger.warn(
        { event: 'registry.request.unavailable', method, path, reason },
        `a request was answered with 503: ${reason}`,
      )
    },
  }
}

/** Commands that were carried out or refused. */
function commandEvents(logger: Logger) {
  const meter = metrics.getMeter('@switchyard/registry')
  const commands = meter.createCounter('switchyard.registry.commands', {
    description: 'Commands that were carried out or refused, by kind and outcome',
  })
  const commandDurations = meter.createHistogram('switchyard.registry.command_duration', {
    unit: 's',
    description: 'How long it took to decide and write commands, without waiting for what they cause',
    advice: { explicitBucketBoundaries: HTTP_DURATIONS },
  })
  const commandEnded = (command: string, outcome: string, milliseconds: number): void => {
    commands.add(1, { command, outcome })
    commandDurations.record(milliseconds / 1000, { command, outcome })
  }
  return {
    commandApplied(
      facts: CommandFacts,
      outcome: { sequence: number; changed: boolean },
      milliseconds: number,
    ): void {
      commandEnded(facts.command, outcome.changed ? 'applied' : 'unchanged', milliseconds)
      logger.info(
        { event: 'registry.command.applied', ...facts, ...outcome },
        `the command ${facts.command} ${outcome.changed ? 'was applied' : 'had nothing to change'}`,
      )
    },
    commandRefused(facts: CommandFacts, code: string, milliseconds: number): void {
      const isUnknown = code === 'WRITE_OUTCOME_UNKNOWN'
      commandEnded(facts.command, isUnknown ? 'unknown' : 'refused', milliseconds)
      const event = isUnknown ? 'registry.command.unknown' : 'registry.command.refused'
      logger.info(
        { event, ...facts, code },
        isUnknown
          ? `nobody knows whether the command ${facts.command} was written`
          : `the command ${facts.command} was refused: ${code}`,
      )
    },
  }
}

/** Events of API keys that lack a permission, or that are unknown. */
function accessEvents(logger: Logger) {
  const meter = metrics.getMeter('@switchyard/registry')
  const wrongKeys = meter.createCounter('switchyard.registry.wrong_keys', {
    description: 'API keys that were offered and that nobody knows',
  })
  return {
    accessDenied(actor: string, method: string, route: string, scope: string): void {
      logger.info(
        { event: 'registry.access.denied', actor, method, route, scope },
        `a request was refused: its API key lacks the scope "${scope}"`,
      )
    },
    /** Never logs the key itself: it may be a valid one with a typing mistake. */
    authenticationFailed(address: string, method: string, route: string, blockedForMs: number): void {
      const facts = {
        event: 'registry.authentication.failed',
        address,
        method,
        route,
        blockedForMs: Math.ceil(blockedForMs),
      }
      wrongKeys.add(1)
      if (blockedForMs === 0) logger.info(facts, 'a request had an unknown API key')
      else
        logger.warn(
          facts,
          'too many requests had unknown API keys: further ones are answered with 429 for a while',
        )
    },
  }
}

/** The keys that sign trace tokens. */
function traceKeyEvents(logger: Logger) {
  return {
    /** Logs everything about a token but the token. */
    traceTokenIssued(facts: {
      readonly actor: string
      readonly namespace: string
      readonly graph: string
      readonly kid: string
      readonly jti: string
      readonly expiresAt: string
      readonly exclude: readonly string[]
      readonly traceparent: string
    }): void {
      logger.info({ event: 'registry.trace-token.issued', ...facts }, 'a trace token was issued')
    },
    traceKeyFileUnusable(path: string, reason: string): void {
      logger.error(
        { event: 'registry.trace-key-file.unusable', path, reason },
        'the file with the trace keys cannot be used: no trace tokens are signed until it can',
      )
    },
  }
}

/** Reading and writing the event log. */
function logEvents(logger: Logger) {
  return {
    appendConflict(facts: CommandFacts, attempt: number): void {
      logger.debug(
        { event: 'registry.append.conflict', ...facts, attempt },
        'another registry wrote first: the command is decided again',
      )
    },
    appendOutcomeUnknown(facts: CommandFacts, error: unknown): void {
      logger.warn(
        { event: 'registry.append.unknown', ...facts, err: error },
        'NATS did not say whether it stored the record: the sender of the command is told so, and may send it again',
      )
    },
    storageUnavailable(error: unknown): void {
      logger.warn(
        { event: 'registry.storage.unavailable', err: error },
        'the event log cannot be reached: commands are refused with 503 until it can; routers keep serving',
      )
    },
    storageAvailable(): void {
      logger.info({ event: 'registry.storage.available' }, 'the event log can be reached again')
    },
    logInterrupted(log: string, error: unknown): void {
      logger.debug(
        { event: 'registry.log.interrupted', log, err: error },
        'reading a log was interrupted, and goes on',
      )
    },
    logLost(loss: LogLoss): void {
      tellLogLost(logger, loss)
    },
    readerStopped(log: string, error: unknown): void {
      logger.error(
        { event: 'registry.log.stopped', log, err: error },
        'reading a log stopped for good: this registry is not ready until it is restarted, perhaps with a newer version',
      )
    },
  }
}

/** Blobs that nothing refers to, and the list of routers that are alive. */
function upkeepEvents(logger: Logger) {
  return {
    blobSwept(sha256: string, storedAt: string, bytes: number): void {
      logger.info(
        { event: 'registry.blob.swept', sha256, storedAt, bytes },
        'removed a stored schema or artifact that no record refers to',
      )
    },
    sweepPostponed(reason: string): void {
      logger.info(
        { event: 'registry.sweep.postponed', reason },
        `unused schemas and artifacts are not removed now: ${reason}`,
      )
    },
    /** `aheadSeconds`: negative if it is behind. */
    routerClockOff(subject: string, aheadSeconds: number): void {
      logger.warn(
        { event: 'registry.router.clock-off', subject, aheadSeconds },
        'the clocks of a router and of this registry differ by more than 2 minutes: the router is listed and counted, but takes no new configuration and refuses tokens if its clock is the wrong one',
      )
    },
    fleetFull(subject: string): void {
      logger.warn(
        { event: 'registry.fleet.full', subject },
        'the list of routers is full: further ones are not shown until others fall silent. Find out who publishes to router.status.>, and set SWITCHYARD_FLEET_KEY',
      )
    },
  }
}

/** Export and import of everything that the registry stores. */
function transferEvents(logger: Logger) {
  return {
    exported(actor: string, counts: TransferCounts): void {
      logger.info({ event: 'registry.export.finished', actor, ...counts }, 'an export is finished')
    },
    exportFailed(actor: string, error: unknown): void {
      logger.error(
        { event: 'registry.export.failed', actor, err: error },
        'an export failed before its end: the file that it wrote is incomplete',
      )
    },
    importBegan(actor: string, counts: TransferCounts): void {
      logger.info(
        { event: 'registry.import.began', actor, ...counts },
        'an import has begun: all other requests are answered with 503 until it ends',
      )
    },
    importFinished(actor: string, counts: TransferCounts): void {
      logger.info({ event: 'registry.import.finished', actor, ...counts }, 'an import is finished')
    },
    importStopped(error: unknown): void {
      logger.error(
        { event: 'registry.import.stopped', err: error },
        'an import stopped after a part was written: the registry is not ready until its storage is emptied and the file is imported again',
      )
    },
  }
}
