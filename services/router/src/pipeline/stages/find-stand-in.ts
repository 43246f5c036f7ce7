/**
 * Finds out whether somebody stands in for the sender of a request where its composition is chosen. Requests
 * that may not be traced are not looked at any further, so that nobody else learns how audiences decide.
 */
import { isJsonObject } from '@switchyard/engine'
import { ClientIdentification } from '../../concerns/client-names/client-identification.ts'
import type { RouterConfig } from '../../config/router-config.ts'
import { HttpError } from '../../errors/http-error.ts'
import type { CompositionTable } from '../../generations/composition-table.ts'
import { traceNames } from '../../headers/trace-names.ts'
import type { Arrived } from '../../request/arrived.ts'
import { type FoundStandIn, inPlaceOf } from '../../request/in-place-of.ts'
import { OperationOfBatch } from '../../request/operation-of-batch.ts'
import type { Stage } from '../../request/stage.ts'
import { type StandIn, standInOf } from '../../request/stand-in.ts'
import type { Tracing } from '../../tracing/recorder/tracing.ts'
import { type TraceVerdict, traceTokenInvalid } from '../../tracing/trace-gate.ts'

/** Characters of the header. */
const LONGEST = 8192
const BASE64 = /^[\w+/-]+={0,2}$/
/** The text would be read as another one if bytes that are not UTF-8 were replaced. */
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** The parts that find stand-ins. */
export type StandInParts = {
  readonly config: Pick<RouterConfig, 'tracing' | 'clientIdentification'>
  readonly tracing: Pick<Tracing, 'admit'>
  readonly generations: { readonly table: Pick<CompositionTable, 'config'> | null }
}

type WithStandIn = { readonly standIn: FoundStandIn }

const NONE: WithStandIn = { standIn: { kind: 'none' } }
const IGNORED: WithStandIn = { standIn: { kind: 'ignored' } }

/**
 * Returns a promise only while a token is checked. Throws, or rejects with, HttpError if the token is not
 * valid, or if the stand-in has not the right form. Operations of a batch have the one of the batch.
 */
export function findStandIn({ config, tracing, generations }: StandInParts): Stage<Arrived, WithStandIn> {
  const { standInHeader: name, standInHeaderKey } = traceNames(config.tracing.vendor)
  const { nameHeaders, versionHeaders } = config.clientIdentification
  const identification = new ClientIdentification(nameHeaders, versionHeaders)
  return {
    waitsFor: null,
    run: ({ exchange, search }) => {
      const { headers } = exchange.request
      const text = headers[standInHeaderKey]
      if (text === undefined || exchange.request instanceof OperationOfBatch) return NONE
      const { table } = generations
      if (table === null) return IGNORED
      const found = (verdict: TraceVerdict): WithStandIn => {
        if (verdict.kind === 'refused') throw traceTokenInvalid(verdict)
        if (verdict.kind === 'off') return IGNORED
        const given = standInIn(String(text), name)
        const sender = inPlaceOf(exchange, given, (ofOther) => identification.of(ofOther))
        return { standIn: { kind: 'found', given, sender } }
      }
      const verdict = tracing.admit(headers, search, table)
      return verdict instanceof Promise ? verdict.then(found) : found(verdict)
    },
  }
}

function standInIn(text: string, name: string): StandIn {
  const refusal = (problem: string): HttpError =>
    new HttpError('TRACE_STAND_IN_INVALID', `The header ${name} is not valid: ${problem} ${EXPECTED}`)
  if (text.length > LONGEST) throw refusal(`it has more than ${LONGEST} characters.`)
  if (!BASE64.test(text)) throw refusal('it is not in base64, or there are several.')
  const given = parsed(text)
  if (!isJsonObject(given)) throw refusal('it has no JSON object in it.')
  return standInOf(given, { prefix: '', refusal })
}

const EXPECTED = 'Expected was base64 of {"claims": {…}, "headers": {…}}. Nothing was executed.'

function parsed(text: string): unknown {
  try {
    return JSON.parse(UTF8.decode(Buffer.from(text, 'base64')))
  } catch {
    return undefined
  }
}
