/**
 * A search for inputs that cost much: inputs that were worse than others of their kind are kept and changed
 * further.
 *
 * What is drawn depends on the seed alone, but which inputs are kept depends on measured times too, so that a
 * campaign cannot be repeated exactly. What it finds can be: inputs are kept as the bytes that they are.
 */
import { type Arbitrary, constant, oneof, record, sample } from 'fast-check'
import { Elite } from './elite.ts'
import { fraction, type Input, mutated, mutation, type Step } from './input/mutations.ts'
import type { Arena, Attempt, Hunted } from './targets/target.ts'

/** CPU in microseconds that no turn and no request may take. */
export const MAX_TURN = 50_000
export const MAX_REQUEST = 250_000

export type Finding = {
  readonly target: string
  readonly seed: string
  readonly bytes: Buffer
  readonly attempt: Attempt
  /** The rule that the input breaks. Null if it breaks none and is only one of the slowest. */
  readonly complaint: string | null
}

export type MemorySample = {
  readonly tried: number
  /** Bytes of the measured thread, without garbage. */
  readonly inUse: number
  /** Bytes of the process, with the hunter in it. */
  readonly resident: number
}

export type CampaignReport = {
  readonly target: string
  readonly tried: number
  readonly milliseconds: number
  readonly worstTurn: number
  readonly worstRequest: number
  /** Samples after the first hundred inputs, after every 5,000, and at the end. */
  readonly memory: readonly MemorySample[]
  readonly outcomes: ReadonlyMap<string, number>
  readonly worst: readonly Finding[]
}

export type CampaignOptions = {
  readonly seed: number
  readonly inputs: number
  /** Asked before each input: whether to end although there could be more. */
  readonly isOver: () => boolean
  /** False if times mean nothing. Then no input is tried again to tell its own cost from other work. */
  readonly measuresTimes: boolean
  /** Is called now and then with the progress, and with the inputs that break a rule. */
  readonly onProgress?: (report: string, failures: readonly Finding[]) => Promise<void>
}

const WORST = 10
const REPEATS = 3
/** Inputs for which steps are drawn at once. */
const BATCH = 500
const WARM_UP = 100
const SAMPLED = 5000
/**
 * Inputs that are tried soon are changed more often than others: many of them are tried in the time of one
 * that costs much.
 */
const PREFERENCE = 4

export async function hunt(target: Hunted, options: CampaignOptions): Promise<CampaignReport> {
  const campaign = new Campaign(target, options)
  return await campaign.run()
}

class Campaign {
  readonly #target: Hunted
  readonly #options: CampaignOptions
  readonly #elite = new Elite()
  readonly #outcomes = new Map<string, number>()
  readonly #findings = new Map<string, Finding>()
  #arena: Arena | null = null
  #tried = 0
  readonly #memory: MemorySample[] = []

  constructor(target: Hunted, options: CampaignOptions) {
    this.#target = target
    this.#options = options
  }

  async run(): Promise<CampaignReport> {
    const { inputs, seed, isOver, onProgress } = this.#options
    const started = performance.now()
    try {
      for (const input of this.#target.seeds) if (this.#tried < inputs) await this.#try(input)
      for (let batch = 0; this.#tried < inputs && !isOver(); batch++) {
        for (const plan of drawn(seed + batch)) {
          if (this.#tried >= inputs || isOver()) break
          const input = this.#child(plan)
          if (input === null) continue
          await this.#try(input)
          if (this.#tried !== WARM_UP && this.#tried % SAMPLED !== 0) continue
          await this.#sampleMemory()
          await onProgress?.(this.#progress(started), this.#failures())
        }
      }
      return await this.#report(started)
    } finally {
      await this.#arena?.[Symbol.asyncDispose]()
    }
  }

  #child({ steps, parent, other, room }: Plan): Input | null {
    const { grammar } = this.#target
    const others = (at: number) => this.#elite.pick((other + at) % 1).tree
    try {
      return mutated(this.#elite.pick(parent ** PREFERENCE), steps, { grammar, others, room })
    } catch (error) {
      return ignoredDepth(error)
    }
  }

  async #try(input: Input): Promise<void> {
    let bytes: Buffer | null
    try {
      bytes = this.#target.bytesOf(input)
    } catch (error) {
      bytes = ignoredDepth(error)
    }
    if (bytes === null) return
    this.#tried++
    let attempt = await this.#attempt(input, bytes)
    if (attempt === null) return
    const { outcome } = attempt
    this.#outcomes.set(outcome.name, (this.#outcomes.get(outcome.name) ?? 0) + 1)
    if (outcome.complaint !== null) this.#note(input, bytes, attempt, outcome.complaint)
    if (!this.#options.measuresTimes) {
      this.#elite.offer(input, bytes.length, attempt)
      return
    }
    // Whatever seems worse than others is asked again: a collection of garbage may have come in between.
    if (this.#elite.wants(bytes.length, attempt) || this.#isBad(attempt)) {
      attempt = await this.#again(input, bytes, attempt)
      if (attempt === null) return
      this.#elite.offer(input, bytes.length, attempt)
      this.#note(input, bytes, attempt, this.#complaintOf(attempt))
    }
  }

  /** Null if it brought its arena down, which is noted. */
  async #attempt(input: Input, bytes: Buffer): Promise<Attempt | null> {
    this.#arena ??= await this.#target.open()
    const arena = this.#arena
    let reason: string
    try {
      const attempt = await arena.attempt(bytes)
      if (arena.thread.death === null) return attempt
      reason = arena.thread.death
    } catch (error) {
      reason = arena.thread.death ?? String(error)
    }
    const outcome = { name: 'no answer', bytesOut: 0, complaint: reason }
    this.#note(input, bytes, { cpu: 0, longestTurn: 0, turns: 0, memory: 0, outcome }, reason)
    this.#arena = null
    await arena[Symbol.asyncDispose]()
    return null
  }

  /** The least of several times, or of as many as tell that it is not worse than others. */
  async #again(input: Input, bytes: Buffer, first: Attempt): Promise<Attempt | null> {
    let least = first
    for (let time = 1; time < REPEATS; time++) {
      const attempt = await this.#attempt(input, bytes)
      if (attempt === null) return null
      least = {
        ...attempt,
        cpu: Math.min(least.cpu, attempt.cpu),
        longestTurn: Math.min(least.longestTurn, attempt.longestTurn),
        memory: Math.min(least.memory, attempt.memory),
      }
      if (!this.#elite.wants(bytes.length, least) && !this.#isBad(least)) break
    }
    return least
  }

  #isBad({ cpu, longestTurn }: Attempt): boolean {
    return this.#target.judgesTimes && (longestTurn > MAX_TURN || cpu > MAX_REQUEST)
  }

  #complaintOf(attempt: Attempt): string | null {
    const { cpu, longestTurn } = attempt
    if (!this.#target.judgesTimes) return null
    if (longestTurn > MAX_TURN) return `One turn takes ${ms(longestTurn)} of CPU.`
    if (cpu > MAX_REQUEST) return `It takes ${ms(cpu)} of CPU on the serving thread.`
    return null
  }

  /** Keeps the worst finding among those that descend from one seed and have the same outcome. */
  #note(input: Input, bytes: Buffer, attempt: Attempt, complaint: string | null): void {
    const key = `${input.seed} ${attempt.outcome.name}`
    const known = this.#findings.get(key)
    if (known !== undefined && badness(known) >= badness({ attempt, complaint })) return
    this.#findings.set(key, { target: this.#target.name, seed: input.seed, bytes, attempt, complaint })
    if (this.#findings.size <= WORST * 20) return
    for (const [key] of this.#sorted().slice(WORST * 5)) this.#findings.delete(key)
  }

  #sorted(): readonly (readonly [string, Finding])[] {
    return [...this.#findings].sort(([, a], [, b]) => badness(b) - badness(a))
  }

  async #sampleMemory(): Promise<void> {
    if (this.#arena === null || this.#memory.at(-1)?.tried === this.#tried) return
    const inUse = await this.#arena.thread.memoryInUse()
    this.#memory.push({ tried: this.#tried, inUse, resident: process.memoryUsage.rss() })
  }

  #failures(): readonly Finding[] {
    return [...this.#findings.values()].filter(({ complaint }) => complaint !== null)
  }

  #progress(started: number): string {
    const rate = Math.round((this.#tried / (performance.now() - started)) * 1000)
    const [worst] = this.#sorted()
    const memory = this.#memory.at(-1)
    return `${this.#target.name}: ${this.#tried} inputs, ${rate}/s, ${memory === undefined ? '' : describeMemory(memory)}, worst ${worst === undefined ? '-' : `${ms(worst[1].attempt.longestTurn)} turn, ${ms(worst[1].attempt.cpu)} in all`}`
  }

  async #report(started: number): Promise<CampaignReport> {
    const worst = this.#sorted().map(([, finding]) => finding)
    await this.#sampleMemory()
    return {
      target: this.#target.name,
      tried: this.#tried,
      milliseconds: performance.now() - started,
      worstTurn: Math.max(0, ...worst.map(({ attempt }) => attempt.longestTurn)),
      worstRequest: Math.max(0, ...worst.map(({ attempt }) => attempt.cpu)),
      memory: this.#memory,
      outcomes: this.#outcomes,
      worst: [
        ...worst.filter(({ complaint }) => complaint !== null),
        ...worst.filter(({ complaint }) => complaint === null),
      ].slice(0, Math.max(WORST, worst.filter(({ complaint }) => complaint !== null).length)),
    }
  }
}

/** Returns a score that is higher for worse findings. Breaking a rule is worse than taking long. */
function badness({ attempt, complaint }: Pick<Finding, 'attempt' | 'complaint'>): number {
  const { cpu, longestTurn } = attempt
  return longestTurn / MAX_TURN + cpu / MAX_REQUEST + (complaint === null ? 0 : 1000)
}

type Plan = {
  readonly steps: readonly Step[]
  /** Which input is changed, and where other parts are taken from: numbers from 0 to 1. */
  readonly parent: number
  readonly other: number
  /** Bytes that it may have afterwards. */
  readonly room: number
}

const plan: Arbitrary<Plan> = record({
  steps: mutation,
  parent: fraction,
  other: fraction,
  // Most that is bad for a large input is bad for its size in a small one, and many of these are tried in the
  // same time.
  room: oneof(
    { arbitrary: constant(1000), weight: 700 },
    { arbitrary: constant(10_000), weight: 250 },
    { arbitrary: constant(100_000), weight: 48 },
    { arbitrary: constant(5_000_000), weight: 2 },
  ),
})

function drawn(seed: number) {
  return sample(plan, { seed, numRuns: BATCH })
}

/** Trees that nest deeper than functions can be called are no inputs. Null, or the error. */
function ignoredDepth(error: unknown): null {
  if (error instanceof RangeError) return null
  throw error
}

export function describeMemory({ inUse, resident }: MemorySample): string {
  return `${megabytes(inUse)} in use, ${megabytes(resident)} resident`
}

export function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`
}

/** Returns microseconds as text in milliseconds. */
export function ms(microseconds: number): string {
  return `${(microseconds / 1000).toFixed(1)} ms`
}
