/** Answers what was asked of a graph, from what is kept. */
import {
  type GraphName,
  USAGE_DAYS,
  type UnusedCoordinates,
  type UsageReport,
  type UsedOperation,
} from '@switchyard/contracts'
import type { z } from 'zod'
import { noCounts, totalsOf } from './counts.ts'
import type { HeardUsage } from './heard-usage.ts'
import type { AskedSchema, CoordinatesThread } from './coordinates-thread.ts'
import type { Listed } from './coordinates-task.ts'
import { CoverageTally } from './usage-coverage.ts'
import type { UsedDocuments } from './used-documents.ts'
import { DAY_MS, HOUR_MS, type UsageStore } from './usage-store.ts'
import { type GroupName, type UsageFilter, UsageTally } from './usage-tally.ts'

const MINUTE_MS = 60_000
const HOURS_PER_DAY = 24
/** Minutes after which the usage of a minute is there. */
const DUE_AFTER_MINUTES = 2
/** Clients and flags of an operation that are listed. */
const MOST_LISTED = 100

const NOTHING = (): readonly string[] => []
const EVERYTHING = { usesOf: NOTHING, isSelective: false }

export type UsageSources = {
  readonly store: UsageStore
  readonly heard: HeardUsage
  readonly schemas: Pick<CoordinatesThread, 'ask' | 'related'>
  /** Unix milliseconds. */
  readonly now: () => number
}

/** A window of Unix milliseconds. `hours`: its length if it has no beginning. */
export type Window = {
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly hours?: number
}

export type Question = Window & {
  readonly groups: readonly GroupName[]
  readonly filter: UsageFilter
  /** Coordinates of which a request uses at least one. If they are absent, all requests count. */
  readonly coordinates?: readonly string[] | undefined
  readonly limit: number
}

export class UsageAnswers {
  readonly #sources: UsageSources

  constructor(sources: UsageSources) {
    this.#sources = sources
  }

  /** `schema` is the served base of the graph; null if nothing is served. */
  async report(
    graph: GraphName,
    schema: AskedSchema | null,
    question: Question,
  ): Promise<z.infer<typeof UsageReport>> {
    const { coordinates, filter, groups, limit } = question
    const documents = await this.#documents(graph)
    const isSelective = coordinates !== undefined
    const asked = isSelective ? await this.#askedBy(schema, coordinates) : null
    const usesOf =
      asked?.usesOf ?? (groups.includes('coordinate') ? await this.#impliedBy(schema, documents) : NOTHING)
    const tally = new UsageTally({ groups, filter, usesOf, isSelective, documents })
    const counted = await this.#count(graph, question, [tally], groups.includes('hour'))
    const { from, to, coverage } = counted
    return {
      ...graph,
      from,
      to,
      retentionDays: this.#sources.store.days,
      coverage: coverage(tally.unknownOperations),
      totals: totalsOf(tally.totals),
      ...(await tally.result(limit)),
      restRequests: tally.rest.requests,
      ...(asked === null ? {} : { unknownCoordinates: [...asked.unknown] }),
    }
  }

  /** Null if nobody executed the operation. */
  async operation(
    graph: GraphName,
    hash: string,
    window: Window,
  ): Promise<z.infer<typeof UsedOperation> | null> {
    const documents = await this.#documents(graph)
    const filter = { operation: hash }
    const tallies = (['operation', 'client', 'flag', 'hour'] as const).map(
      (group) => new UsageTally({ ...EVERYTHING, groups: [group], filter, documents }),
    )
    const { coverage } = await this.#count(graph, window, tallies, true)
    const [own, clients, flags, hours] = await Promise.all(
      tallies.map(async (tally) => (await tally.result(MOST_HOURS)).groups),
    )
    const [identity] = own?.flatMap(({ operation }) => operation ?? []) ?? []
    if (identity === undefined) return null
    const all = documents.allOf(hash)
    const isKnown = all.length > 0 && all.every(({ coordinates }) => coordinates !== null)
    return {
      ...identity,
      document: all.find(({ text }) => text !== null)?.text ?? null,
      coordinates: isKnown ? [...new Set(all.flatMap(({ coordinates }) => coordinates ?? []))].sort() : null,
      coverage: coverage(tallies[0]?.unknownOperations ?? 0),
      totals: totalsOf(tallies[0]?.totals ?? noCounts()),
      clients: clients?.slice(0, MOST_LISTED) ?? [],
      flags: flags?.slice(0, MOST_LISTED) ?? [],
      hours: hours ?? [],
    }
  }

  async unused(
    graph: GraphName,
    schema: AskedSchema | null,
    { search, limit, ...window }: Window & Listed,
  ): Promise<z.infer<typeof UnusedCoordinates>> {
    const documents = await this.#documents(graph)
    const tally = new UsageTally({
      ...EVERYTHING,
      groups: ['coordinate'],
      filter: {},
      documents,
      usesOf: (name) => [name],
    })
    const counted = await this.#count(graph, window, [tally])
    const coverage = counted.coverage(tally.unknownOperations)
    if (schema === null) {
      const reason = 'Nothing is served of this graph, so there is no schema to compare with.'
      return { coverage, unused: null, reason, total: 0 }
    }
    if (!coverage.isEvidence) return { coverage, unused: null, reason: coverage.reason, total: 0 }
    const used = [...tally.coordinates()]
    const answer = await this.#sources.schemas.ask(schema, { kind: 'unused', used, search, limit })
    if (answer.kind !== 'unused') throw new Error('the thread answered another question')
    return { coverage, unused: [...answer.unused], reason: null, total: answer.total }
  }

  async #documents(graph: GraphName) {
    await this.#sources.heard.written()
    return this.#sources.store.documents(graph)
  }

  /** Returns which of these coordinates the use of a name counts for, and those that the schema lacks. */
  async #askedBy(schema: AskedSchema | null, coordinates: readonly string[]) {
    const { related, unknown } =
      schema === null
        ? { related: new Map(coordinates.map((one) => [one, [one]])), unknown: coordinates }
        : await this.#sources.schemas.related(schema, 'users-of', coordinates)
    const asked = new Map<string, string[]>()
    for (const [coordinate, all] of related)
      for (const user of all) {
        const known = asked.get(user)
        if (known === undefined) asked.set(user, [coordinate])
        else known.push(coordinate)
      }
    return { usesOf: (name: string) => asked.get(name) ?? [], unknown }
  }

  /** Returns everything that the use of a name uses. */
  async #impliedBy(schema: AskedSchema | null, documents: UsedDocuments) {
    const names = [...documents.names()]
    const implied = schema === null ? null : await this.#sources.schemas.related(schema, 'implied-by', names)
    return (name: string) => implied?.related.get(name) ?? [name]
  }

  /** Adds up a window, made of whole hours. Without one it is the time that usage is kept. */
  async #count(graph: GraphName, window: Window, tallies: readonly UsageTally[], byHour = false) {
    const { store, now } = this.#sources
    const time = now()
    const hours = window.hours ?? Math.min(store.days, USAGE_DAYS.default) * HOURS_PER_DAY
    const toHour = Math.ceil((window.to ?? time + 1) / HOUR_MS)
    const fromHour = Math.min(toHour, Math.floor((window.from ?? time - hours * HOUR_MS) / HOUR_MS))
    const horizon = Math.floor(time / MINUTE_MS) - DUE_AFTER_MINUTES
    const minutes = new CoverageTally(horizon)
    for await (const block of store.blocks(graph, fromHour, toHour, { byHour })) {
      minutes.add(block)
      for (const tally of tallies) tally.add(block)
    }
    const from = fromHour * 60
    const to = Math.max(from, Math.min(toHour * 60, horizon))
    const kept = Math.floor((time - store.days * DAY_MS) / HOUR_MS) * 60
    const heard = await store.heardMinutes(from, to)
    const retentionDays = store.days
    return {
      from: fromHour * HOUR_MS,
      to: toHour * HOUR_MS,
      coverage: (unknown: number) => minutes.coverage({ from, to, kept, retentionDays, heard }, unknown),
    }
  }
}

/** Hours of an operation that are listed, which is all of them. */
const MOST_HOURS = USAGE_DAYS.most * 25
