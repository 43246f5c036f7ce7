/**
 * Answers the probe of `switchyard defer doctor`: with parts of its own, on the way that deferred answers
 * take, for callers who may ask for that. A probe keeps a connection and a timer, nothing else; how many, how
 * long and how large is limited.
 */
import {
  PROBE_HEADER,
  PROBE_LIMITS,
  PROBE_OPERATION,
  type ProbeRequest,
  readProbeHeader,
} from '@switchyard/contracts'
import type { RouterConfig } from '../../config/router-config.ts'
import { HttpError } from '../../errors/http-error.ts'
import type { Answers } from '../answers/answers.ts'
import type { Exchange } from '../../request/exchange.ts'
import { DONE, type Stage } from '../../request/stage.ts'
import { headerKey } from '../../headers/header-key.ts'
import { JSON_TYPE } from '../../http/negotiate.ts'
import { answerInParts } from './answer-in-parts.ts'
import type { Read } from './parse-request.ts'
import { deferRefusal } from '../../incremental/defer-refusal.ts'
import type { OpenStreams } from '../../incremental/open-streams.ts'
import { executeProbe } from '../../concerns/probe/probe-execution.ts'
import { receivedBy } from '../../concerns/probe/probe-received.ts'

const PROBE_KEY = headerKey(PROBE_HEADER)

/** Answers the request if it is a probe. Throws HttpError if the probe is refused. */
export function answerProbe(probe: DeferProbe): Stage<Read> {
  return {
    waitsFor: null,
    run: ({ exchange, sent }) => (probe.answer(exchange, sent.operationName) ? DONE : undefined),
  }
}

/** Recognises and answers probes. */
export class DeferProbe {
  readonly #config: Pick<RouterConfig, 'devMode' | 'deferProbeToken' | 'enableDefer'>
  readonly #answers: Answers
  readonly #streams: OpenStreams
  #running = 0

  constructor(config: RouterConfig, answers: Answers, streams: OpenStreams) {
    this.#config = config
    this.#answers = answers
    this.#streams = streams
  }

  /** Answers a probe. False if the request is none. Throws HttpError if the probe is refused. */
  answer(exchange: Exchange, operationName: string | null): boolean {
    const header = exchange.request.headers[PROBE_KEY]
    if (header === undefined || operationName !== PROBE_OPERATION) return false
    exchange.report.operationKnown(PROBE_OPERATION, null)
    const request = readProbeHeader(String(header))
    if (typeof request === 'string') {
      throw new HttpError('BAD_REQUEST', `The header ${PROBE_HEADER} cannot be read: ${request}.`)
    }
    this.#checkPermission(request.token)
    if (!this.#refuseByAccept(exchange)) this.#run(exchange, request)
    return true
  }

  #checkPermission(token: string | null): void {
    const { devMode, deferProbeToken } = this.#config
    if (devMode || (token !== null && deferProbeToken?.equals(token) === true)) return
    const why =
      token === null ? 'The probe carries no token' : 'This router does not know the token of the probe'
    throw new HttpError(
      'DEFER_PROBE_NOT_ALLOWED',
      `${why}. A router answers probes of deferred answers in dev mode (dev_mode, DEV_MODE=true), ` +
        'or with the token of its settings (engine.defer_probe_token, ENGINE_DEFER_PROBE_TOKEN).',
    )
  }

  #refuseByAccept(exchange: Exchange): boolean {
    const refusal = deferRefusal(exchange.request.headers.accept)
    if (refusal === null) return false
    const { code, message } = refusal
    exchange.report.failed(code, 1)
    const body = { errors: [{ message, extensions: { code, received: receivedBy(exchange.request) } }] }
    this.#answers.reply(exchange, { status: 200, type: JSON_TYPE, body })
    return true
  }

  #run(exchange: Exchange, request: ProbeRequest): void {
    if (this.#running >= PROBE_LIMITS.concurrent) {
      throw new HttpError(
        'DEFER_PROBE_LIMIT',
        `This router answers ${PROBE_LIMITS.concurrent} probes at a time, and these are in progress.`,
        { 'Retry-After': '1' },
      )
    }
    this.#running++
    exchange.response.once('close', () => this.#running--)
    const facts = { enableDefer: this.#config.enableDefer, received: receivedBy(exchange.request) }
    const form = {
      streams: this.#streams,
      pendingPer: 'fragment',
      collected: null,
      mayBeStored: true,
    } as const
    const execution = answerInParts(exchange, this.#answers, form, (listener) =>
      executeProbe(request, facts, listener),
    )
    exchange.running(() => execution.abort())
  }
}
