/** Commands on a namespace, written to its subject. */
import { type Problem, type RegistryEvent, registrySubject } from '@switchyard/contracts'
import { type Command, type CommandMemory, commandOutcome, decide } from '@switchyard/domain'
import type { RecordWriter } from './record-writer.ts'
import type { RegistryReader } from '../reading/registry-reader.ts'

export type CommandRequest = {
  readonly namespace: string
  readonly command: Command
  readonly commandId: string
  /** Set when the id came from outside. */
  readonly commandHash: string | null
  readonly actor: string
  readonly reason: string | null
  readonly traceparent: string
  /** Why the caller may not cause these events, or null. */
  readonly objection: (events: readonly RegistryEvent[]) => Problem | null
}

export type CommandWriteResult = {
  readonly changed: boolean
  readonly created: boolean
  readonly sequence: number
  readonly message: string
  readonly affectedGraphs: readonly string[]
  readonly rolloutGraphs: readonly string[]
  /** Previews that it created or changed, by the names that requests give. */
  readonly previews: readonly string[]
}

export class CommandWriter {
  readonly #writer: RecordWriter
  readonly #fold: RegistryReader

  constructor(writer: RecordWriter, fold: RegistryReader) {
    this.#writer = writer
    this.#fold = fold
  }

  /** Throws ProblemError when the command is refused or its outcome cannot be told. */
  async execute(request: CommandRequest): Promise<CommandWriteResult> {
    const { namespace, command, commandId, commandHash, actor, reason, traceparent, objection } = request
    const fold = this.#fold
    return this.#writer.execute({
      subject: registrySubject(namespace),
      commandId,
      commandHash,
      actor,
      reason,
      traceparent,
      facts: { namespace, command: command.type, commandId, actor, traceparent },
      caughtUp: () => fold.caughtUp(namespace),
      state: () => fold.state(namespace),
      memoryOf: (state) => commandOutcome(state, commandId),
      decide: (state) => {
        const decision = decide(state, command)
        if (decision.kind === 'refused') return decision
        const refusal = objection(decision.kind === 'events' ? decision.events : [])
        if (refusal !== null) return { kind: 'refused', problem: refusal }
        if (decision.kind === 'events') return decision
        const sequence = state.lastApplied
        const { message } = decision
        const result = {
          changed: false,
          created: false,
          sequence,
          message,
          affectedGraphs: [],
          rolloutGraphs: [],
          previews: [],
        }
        return { kind: 'unchanged', result }
      },
      resultOf,
    })
  }
}

function resultOf({
  sequence,
  message,
  created,
  affectedGraphs,
  rolloutGraphs,
  previews,
}: CommandMemory): CommandWriteResult {
  return { changed: true, created, sequence, message, affectedGraphs, rolloutGraphs, previews }
}
