/** Sends one variant of the probe once, and reads what came back. */
import {
  PROBE_HEADER,
  PROBE_OPERATION,
  PROBE_QUERY,
  ProbeRefusal,
  writeProbeHeader,
} from '@switchyard/contracts'
import { parseJson } from '../registry/transport.ts'
import { measure } from './arrival.ts'
import { askHttp1, type Http1Connection, openHttp1, type ProbeMessage } from './ask-http1.ts'
import { askHttp2 } from './ask-http2.ts'
import { decodeChunks } from './decode-chunks.ts'
import type { Examined } from './faults.ts'
import { readAnswer, startOf } from './read-answer.ts'
import type { ProbeFailure, ProbeAnswer, Recording } from './recording.ts'
import { FIRST_PROBE, type ProbeVariant } from './probe-variants.ts'

/** The settings that all probes of a diagnosis share. */
export type ProbeSettings = {
  readonly url: URL
  readonly token: string | null
  /** Sent with every probe, for hops that ask for them. */
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds to wait beyond the time that the answer takes. */
  readonly patience: number
  readonly signal: AbortSignal
}

/** The result of one probe. */
export type Examination = { readonly kind: 'examined'; readonly examined: Examined } | ProbeFailure

/** `spacing` is the pause between parts, in milliseconds. */
export async function examine(
  variant: ProbeVariant,
  spacing: number,
  asking: ProbeSettings,
): Promise<Examination> {
  const answer = await ask(variant, spacing, asking)
  if (answer.kind !== 'recorded') return answer
  return { kind: 'examined', examined: await read(variant, answer.recording) }
}

async function ask(variant: ProbeVariant, spacing: number, asking: ProbeSettings): Promise<ProbeAnswer> {
  if (variant.protocol === 'HTTP/2') return askHttp2(question(variant, spacing, asking))
  if (!variant.again) return askOnce(variant, spacing, asking)
  const answer = await askAgain(variant, spacing, asking)
  // A server may close a connection just when it is used again: clients then ask once more.
  return answer.kind === 'no-connection' ? askAgain(variant, spacing, asking) : answer
}

async function askOnce(variant: ProbeVariant, spacing: number, asking: ProbeSettings): Promise<ProbeAnswer> {
  using connection: Http1Connection = openHttp1(asking.url)
  return await askHttp1(connection, question(variant, spacing, asking))
}

async function askAgain(variant: ProbeVariant, spacing: number, asking: ProbeSettings): Promise<ProbeAnswer> {
  using connection: Http1Connection = openHttp1(asking.url)
  await askHttp1(connection, question(FIRST_PROBE, 0, asking))
  return await askHttp1(connection, question(variant, spacing, asking))
}

function question(
  variant: ProbeVariant,
  spacing: number,
  { url, token, headers, patience, signal }: ProbeSettings,
): ProbeMessage {
  const { parts, padding, accept, acceptEncoding } = variant
  return {
    url,
    headers: {
      ...headers,
      'content-type': 'application/json',
      ...(accept === null ? {} : { accept }),
      'accept-encoding': acceptEncoding,
      [PROBE_HEADER.toLowerCase()]: writeProbeHeader({ parts, spacing, padding, token }),
    },
    body: JSON.stringify({ query: PROBE_QUERY, operationName: PROBE_OPERATION }),
    limit: (parts - 1) * spacing + patience,
    signal,
  }
}

async function read(variant: ProbeVariant, recording: Recording): Promise<Examined> {
  const encoding = recording.headers['content-encoding']
  const chunks = await decodeChunks(recording.chunks, encoding)
  const body = Buffer.concat((chunks ?? []).map(({ bytes }) => bytes))
  const answer = readAnswer(body)
  const start = startOf(answer)
  const refusal = ProbeRefusal.safeParse(parseJson(body.toString())).data?.errors[0].extensions
  return {
    variant,
    recording,
    answer,
    body,
    received: start?.received ?? refusal?.received ?? null,
    enableDefer: start?.enableDefer ?? null,
    measured: start === null ? null : measure(answer, chunks ?? [], recording.begunAt),
    refusal: refusal?.code ?? null,
    encoding: chunks === null ? null : (encoding ?? 'identity'),
  }
}
