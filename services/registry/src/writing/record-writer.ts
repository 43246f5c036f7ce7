/**
 * Writes decisions to any one subject of the registry's log, and answers with what the log says about them.
 *
 * The event is the write: a decision holds for one caught-up state, its record is appended expecting exactly
 * that state, and the answer is read from the fold, never from the acknowledgement. A conflict means: fold
 * on, decide again. An append without an answer is looked up by its command id before anything is decided
 * again; the id makes a second write harmless.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Problem,
  problem,
  ProblemError,
  type RegistryEvent,
  type RegistryRecord,
  type SystemEvent,
  type SystemRecord,
} from '@switchyard/contracts'
import {
  AppendConflictError,
  AppendOutcomeUnknownError,
  type EventLog,
  RecordTooLargeError,
  StorageUnavailableError,
} from '@switchyard/event-log'
import type { CommandEvents, CommandFacts } from './command-events.ts'
import type { WriteGate } from './write-gate.ts'

const MAX_CONFLICTS = 20
/** How long a write whose answer was lost is looked for. */
const LOOK_UP_LIMIT_MS = 10_000

/**
 * One command on the state of one subject. `Memory` is what the fold remembers of a command that it applied.
 */
export type Writing<
  State,
  Event extends RegistryEvent | SystemEvent,
  Memory extends RememberedCommand,
  Result,
> = {
  readonly subject: string
  readonly commandId: string
  /** Set when the id came from outside. */
  readonly commandHash: string | null
  readonly actor: string
  /** Why the command was given; absent or null: nobody said. */
  readonly reason?: string | null
  readonly traceparent: string
  readonly facts: CommandFacts
  /** A state that holds every record acknowledged before the call. */
  readonly caughtUp: () => Promise<State>
  readonly state: () => State
  readonly memoryOf: (state: State) => Memory | null
  /** Decides on a state. It also refuses what the caller may not do. */
  readonly decide: (state: State) => WritingDecision<Event, Result>
  readonly resultOf: (memory: Memory) => Result
}

export type RememberedCommand = { readonly commandHash: string | null; readonly sequence: number }

export type WritingDecision<Event, Result> =
  | { readonly kind: 'events'; readonly events: readonly Event[] }
  | { readonly kind: 'unchanged'; readonly result: Result }
  | { readonly kind: 'refused'; readonly problem: Problem }

type LogPosition = { readonly lastApplied: number; readonly lastSequence: number }
/** The part of a result that the audit line tells. */
type WriteOutcome = { readonly sequence: number; readonly changed: boolean }

export type RecordWriterOptions = {
  readonly log: EventLog
  readonly gate: WriteGate
  readonly events: CommandEvents
  /** Resolves when the record of that sequence was folded. */
  readonly reaches: (sequence: number) => Promise<void>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly signal: AbortSignal
}

export class RecordWriter {
  readonly #options: RecordWriterOptions
  /** The end of each subject's queue: writers in one process never conflict with each other. */
  readonly #queues = new Map<string, Promise<unknown>>()

  constructor(options: RecordWriterOptions) {
    this.#options = options
  }

  /** Throws ProblemError when the command is refused or its outcome cannot be told. */
  async execute<
    State extends LogPosition,
    Event extends RegistryEvent | SystemEvent,
    Memory extends RememberedCommand,
    Result extends WriteOutcome,
  >(writing: Writing<State, Event, Memory, Result>): Promise<Result> {
    const { subject } = writing
    const { events } = this.#options
    const started = performance.now()
    const before = this.#queues.get(subject) ?? Promise.resolve()
    const mine = before.then(() => this.#options.gate.through(() => this.#write(writing)))
    const end = mine.catch(() => {})
    this.#queues.set(subject, end)
    try {
      const result = await mine
      const { sequence, changed } = result
      events.commandApplied(writing.facts, { sequence, changed }, performance.now() - started)
      return result
    } catch (error) {
      if (error instanceof ProblemError)
        events.commandRefused(writing.facts, error.problem.code, performance.now() - started)
      throw error
    } finally {
      if (this.#queues.get(subject) === end) this.#queues.delete(subject)
    }
  }

  async #write<
    State extends LogPosition,
    Event extends RegistryEvent | SystemEvent,
    Memory extends RememberedCommand,
    Result extends WriteOutcome,
  >(writing: Writing<State, Event, Memory, Result>): Promise<Result> {
    const { facts } = writing
    const { events } = this.#options
    const attempt: WriteAttempt = { conflicts: 0, maybeWrittenAt: null }
    for (;;) {
      try {
        const result = await this.#tryOnce(writing, attempt)
        if (result !== null) return result
      } catch (error) {
        if (error instanceof AppendConflictError) {
          attempt.conflicts += 1
          events.appendConflict(facts, attempt.conflicts)
        } else if (error instanceof AppendOutcomeUnknownError) {
          attempt.maybeWrittenAt ??= performance.now()
          events.appendOutcomeUnknown(facts, error)
        } else if (error instanceof RecordTooLargeError) {
          throw new ProblemError(problem('LIMIT_EXCEEDED', error.message), error)
        } else if (!(error instanceof StorageUnavailableError) || attempt.maybeWrittenAt === null) {
          throw error
        }
        if (this.#isOver(attempt)) throw outcomeUnknown(error)
      }
      if (attempt.conflicts > MAX_CONFLICTS) throw busy(attempt)
      await sleep(pauseAfter(attempt.conflicts))
    }
  }

  /** Tries to write the record once. Null if the fold skipped the acknowledged record: decide again. */
  async #tryOnce<
    State extends LogPosition,
    Event extends RegistryEvent | SystemEvent,
    Memory extends RememberedCommand,
    Result extends WriteOutcome,
  >(writing: Writing<State, Event, Memory, Result>, attempt: WriteAttempt): Promise<Result | null> {
    const { log, now, reaches } = this.#options
    const { commandId, commandHash, actor, reason = null, traceparent } = writing
    const state = await writing.caughtUp()
    const known = writing.memoryOf(state)
    if (known !== null) return repeated(writing, known)
    const decision = writing.decide(state)
    if (decision.kind === 'refused') throw new ProblemError(decision.problem)
    if (decision.kind === 'unchanged') return decision.result
    const record = {
      v: 1,
      commandId,
      ...(commandHash === null ? {} : { commandHash }),
      actor,
      ...(reason === null ? {} : { reason }),
      time: new Date(now()).toISOString(),
      traceparent,
      after: state.lastApplied,
      events: [...decision.events],
    } satisfies Omit<RegistryRecord | SystemRecord, 'events'> & { events: Event[] }
    const sequence = await log.append(writing.subject, record, state.lastSequence)
    attempt.maybeWrittenAt ??= performance.now()
    await reaches(sequence)
    const applied = writing.memoryOf(writing.state())
    if (applied === null) attempt.conflicts += 1
    return applied === null ? null : writing.resultOf(applied)
  }

  #isOver({ maybeWrittenAt }: WriteAttempt): boolean {
    if (maybeWrittenAt === null) return false
    return this.#options.signal.aborted || performance.now() - maybeWrittenAt > LOOK_UP_LIMIT_MS
  }
}

type WriteAttempt = {
  conflicts: number
  /** The monotonic time at which a record may have got into the log for the first time. */
  maybeWrittenAt: number | null
}

function repeated<State, Event extends RegistryEvent | SystemEvent, Memory extends RememberedCommand, Result>(
  writing: Writing<State, Event, Memory, Result>,
  memory: Memory,
): Result {
  if (memory.commandHash === writing.commandHash) return writing.resultOf(memory)
  throw new ProblemError(
    problem(
      'IDEMPOTENCY_KEY_REUSED',
      'This idempotency key was used for another command within the last 24 hours. Nothing was changed by this request. ' +
        'Use a new key for a new command.',
    ),
  )
}

function busy(attempt: WriteAttempt): ProblemError {
  if (attempt.maybeWrittenAt !== null) return outcomeUnknown(undefined)
  return new ProblemError(
    problem(
      'REGISTRY_BUSY',
      `Other registries wrote first, ${attempt.conflicts} times in a row. Nothing was changed; try again.`,
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
