/**
 * Sends all variants of the probe, and those whose answers seem late again, with longer pauses. A busy
 * machine makes an answer late now and then, a buffer always, and in the same manner. So the best of several
 * answers counts, and what shows something else each time is asked once more.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import pMap from 'p-map'
import { Interrupted, ProbeUnanswered } from '../run/errors.ts'
import { type ProbeSettings, type Examination, examine } from './examine.ts'
import { faultsOf, isAboutTime, otherAnswer } from './faults.ts'
import { expectProbe } from './first-answer.ts'
import type { JudgedProbe } from './findings.ts'
import { findHops, type Hop, withoutAccelHeader } from './hops.ts'
import { FIRST_PROBE, idleVariant, probeName, type ProbeVariant, PROBE_VARIANTS } from './probe-variants.ts'

/** All findings about the way to one URL after all probes. */
export type Diagnosis = {
  readonly url: string
  readonly hops: readonly Hop[]
  readonly judged: readonly JudgedProbe[]
  /** Ways that the server at this URL does not offer. */
  readonly notOffered: readonly { readonly variant: ProbeVariant; readonly reason: string }[]
}

/** The settings of a diagnosis of one URL. */
export type DiagnosisOptions = ProbeSettings & {
  /** Seconds of silence to look for an idle time limit with. */
  readonly idle: number | null
  readonly onProgress: (text: string) => void
}

/** Milliseconds between parts, at least; and how many times what one exchange takes. */
const PASSES = [
  { least: 60, times: 2 },
  { least: 200, times: 4 },
  { least: 600, times: 8 },
]
/** The passes for probes that showed different faults each time. */
const LONG_PASSES = [
  { least: 1500, times: 16 },
  { least: 4000, times: 32 },
]
const MOST = 5000
const AT_A_TIME = 5
/** Twenty seconds: a slow probe of somebody else takes up to sixteen. */
const BUSY_TRIES = 40
const BUSY_WAIT_MS = 500

/** Throws ProbeRefused, ProbeUnanswered or Interrupted. */
export async function diagnose(options: DiagnosisOptions): Promise<Diagnosis> {
  const first = expectProbe(await examineWhenFree(FIRST_PROBE, 0, options), options)
  const { chunks, begunAt, end } = first.recording
  const distance = (chunks[0]?.at ?? end.at) - begunAt
  const judged = new Map<ProbeVariant, JudgedProbe>()
  const unsteady = new Set<ProbeVariant>()
  const notOffered: Diagnosis['notOffered'][number][] = []
  const judge = async (variant: ProbeVariant, spacing: number): Promise<void> => {
    const found = await examineWhenFree(variant, spacing, options)
    if (options.signal.aborted) throw new Interrupted('Interrupted before everything was measured.')
    if (found.kind === 'other-protocol') notOffered.push({ variant, reason: found.reason })
    else {
      const before = judged.get(variant)
      const now = judgementOf(variant, found)
      if (before === undefined || hasSameFaults(before, now)) unsteady.delete(variant)
      else unsteady.add(variant)
      judged.set(variant, before === undefined ? now : betterOf(before, now))
    }
  }
  const idle = options.idle === null ? null : idleVariant(options.idle)
  const resting = idle === null ? null : judge(idle, idle.pause ?? 0)
  // It is waited for below, or fails as what is waited for before it does.
  resting?.catch(() => undefined)

  let open = PROBE_VARIANTS
  for (const [pass, { least, times }] of [...PASSES, ...LONG_PASSES].entries()) {
    const spacing = Math.round(Math.min(MOST, Math.max(least, times * distance)))
    options.onProgress(pass === 0 ? 'probing …' : `probing again, more slowly, what seems late …`)
    await pMap(open, (variant) => judge(variant, spacing), { concurrency: AT_A_TIME })
    open = open.filter(
      (variant) =>
        judged.get(variant)?.faults.some(isAboutTime) === true &&
        (pass + 1 < PASSES.length || unsteady.has(variant)),
    )
    if (open.length === 0) break
  }
  if (idle !== null) options.onProgress(`waiting for ${probeName(idle)} …`)
  await resting
  const ordered = [...PROBE_VARIANTS, ...(idle === null ? [] : [idle])].flatMap(
    (variant) => judged.get(variant) ?? [],
  )
  return { url: options.url.href, hops: hopsOf(first, ordered), judged: ordered, notOffered }
}

function judgementOf(
  variant: ProbeVariant,
  found: Exclude<Examination, { kind: 'other-protocol' }>,
): JudgedProbe {
  if (found.kind === 'examined')
    return { variant, examined: found.examined, faults: faultsOf(found.examined) }
  return { variant, examined: null, faults: [otherAnswer(found.reason)] }
}

/** The same parts were late, in the same manner. */
function hasSameFaults(before: JudgedProbe, now: JudgedProbe): boolean {
  const [one, other] = [before, now].map(({ examined }) => [
    examined?.measured?.arrival,
    examined?.measured?.parts.map(({ inTime }) => inTime),
  ])
  return isDeepStrictEqual(one, other)
}

/**
 * Returns the judgement in which less was late. Faults that are no matter of time count as they were seen
 * last.
 */
function betterOf(before: JudgedProbe, now: JudgedProbe): JudgedProbe {
  const [lasting, lastingNow] = [before, now].map(({ faults }) =>
    faults.filter((fault) => !isAboutTime(fault) && fault.kind !== 'http-1.0').map(({ kind }) => kind),
  )
  if (!isDeepStrictEqual(lasting, lastingNow)) return now
  const [share = 0, shareNow = 0] = [before, now].map(({ examined }) => examined?.measured?.share)
  return share > shareNow ? before : now
}

/** A router answers few probes at a time. Throws ProbeUnanswered where it goes on with others. */
async function examineWhenFree(
  variant: ProbeVariant,
  spacing: number,
  asking: ProbeSettings,
): Promise<Examination> {
  for (let attempt = 1; attempt <= BUSY_TRIES; attempt += 1) {
    const found = await examine(variant, spacing, asking)
    const isBusy = found.kind === 'examined' && found.examined.refusal === 'DEFER_PROBE_LIMIT'
    if (!isBusy || asking.signal.aborted) return found
    await sleep(BUSY_WAIT_MS, undefined, { signal: asking.signal }).catch(() => undefined)
  }
  throw new ProbeUnanswered(
    `The router at ${asking.url.href} answered no probe for ${(BUSY_TRIES * BUSY_WAIT_MS) / 1000} s: it is busy with those ` +
      'of others (DEFER_PROBE_LIMIT). Nothing is known of the way to it. Try again when they are done.',
  )
}

function hopsOf(first: NonNullable<JudgedProbe['examined']>, judged: readonly JudgedProbe[]): readonly Hop[] {
  const hops = findHops(first.recording.headers, first.received)
  const streams = [first, ...judged.flatMap(({ examined }) => examined ?? [])].filter(
    ({ measured }) => measured !== null,
  )
  const lost = streams.some(({ recording }) => recording.headers['x-accel-buffering'] === undefined)
  return lost ? withoutAccelHeader(hops) : hops
}
