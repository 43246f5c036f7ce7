/**
 * The keys that sign trace tokens: private halves in the key file, public halves and dates in the log.
 *
 * A key is written to the file first and announced in the log afterwards, and only announced keys sign.
 * Killed in between, a registry leaves a key that signs nothing; `list` shows it as not announced, and the
 * next `create` announces it instead of making another. A retirement goes the other way round: what is in the
 * file after it signs nothing, either.
 */
import {
  problem,
  ProblemError,
  SYSTEM_SUBJECT,
  type SystemEvent,
  type TraceKeyView,
} from '@switchyard/contracts'
import {
  decideTraceKey,
  type SystemCommandMemory,
  type SystemState,
  type TraceKeyCommand,
} from '@switchyard/domain'
import type { TraceKeyEvents } from './trace-key-events.ts'
import type { KeyRequest } from '../keys/key-writer.ts'
import type { RecordWriter } from '../writing/record-writer.ts'
import type { RegistryReader } from '../reading/registry-reader.ts'
import { newTraceKey, type TraceKey } from './trace-key.ts'
import { type TraceKeyFile, TraceKeyFileError } from './trace-key-file.ts'
import { retirementWarnings, TokenTimes, traceKeyViews } from './trace-key-views.ts'

export type TraceKeysOptions = {
  /** The file of the private keys. Null if there is none: this registry can neither make a key nor sign. */
  readonly file: TraceKeyFile | null
  readonly writer: RecordWriter
  readonly fold: RegistryReader
  readonly events: TraceKeyEvents
  /** Unix milliseconds. */
  readonly now: () => number
}

type TraceKeyChange = { readonly changed: boolean; readonly sequence: number; readonly kid: string }

export class TraceKeys {
  readonly #options: TraceKeysOptions
  /** The expiry times of the tokens that this registry itself has signed. */
  readonly times = new TokenTimes()
  #creating: Promise<unknown> = Promise.resolve()

  constructor(options: TraceKeysOptions) {
    this.#options = options
  }

  async list(isStrong: boolean): Promise<{ traceKeys: TraceKeyView[]; warnings: string[] }> {
    const system = isStrong ? await this.#options.fold.systemCaughtUp() : this.#options.fold.system
    const { keys, warnings } = await this.#readable()
    return { traceKeys: this.#views(system, keys), warnings }
  }

  /** Announces a key of the file that was never announced, else makes one. */
  async create(
    request: KeyRequest,
  ): Promise<{ readonly view: TraceKeyView; readonly made: boolean; readonly warnings: readonly string[] }> {
    return this.#inTurn(() => this.#create(request))
  }

  /** Does nothing when there is a key that signs. */
  async createFirst(request: KeyRequest): Promise<void> {
    await this.#inTurn(async () => {
      if ((await this.signers()).length === 0) await this.#create(request)
    })
  }

  async #create(request: KeyRequest) {
    const { fold } = this.#options
    const file = this.#file()
    const system = await fold.systemCaughtUp()
    const remembered = system.commands.get(request.commandId)
    const held = await this.#noticing(() => file.read())
    const waiting = held.filter((key) => !isKnown(system, key.kid)).at(-1)
    const key = waiting ?? (await newTraceKey())
    const made = remembered === undefined && waiting === undefined
    if (made) {
      // What will be refused leaves nothing behind.
      const decision = decideTraceKey(system, { type: 'create-trace-key', jwk: key.publicJwk })
      if (decision.kind === 'refused') throw new ProblemError(decision.problem)
      await this.#noticing(() => file.add(key))
    }
    const { kid } = await this.#execute({ type: 'create-trace-key', jwk: key.publicJwk }, key.kid, request)
    const { keys } = await this.#readable()
    const warnings = keys.some((held) => held.kid === kid)
      ? []
      : [
          `The private half of ${kid} is not in the key file of this registry any more, so it signs nothing here.`,
        ]
    return { view: this.#view(kid, keys), made, warnings }
  }

  /** Its tokens are refused as soon as routers have the next configuration. */
  async retire(
    kid: string,
    request: KeyRequest,
  ): Promise<{ readonly view: TraceKeyView; readonly warnings: readonly string[] }> {
    const { fold, now } = this.#options
    const system = await fold.systemCaughtUp()
    const { keys: held } = await this.#readable()
    const early = retirementWarnings(system, kid, held, this.times, now())
    await this.#execute({ type: 'retire-trace-key', kid }, kid, request)
    const left = await this.#forget(kid)
    const { keys } = await this.#readable()
    return { view: this.#view(kid, keys), warnings: [...early, ...left] }
  }

  /**
   * Keys that may sign, newest first. Throws TraceKeyFileError, or a problem when this registry has no key
   * file.
   */
  async signers(): Promise<readonly TraceKey[]> {
    const held = new Map((await this.#noticing(() => this.#file().read())).map((key) => [key.kid, key]))
    return [...this.#options.fold.system.traceKeys.values()]
      .toSorted((one, other) => other.sequence - one.sequence)
      .flatMap(({ jwk }) => held.get(jwk.kid) ?? [])
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#creating.then(work)
    this.#creating = mine.catch(() => {})
    return mine
  }

  #file(): TraceKeyFile {
    const { file } = this.#options
    if (file !== null) return file
    throw new ProblemError(
      problem(
        'TRACE_KEY_UNAVAILABLE',
        'This registry has no file for the private trace keys, so it can neither make one nor sign. Set SWITCHYARD_TRACE_KEY_FILE, to the same file for all registries.',
      ),
    )
  }

  async #execute(command: TraceKeyCommand, keyId: string, request: KeyRequest): Promise<TraceKeyChange> {
    const { fold, writer } = this.#options
    const { commandId, actor, traceparent } = request
    return writer.execute<SystemState, SystemEvent, SystemCommandMemory, TraceKeyChange>({
      ...request,
      subject: SYSTEM_SUBJECT,
      facts: { namespace: '_system', command: command.type, commandId, actor, traceparent, keyId },
      caughtUp: () => fold.systemCaughtUp(),
      state: () => fold.system,
      memoryOf: (state) => state.commands.get(commandId) ?? null,
      decide: (state) => {
        const decision = decideTraceKey(state, command)
        if (decision.kind !== 'unchanged') return decision
        return {
          kind: 'unchanged',
          result: { changed: false, sequence: state.lastApplied, kid: keyId },
        }
      },
      resultOf: ({ sequence, traceKid }) => ({ changed: true, sequence, kid: traceKid ?? keyId }),
    })
  }

  /** The private half of a retired key is of no use to anybody but a thief. */
  async #forget(kid: string): Promise<readonly string[]> {
    const { file } = this.#options
    if (file === null) return []
    try {
      await this.#noticing(() => file.remove(kid))
      return []
    } catch (error) {
      if (!(error instanceof TraceKeyFileError)) throw error
      return [
        `The private half of ${kid} could not be removed from the key file: ${error.reason}. It signs nothing any more; remove it there yourself.`,
      ]
    }
  }

  async #noticing<Result>(use: () => Promise<Result>): Promise<Result> {
    try {
      return await use()
    } catch (error) {
      const { events, file } = this.#options
      if (error instanceof TraceKeyFileError) events.traceKeyFileUnusable(file?.path ?? '', error.reason)
      throw error
    }
  }

  /** Reads the key file. If there is none, or it cannot be read, returns no keys and a warning. */
  async #readable(): Promise<{ keys: readonly TraceKey[]; warnings: string[] }> {
    const { file } = this.#options
    if (file === null) {
      return {
        keys: [],
        warnings: ['This registry has no key file (SWITCHYARD_TRACE_KEY_FILE): it signs nothing.'],
      }
    }
    try {
      return { keys: await this.#noticing(() => file.read()), warnings: [] }
    } catch (error) {
      if (!(error instanceof TraceKeyFileError)) throw error
      return { keys: [], warnings: [`The key file of this registry is no use: ${error.reason}.`] }
    }
  }

  #views(system: SystemState, keys: readonly TraceKey[]): TraceKeyView[] {
    return traceKeyViews(system, keys, this.times, this.#options.now())
  }

  #view(kid: string, keys: readonly TraceKey[]): TraceKeyView {
    const view = this.#views(this.#options.fold.system, keys).find((other) => other.kid === kid)
    if (view === undefined) throw new Error('a trace key was written without a trace')
    return view
  }
}

function isKnown(system: SystemState, kid: string): boolean {
  return system.traceKeys.has(kid) || system.retiredTraceKeys.has(kid)
}
