/**
 * From a command to what the log says about it.
 *
 * The event is the write: a decision holds for one caught-up state, its record is appended expecting exactly that state,
 * and the answer is read from the fold, never from the acknowledgement. A conflict means: fold on, decide again. An append
 * without an answer is looked up by its command id before anything is decided again; the id makes a second write harmless.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Problem,
  problem,
  ProblemError,
  type RegistryEvent,
  type RegistryRecord,
  registrySubject,
} from '@switchyard/contracts'
import { type Command, type CommandMemory, commandOutcome, decide } from '@switchyard/domain'
import {
  AppendConflictError,
  AppendOutcomeUnknownError,
  type EventLog,
  RecordTooLargeError,
  StorageUnavailableError,
} from '@switchyard/event-log'
import type { CommandFacts, RegistryEvents } from './events.ts'
import type { RegistryFold } from './registry-fold.ts'

const MAX_CONFLICTS = 20
/** How long a write whose answer was lost is looked for. */
const LOOK_UP_LIMIT_MS = 10_000

export type CommandRequest = {
  readonly namespace: string
  readonly command: Command
  readonly commandId: string
  /** Set when the id came from outside. */
  readonly commandHash: string | null
  readonly actor: string
  readonly traceparent: string
  /** Why the asker may not cause these events, or null. */
  readonly objection: (events: readonly RegistryEvent[]) => Problem | null
}

export type CommandResult = {
  readonly changed: boolean
  readonly created: boolean
  readonly sequence: number
  readonly message: string
  readonly affectedGraphs: readonly string[]
}

export type CommandWriterOptions = {
  readonly log: EventLog
  readonly fold: RegistryFold
  readonly events: RegistryEvents
  /** Unix milliseconds. */
  readonly now: () => number
  readonly signal: AbortSignal
}

export class CommandWriter {
  readonly #options: CommandWriterOptions
  /** The end of each namespace's queue: writers in one process never conflict with each other. */
  readonly #queues = new Map<string, Promise<unknown>>()

  constructor(options: CommandWriterOptions) {
    this.#options = options
  }

  /** Throws ProblemError when the command is refused or its outcome cannot be told. */
  async execute(request: CommandRequest): Promise<CommandResult> {
    const before = this.#queues.get(request.namespace) ?? Promise.resolve()
    const mine = before.then(() => this.#write(request))
    const end = mine.catch(() => {})
    this.#queues.set(request.namespace, end)
    try {
      return await mine
    } finally {
      if (this.#queues.get(request.namespace) === end) this.#queues.delete(request.namespace)
    }
  }

  async #write(request: CommandRequest): Promise<CommandResult> {
    const facts = factsOf(request)
    const { events } = this.#options
    const attempt: Attempt = { conflicts: 0, maybeWrittenAt: null }
    for (;;) {
      try {
        const result = await this.#tryOnce(request, attempt)
        if (result !== null) {
          events.commandApplied(facts, { sequence: result.sequence, changed: result.changed })
          return result
        }
      } catch (error) {
        if (error instanceof AppendConflictError) {
          attempt.conflicts += 1
          events.appendConflict(facts, attempt.conflicts)
          if (attempt.conflicts > MAX_CONFLICTS) throw busy(attempt)
        } else if (error instanceof AppendOutcomeUnknownError) {
          attempt.maybeWrittenAt ??= performance.now()
          events.appendOutcomeUnknown(facts, error)
        } else if (error instanceof RecordTooLargeError) {
          throw new ProblemError(problem('LIMIT_EXCEEDED', error.message), error)
        } else if (error instanceof ProblemError) {
          events.commandRefused(facts, error.problem.code)
          throw error
        } else if (!(error instanceof StorageUnavailableError) || attempt.maybeWrittenAt === null) {
          throw error
        }
        if (this.#isOver(attempt)) throw outcomeUnknown(error)
      }
      await sleep(pauseAfter(attempt.conflicts))
    }
  }

  /** Null: the record was acknowledged, yet the fold skipped it; decide again. */
  async #tryOnce(request: CommandRequest, attempt: Attempt): Promise<CommandResult | null> {
    const { fold, log, now } = this.#options
    const { namespace, command, commandId } = request
    const state = await fold.caughtUp(namespace)
    const known = commandOutcome(state, commandId)
    if (known !== null) return repeated(known, request)
    const decision = decide(state, command)
    if (decision.kind === 'refused') throw new ProblemError(decision.problem)
    const changes = decision.kind === 'events' ? decision.events : []
    const objection = request.objection(changes)
    if (objection !== null) throw new ProblemError(objection)
    if (decision.kind === 'unchanged') {
      const { message } = decision
      return { changed: false, created: false, sequence: state.lastApplied, message, affectedGraphs: [] }
    }
    const record: RegistryRecord = {
      v: 1,
      commandId,
      ...(request.commandHash === null ? {} : { commandHash: request.commandHash }),
      actor: request.actor,
      time: new Date(now()).toISOString(),
      traceparent: request.traceparent,
      after: state.lastApplied,
      events: [...changes],
    }
    const sequence = await log.append(registrySubject(namespace), record, state.lastSequence)
    attempt.maybeWrittenAt ??= performance.now()
    await fold.reaches(sequence)
    const applied = commandOutcome(fold.state(namespace), commandId)
    if (applied === null) attempt.conflicts += 1
    return applied === null ? null : resultOf(applied)
  }

  #isOver({ maybeWrittenAt }: Attempt): boolean {
    if (maybeWrittenAt === null) return false
    return this.#options.signal.aborted || performance.now() - maybeWrittenAt > LOOK_UP_LIMIT_MS
  }
}

type Attempt = {
  conflicts: number
  /** When a record may have got into the log for the first time, monotonic. */
  maybeWrittenAt: number | null
}

function repeated(memory: CommandMemory, request: CommandRequest): CommandResult {
  if (memory.commandHash === request.commandHash) return resultOf(memory)
  throw new ProblemError(
    problem(
      'IDEMPOTENCY_KEY_REUSED',
      'This idempotency key was used for another command within the last 24 hours. Nothing was changed by this request. ' +
        'Use a new key for a new command.',
    ),
  )
}

function resultOf({ sequence, message, created, affectedGraphs }: CommandMemory): CommandResult {
  return { changed: true, created, sequence, message, affectedGraphs }
}

function factsOf(request: CommandRequest): CommandFacts {
  const { namespace, commandId, actor, traceparent } = request
  return { namespace, command: request.command.type, commandId, actor, traceparent }
}

function busy(attempt: Attempt): ProblemError {
  if (attempt.maybeWrittenAt !== null) return outcomeUnknown(undefined)
  return new ProblemError(
    problem(
      'REGISTRY_BUSY',
      `Other registries wrote to this namespace first, ${attempt.conflicts} times in a row. Nothing was changed; try again.`,
    ),
  )
}

function outcomeUnknown(cause: unknown): ProblemError {
  return new ProblemError(
    problem(
      'WRITE_OUTCOME_UNKNOWN',
      'The log did not say whether the command was written. Repeat it with the same Idempotency-Key to learn its outcome; ' +
        'without one, look at the state before you repeat it.',
    ),
    cause,
  )
}

/** Jittered, so that registries that collided once do not collide in step. */
function pauseAfter(conflicts: number): number {
  return Math.random() * Math.min(5 * 2 ** Math.min(conflicts, 6), 200)
}
