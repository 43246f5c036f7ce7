/** One request and its answer, and what is to be said about them when both are over. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Attributes } from '@opentelemetry/api'
import type { ExecutionWork } from '@switchyard/engine'
import { MAX_LOGGED } from '../observe/logged.ts'
import { HttpError } from '../errors/http-error.ts'
import type { RequestEvents, RequestIdsLogged, RequestRecord, StallLimit } from '../observe/request-events.ts'
import type { RequestedFlag } from '../flags/requested-flag.ts'
import type { Admission } from '../generations/generations.ts'
import type { RequestTrace } from '../tracing/recorder/request-trace.ts'
import { endRequestSpan, type RequestOutcome } from '../observe/request-spans.ts'
import type { ActiveSpan } from '../observe/spans.ts'
import type { ByteShares, HeldBytes, Holder } from '../clients/byte-shares.ts'
import { ClientStalledError } from '../http/client-stalled.ts'
import { JSON_TYPE, type ResponseType } from '../http/negotiate.ts'
import { RequestPhases } from '../observe/request-phases.ts'
import type { Visit } from '../http/traffic.ts'

/** What a request may hold without being counted: how many requests there are is limited. */
const COUNTED_FROM = 8 * 1024

export class Exchange implements Holder {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly span: ActiveSpan
  readonly requestId: string
  /** Whom it counts for where clients are limited: an address, or a network of IPv6. */
  readonly client: string
  /** null: the router drains, and waits for no further request. */
  readonly visit: Visit | null
  /** Turns and steps for what is done with the answers of subgraphs to it, up to printing its own. */
  readonly work: ExecutionWork
  /** While it is in progress, the connection is not closed for others. */
  connection: Disposable | null = null
  /** Of `performance.now()`. */
  readonly started = performance.now()
  readonly phases = new RequestPhases(this.started)
  /** null: nothing acceptable. */
  type: ResponseType | null = JSON_TYPE
  requested: RequestedFlag = { from: 'none' }
  admission: Admission | null = null
  operation: string | null = null
  operationType: 'query' | 'mutation' | null = null
  status = 0
  errors = 0
  finished = false
  /** Ends its execution; null where there is none, or it is over. */
  cancel: (() => void) | null = null
  /** Answers instead that it had to give way, if it is not answered yet. */
  onGiveWay: ((error: HttpError) => void) | null = null
  /** Set once it is known that the client gets one. */
  trace: RequestTrace | null = null
  readonly #unanswered: ByteShares
  /** Bytes of its body and of what subgraphs answered for it. */
  #received = 0
  /** Bytes of what is being printed of its answer. */
  #printed = 0
  #held: HeldBytes | null = null
  #code: string | null = null
  #waitedForPlan: number | null = null
  #parts = 0
  #firstPart: number | null = null
  closed = false

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    span: ActiveSpan,
    requestId: string,
    client: string,
    visit: Visit | null,
    unanswered: ByteShares,
    work: ExecutionWork,
  ) {
    this.request = request
    this.response = response
    this.span = span
    this.requestId = requestId
    this.client = client
    this.visit = visit
    this.#unanswered = unanswered
    this.work = work
  }

  /** false: the client left while the composition was being built. */
  hold(admission: Admission): boolean {
    if (this.closed) {
      admission.generation.release()
      return false
    }
    this.admission = admission
    return true
  }

  /** So many bytes more are held for it, or fewer. It may have to give way for that. */
  received(bytes: number): void {
    this.#received += bytes
    this.#count()
  }

  /** So many bytes of its answer are printed, which are not sent yet. They only count where they are more than it is made of. */
  printed(bytes: number): void {
    this.#printed = bytes
    this.#count()
  }

  #count(): void {
    const bytes = Math.max(this.#received, this.#printed)
    if (this.#held === null) {
      if (bytes < COUNTED_FROM) return
      this.#held = this.#unanswered.open(this.client, this)
    }
    if (!this.finished && !this.closed) this.#held.set(bytes)
  }

  giveWay(): void {
    // Nothing is executed any more, nor begun.
    this.closed = true
    this.#abandon()
    this.onGiveWay?.(gaveWay())
  }

  async waitForPlan<Plan>(planned: Promise<Plan>): Promise<Plan> {
    const started = performance.now()
    try {
      return await planned
    } finally {
      this.#waitedForPlan = performance.now() - started
    }
  }

  partSent(errors: number, isLast: boolean): void {
    this.#parts++
    this.phases.enter('write')
    this.#firstPart ??= performance.now() - this.started
    this.errors += errors
    if (this.span.isRecording)
      this.span.event('part', { 'switchyard.part': this.#parts, 'switchyard.part.errors': errors })
    if (isLast) this.finish()
  }

  /** All of the answer is made. Nothing that it was made of is held any longer, however slowly the client reads. */
  finish(): void {
    this.finished = true
    this.cancel = null
    this.#held?.[Symbol.dispose]()
  }

  fail(code: string, errors: number): void {
    this.#code = code
    this.errors = errors
  }

  close(events: RequestEvents): void {
    this.closed = true
    this.phases.end()
    const aborted = !this.response.writableFinished
    this.#abandon()
    this.#held?.[Symbol.dispose]()
    this.trace?.[Symbol.dispose]()
    this.admission?.generation.release()
    this.connection?.[Symbol.dispose]()
    if (this.span.isRecording) endRequestSpan(this.span, this.#outcome(aborted))
    events.requestAnswered(this.#record(aborted))
  }

  /** What log lines about it carry. */
  get ids(): RequestIdsLogged {
    const { span, requestId } = this
    return { trace_id: span.traceId, span_id: span.spanId, request_id: requestId }
  }

  #abandon(): void {
    const { cancel } = this
    this.cancel = null
    cancel?.()
  }

  #outcome(aborted: boolean): RequestOutcome {
    const { requestId, status, operation, operationType, errors, phases, started } = this
    return {
      requestId,
      status,
      operation,
      operationType,
      code: this.#code,
      errors,
      parts: this.#parts,
      aborted,
      phases,
      started,
      selection: this.#selection(),
    }
  }

  /** Which composition answered and why, as the trace shows it. */
  #selection(): Attributes {
    const { admission } = this
    if (admission === null) return {}
    const named = this.#namedInVain()
    return {
      'switchyard.flag.reason': admission.reason,
      'switchyard.artifact': admission.generation.artifact,
      'switchyard.revision': admission.config.version.revision,
      ...(admission.flag === null ? {} : { 'switchyard.flag': admission.flag }),
      ...(named === null ? {} : { 'switchyard.flag.requested': named.slice(0, MAX_LOGGED) }),
    }
  }

  /** The flag that the client named, when that is not what answered. */
  #namedInVain(): string | null {
    const { admission, requested } = this
    if (requested.from === 'none' || requested.name === admission?.flag) return null
    return requested.name
  }

  #record(aborted: boolean): RequestRecord {
    const { admission, request } = this
    return {
      method: request.method ?? '',
      path: (request.url ?? '/').split('?', 1)[0] ?? '/',
      status: this.status,
      milliseconds: this.phases.whole,
      phases: this.phases,
      ids: this.ids,
      composition:
        admission === null
          ? null
          : {
              reason: admission.reason,
              flag: admission.flag,
              artifact: admission.generation.artifact,
              revision: admission.config.version.revision,
            },
      requestedFlag: this.#namedInVain(),
      operation: this.operation,
      code: this.#code,
      waitedForPlan: this.#waitedForPlan,
      stream: this.#firstPart === null ? null : { parts: this.#parts, firstPart: this.#firstPart },
      errors: this.errors,
      aborted,
      stalled: stalledBy(this.response.errored),
    }
  }
}

/** `node:http` types it as what only it sets. */
function stalledBy(errored: unknown): StallLimit | null {
  return errored instanceof ClientStalledError ? errored.limit : null
}

function gaveWay(): HttpError {
  return new HttpError(
    'OVERLOADED',
    'The requests that are not answered yet hold more than there is room for, and this one had to give way. What it began in subgraphs may have been carried out.',
  )
}
