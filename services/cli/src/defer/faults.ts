/** Finds the faults of one answer to a probe. It states facts, not which hop causes them. */
import type { ProbeReceived } from '@switchyard/contracts'
import type { Arrival, MeasuredArrival } from './arrival.ts'
import type { ReadAnswer } from './read-answer.ts'
import type { Recording } from './recording.ts'
import type { ProbeVariant } from './probe-variants.ts'

/** All faults that the doctor knows. docs/defer.md explains each. */
export const FAULT_KINDS = [
  'defer-off',
  'other-answer',
  'accept-rewritten',
  'not-multipart',
  'parameters-lost',
  'boundary-changed',
  'parts-damaged',
  'unknown-encoding',
  'connection-cut',
  'never-ends',
  'length-declared',
  'http-1.0',
  'compressed-without-flush',
  'held-to-the-end',
  'held-in-blocks',
  'one-part-late',
  'boundaries-held',
  'start-held',
] as const

/** The name of a fault. */
export type FaultKind = (typeof FAULT_KINDS)[number]

/** One thing that is wrong with an answer. */
export type Fault = {
  readonly kind: FaultKind
  readonly severity: 'problem' | 'warning'
  /** The observation, as a sentence without its full stop. */
  readonly seen: string
}

/** An answer to a probe with all that was read of it. */
export type Examined = {
  readonly variant: ProbeVariant
  readonly recording: Recording
  readonly answer: ReadAnswer
  /** The decompressed body. */
  readonly body: Buffer
  /** The request as the router received it. Null if the answer is none to a probe, or too damaged to tell. */
  readonly received: ProbeReceived | null
  readonly enableDefer: boolean | null
  readonly measured: MeasuredArrival | null
  /** The error code that the router answered instead of a stream. Null if it did not refuse the probe. */
  readonly refusal: string | null
  /** Null if the answer came in an encoding that cannot be read. */
  readonly encoding: string | null
}

const BOUNDARY = 'graphql'

/** Returns all faults of an answer. */
export function faultsOf(examined: Examined): readonly Fault[] {
  const { recording, received, enableDefer } = examined
  if (recording.status !== 200)
    return [otherAnswer(`HTTP ${recording.status} (${typeOf(recording)}) came back`)]
  const off: Fault = {
    kind: 'defer-off',
    severity: 'problem',
    seen: 'the router says that engine.enable_defer is off',
  }
  return [...(received !== null && enableDefer === false ? [off] : []), ...faultsOnTheWay(examined)]
}

/** The fault that something other than a router answered. */
export function otherAnswer(seen: string): Fault {
  return { kind: 'other-answer', severity: 'problem', seen }
}

function typeOf({ headers }: Recording): string {
  return headers['content-type'] ?? 'no Content-Type'
}

function faultsOnTheWay(examined: Examined): readonly Fault[] {
  const accept = acceptFault(examined)
  // Everything else about such an answer follows from this.
  if (examined.refusal !== null) return accept === null ? [refused(examined.refusal)] : [accept]
  if (examined.encoding === null) return [unknownEncoding(examined.recording)]
  const ending = endingFault(examined)
  const form = formFaults(examined)
  return [
    ...(accept === null ? [] : [accept]),
    ...form,
    ...(ending === null ? [] : [ending]),
    ...damage(examined, ending !== null || form.some(({ kind }) => kind === 'not-multipart')),
    ...timing(examined, ending !== null),
  ]
}

/** Faults that are only noise when they go away with longer pauses. */
export function isAboutTime({ kind, severity }: Fault): boolean {
  switch (kind) {
    case 'http-1.0':
      return severity === 'problem'
    case 'compressed-without-flush':
    case 'held-to-the-end':
    case 'held-in-blocks':
    case 'one-part-late':
    case 'boundaries-held':
    case 'start-held':
      return true
    default:
      return false
  }
}

function acceptFault({ variant, received, refusal }: Examined): Fault | null {
  if (received === null) return null
  const [sent, got] = [variant.accept, received.accept].map((value) => value?.replaceAll(/\s+/g, '') ?? '')
  // No Accept header and "*/*" mean the same, so a proxy that adds it changes nothing.
  if (sent === got || (sent === '' && got === '*/*')) return null
  const shown = (value: string | null) => (value === null ? 'no Accept' : `"${value}"`)
  const then = refusal === null ? '' : `, so the router answered ${refusal}`
  return {
    kind: 'accept-rewritten',
    severity: refusal === null ? 'warning' : 'problem',
    seen: `${shown(variant.accept)} was sent, and ${shown(received.accept)} reached the router${then}`,
  }
}

function refused(refusal: string): Fault {
  return { kind: 'accept-rewritten', severity: 'problem', seen: `the router answered ${refusal}` }
}

function unknownEncoding({ headers }: Recording): Fault {
  const seen = `the answer has the Content-Encoding "${headers['content-encoding']}", which nobody asked for`
  return { kind: 'unknown-encoding', severity: 'problem', seen }
}

function formFaults({ recording, answer }: Examined): readonly Fault[] {
  const written = recording.headers['content-type'] ?? ''
  const type = written.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type !== 'multipart/mixed') {
    const seen = `the router sent multipart/mixed, and ${type === '' ? 'no Content-Type' : `"${written}"`} arrived`
    return [{ kind: 'not-multipart', severity: 'problem', seen }]
  }
  const boundary = parameter(written, 'boundary')
  const lost = [
    ...(boundary === null ? ['boundary'] : []),
    ...(parameter(written, 'incrementalspec') === null ? ['incrementalSpec'] : []),
  ]
  const faults: Fault[] = []
  if (lost.length > 0) {
    const seen = `Content-Type arrived as "${written}", without ${lost.join(' and ')}`
    faults.push({ kind: 'parameters-lost', severity: 'problem', seen })
  }
  const used = answer.boundary
  if (used !== null && boundary !== null && (used !== BOUNDARY || boundary !== used)) {
    const isConsistent = used === boundary
    faults.push({
      kind: 'boundary-changed',
      severity: isConsistent ? 'warning' : 'problem',
      seen: isConsistent
        ? `the boundary "${BOUNDARY}" of the router was replaced by "${used}"`
        : `Content-Type names the boundary "${boundary}", and the parts are separated by "${used}"`,
    })
  }
  return faults
}

function parameter(type: string, name: string): string | null {
  const found = new RegExp(String.raw`;\s*${name}=(?:"([^"]*)"|([^;\s]*))`, 'i').exec(type)
  return found === null ? null : (found[1] ?? found[2] ?? '')
}

function endingFault({ variant, recording, answer }: Examined): Fault | null {
  if (answer.boundary === null || (answer.isClosed && recording.end.kind !== 'unfinished')) return null
  const since = seconds(recording.end.at - (recording.chunks.at(-1)?.at ?? recording.begunAt))
  const count = `after ${answer.parts.length} of ${variant.parts} parts`
  if (recording.end.kind === 'unfinished') {
    const seen = `${count} nothing more came for ${since}, and the connection stayed open`
    return { kind: 'never-ends', severity: 'problem', seen }
  }
  const seen = `the connection ended ${count}, ${since} after the last byte and ${seconds(recording.end.at - recording.begunAt)} after the request`
  return { kind: 'connection-cut', severity: 'problem', seen }
}

function damage({ variant, answer, measured }: Examined, isExplained: boolean): readonly Fault[] {
  if (isExplained || (measured !== null && answer.parts.length === variant.parts)) return []
  const seen = `${answer.parts.length} readable parts of ${variant.parts} arrived`
  return [{ kind: 'parts-damaged', severity: 'problem', seen }]
}

function timing({ recording, measured }: Examined, isCut: boolean): readonly Fault[] {
  const { headers, httpVersion } = recording
  const arrival = measured?.arrival ?? { kind: 'in-time' }
  const isHeld = arrival.kind === 'at-the-end'
  const length = headers['content-length']
  if (length !== undefined) {
    const seen = `the answer has Content-Length: ${length}, which nobody can know before all parts are there`
    return [{ kind: 'length-declared', severity: 'problem', seen }]
  }
  const old: Fault[] =
    httpVersion === '1.0'
      ? [
          {
            kind: 'http-1.0',
            severity: isHeld ? 'problem' : 'warning',
            seen: `the answer is one of HTTP/1.0${isHeld ? ', and nothing of it came before its end' : ''}`,
          },
        ]
      : []
  if (measured === null || isCut || arrival.kind === 'in-time' || (isHeld && old.length > 0)) return old
  const encoding = headers['content-encoding']
  const how = arrivalSeen(arrival, measured)
  const seen = encoding === undefined ? how : `${how}; the answer is compressed (${encoding})`
  return [...old, { kind: faultOf(arrival), severity: 'problem', seen }]
}

function faultOf({ kind }: Exclude<Arrival, { kind: 'in-time' }>): FaultKind {
  switch (kind) {
    case 'at-the-end':
      return 'held-to-the-end'
    case 'in-blocks':
      return 'held-in-blocks'
    case 'one-late':
      return 'one-part-late'
    case 'boundaries-late':
      return 'boundaries-held'
    case 'start-held':
      return 'start-held'
    default:
      return kind satisfies never
  }
}

function arrivalSeen(arrival: Exclude<Arrival, { kind: 'in-time' }>, { parts }: MeasuredArrival): string {
  const late = parts.find((part, index) => index < parts.length - 1 && !part.inTime)
  const next = parts[late?.part ?? 0]
  const example =
    late === undefined || next === undefined
      ? ''
      : `: part ${late.part} was written at ${milliseconds(late.written)} and complete at ${milliseconds(late.completed ?? late.read)}, part ${next.part} was written at ${milliseconds(next.written)}`
  switch (arrival.kind) {
    case 'at-the-end':
      return `nothing came before the last part was written${example}`
    case 'in-blocks':
      return arrival.size === null
        ? `parts came late and in pieces of different sizes${example}`
        : `the bytes came in multiples of ${arrival.size}${example}`
    case 'one-late':
      return `each part came when the next one was written${example}`
    case 'boundaries-late':
      return `the text of each part came in time, the boundary that ends it with the next part${example}`
    case 'start-held':
      return `the first ${arrival.parts === 1 ? 'part' : `${arrival.parts} parts`} came late, the others in time${example}`
    default:
      return arrival satisfies never
  }
}

function milliseconds(time: number): string {
  return `${Math.round(time)} ms`
}

function seconds(time: number): string {
  return time < 1000 ? milliseconds(time) : `${(time / 1000).toFixed(1)} s`
}
