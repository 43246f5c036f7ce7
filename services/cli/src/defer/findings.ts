/** Findings about the way to a router: the faults of all answers, each once, with its meaning and advice. */
import { adviceFor } from './advice.ts'
import { type Examined, type Fault, type FaultKind, FAULT_KINDS } from './faults.ts'
import type { Hop } from './hops.ts'
import { probeName, type ProbeVariant } from './probe-variants.ts'

/** A fault as it is told to people. */
export type Finding = {
  readonly kind: FaultKind
  readonly severity: Fault['severity']
  readonly title: string
  readonly seen: string
  readonly meaning: string
  readonly change: readonly string[]
  /** Names of the variants of the probe in whose answers it was seen. */
  readonly ways: readonly string[]
  /**
   * The place of the cause. `router` means that the router itself shows the fault, too, `between` that it
   * does not.
   */
  readonly where: 'between' | 'router' | 'unknown'
}

/** The faults that were seen in the answer to one variant of the probe. */
export type JudgedProbe = {
  readonly variant: ProbeVariant
  /** Null if there was no answer. */
  readonly examined: Examined | null
  readonly faults: readonly Fault[]
}

/** Returns the findings of all probes. `direct` are the same probes, sent to the router itself. */
export function findingsOf(
  judged: readonly JudgedProbe[],
  hops: readonly Hop[],
  direct: readonly JudgedProbe[] | null,
): readonly Finding[] {
  const own = new Set((direct ?? []).flatMap((each) => kindsOf(direct ?? [], each)))
  const whereIs = (kind: FaultKind): Finding['where'] => {
    if (kind === 'defer-off' || own.has(kind)) return 'router'
    return direct === null ? 'unknown' : 'between'
  }
  const found: Finding[] = []
  for (const kind of FAULT_KINDS) {
    const seen = judged.flatMap((each) =>
      each.faults.flatMap((fault) =>
        explained(fault, each, judged) === kind ? [{ fault, variant: each.variant }] : [],
      ),
    )
    const [first] = seen
    if (first === undefined) continue
    // The case to look at: one that shows this very fault, and a grave one.
    const shown = seen.filter(({ fault }) => fault.kind === kind)
    const worst = shown.find(({ fault }) => fault.severity === 'problem') ?? shown[0] ?? first
    found.push({
      kind,
      ...TEXTS[kind],
      severity: worst.fault.severity,
      seen: `${probeName(worst.variant)}: ${worst.fault.seen}`,
      change: adviceFor(kind, hops),
      ways: seen.map(({ variant }) => probeName(variant)),
      where: whereIs(kind),
    })
  }
  return found
}

function kindsOf(all: readonly JudgedProbe[], each: JudgedProbe): readonly FaultKind[] {
  return each.faults.map((fault) => explained(fault, each, all))
}

/**
 * Returns the kind of a fault, or of its cause if other answers show it. An answer that is late only when it
 * is compressed is late because of the compression. Blocks that hold back large answers hold back a small one
 * to its end.
 */
function explained(fault: Fault, { variant, examined }: JudgedProbe, all: readonly JudgedProbe[]): FaultKind {
  const { kind } = fault
  if (kind !== 'held-to-the-end' && kind !== 'held-in-blocks' && kind !== 'start-held') return kind
  const plain = all.filter(
    (other) =>
      other.variant.protocol === variant.protocol &&
      other.examined?.measured != null &&
      !isEncoded(other.examined),
  )
  const isPlainInTime = plain.length > 0 && plain.every(({ faults }) => !faults.some(isHeld))
  if (examined !== null && isEncoded(examined) && isPlainInTime) return 'compressed-without-flush'
  const inBlocks = all.some(
    (other) =>
      other.variant.padding > variant.padding && other.faults.some((each) => each.kind === 'held-in-blocks'),
  )
  return kind === 'held-to-the-end' && inBlocks ? 'held-in-blocks' : kind
}

function isEncoded({ recording }: Examined): boolean {
  const encoding = recording.headers['content-encoding']
  return encoding !== undefined && encoding !== 'identity'
}

function isHeld({ kind }: Fault): boolean {
  return kind === 'held-to-the-end' || kind === 'held-in-blocks'
}

const TEXTS: Readonly<Record<FaultKind, { readonly title: string; readonly meaning: string }>> = {
  'other-answer': {
    title: 'Something else answers',
    meaning:
      'A hop refuses or answers such requests itself: clients that ask in this way do not reach the router.',
  },
  'defer-off': {
    title: 'The router defers nothing',
    meaning: 'Operations with @defer are answered in one piece, whatever stands between.',
  },
  'accept-rewritten': {
    title: 'The Accept header is rewritten on its way',
    meaning: 'The router answers what it is asked for: without multipart/mixed in Accept there is no stream.',
  },
  'not-multipart': {
    title: 'The content type is replaced',
    meaning: 'Clients take the parts for something else and fail, or show nothing.',
  },
  'parameters-lost': {
    title: 'The content type loses parameters',
    meaning:
      'Without the boundary a client cannot tell parts apart; without incrementalSpec it may not know the format.',
  },
  'boundary-changed': {
    title: 'The boundary is replaced',
    meaning:
      'Something takes the answer apart and puts it together anew. Where both places do not agree, no client can read it.',
  },
  'parts-damaged': {
    title: 'Parts are missing or changed',
    meaning: 'Something rewrites the body.',
  },
  'unknown-encoding': {
    title: 'The answer is compressed in a way that nobody asked for',
    meaning: 'Clients cannot read it.',
  },
  'connection-cut': {
    title: 'The connection is cut before the answer is complete',
    meaning: 'Fragments that come later never arrive: an idle or a total time limit, or a limit on size.',
  },
  'never-ends': {
    title: 'The end of the answer does not arrive',
    meaning: 'Something keeps the last bytes, or does not see that the answer is over.',
  },
  'length-declared': {
    title: 'The whole answer is collected before it is passed on',
    meaning: 'A hop reads the answer to its end, to know its length, before it sends the first byte.',
  },
  'http-1.0': {
    title: 'A hop speaks HTTP/1.0',
    meaning:
      'HTTP/1.0 has no chunks: many implementations collect an answer to know its length, and an answer that was cut looks complete.',
  },
  'compressed-without-flush': {
    title: 'A compressor holds the parts back',
    meaning:
      'A hop compresses the answer and does not flush after each part; uncompressed the same answer arrives in time.',
  },
  'held-to-the-end': {
    title: 'The answer is held back until its end',
    meaning: 'Response buffering: clients get everything at once, as late as the slowest fragment.',
  },
  'held-in-blocks': {
    title: 'The answer is passed on in blocks',
    meaning:
      'A buffer is sent when it is full, so a part waits for the bytes of later ones, and a small answer for its end.',
  },
  'one-part-late': {
    title: 'Each part is held until the next one',
    meaning: 'Every fragment arrives as late as the one after it.',
  },
  'boundaries-held': {
    title: 'Boundaries are held until the next part',
    meaning:
      'Clients know that a part is complete when they see the boundary behind it: they get every part as late as the next one.',
  },
  'start-held': {
    title: 'The beginning of the answer is held back',
    meaning:
      'A hop collects a first piece, to look at it, before it passes on: the part that should come early comes late.',
  },
}
