/**
 * Judges removals by usage: what nobody used is no breaking change, if that is known. What is used says who
 * would break.
 */
import { type UsageGroup, UsageReport } from '@switchyard/contracts'
import type { CheckedChange } from '@switchyard/schema-checks'
import { apiPath, type RegistryClient } from '../registry/registry-client.ts'
import { clientLabel } from './print-usage.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
/** Coordinates of one question, whose URL has a limit. */
const AT_A_TIME = 100
/** Those who would break that are named. */
const MOST_NAMED = 3

export type UsageWindow = { readonly namespace: string; readonly since: number; readonly now: number }

/** Returns the changes, those that remove something with what usage says of it. */
export async function judgeByUsage(
  registry: RegistryClient,
  changes: readonly CheckedChange[],
  window: UsageWindow,
): Promise<readonly CheckedChange[]> {
  const sentences = new Map<CheckedChange, Verdict>()
  for (const { graph, featureFlag, removals } of removalsByGraph(changes)) {
    const coordinates = [...new Set(removals.values())]
    const verdicts = new Map<string, Verdict>()
    for (let at = 0; at < coordinates.length; at += AT_A_TIME) {
      const some = coordinates.slice(at, at + AT_A_TIME)
      for (const [one, verdict] of await verdictsOn(registry, { ...window, graph, featureFlag }, some))
        verdicts.set(one, verdict)
    }
    for (const [change, coordinate] of removals) {
      const verdict = verdicts.get(coordinate)
      if (verdict !== undefined) sentences.set(change, verdict)
    }
  }
  return changes.map((change) => {
    const verdict = sentences.get(change)
    if (verdict === undefined) return change
    const message = `${change.message} (${verdict.sentence})`
    return { ...change, message, ...(verdict.isUnused ? { criticality: 'safe' as const } : {}) }
  })
}

type Verdict = { readonly isUnused: boolean; readonly sentence: string }
type Place = UsageWindow & { readonly graph: string; readonly featureFlag: string | null }

type Removals = Pick<Place, 'graph' | 'featureFlag'> & { readonly removals: Map<CheckedChange, string> }

function removalsByGraph(changes: readonly CheckedChange[]): readonly Removals[] {
  const places = new Map<string, Removals>()
  for (const change of changes) {
    const coordinate = removedBy(change)
    if (coordinate === null) continue
    const { graph, featureFlag } = change
    const key = JSON.stringify([graph, featureFlag])
    const place = places.get(key) ?? { graph, featureFlag, removals: new Map() }
    places.set(key, place)
    place.removals.set(change, coordinate)
  }
  return [...places.values()]
}

/** Returns the coordinate of what a breaking change removes; null if it removes nothing. */
function removedBy({ criticality, type, path }: CheckedChange): string | null {
  if (criticality !== 'breaking') return null
  if (/^(?:FIELD|INPUT_FIELD|ENUM_VALUE|TYPE)_REMOVED$/.test(type)) return path
  return /^FIELD_ARGUMENT_REMOVED$/.test(type) ? path.replace(/\.([^.]+)$/, '($1:)') : null
}

async function verdictsOn(
  registry: RegistryClient,
  place: Place,
  coordinates: readonly string[],
): Promise<ReadonlyMap<string, Verdict>> {
  const { since, now } = place
  const all = await reportOn(registry, place, coordinates, { from: since, to: now })
  const midnight = Math.floor(now / DAY_MS) * DAY_MS
  const usersOf = usersByCoordinate(all)
  const yesterday =
    usersOf.size === 0
      ? new Map<string, readonly UsageGroup[]>()
      : usersByCoordinate(
          await reportOn(registry, place, [...usersOf.keys()], { from: midnight - DAY_MS, to: midnight }),
        )
  const time = lengthOf(now - since)
  return new Map(
    coordinates.map((one) => [one, verdictOn(all, usersOf.get(one) ?? [], yesterday.get(one) ?? [], time)]),
  )
}

function verdictOn(
  { coverage, leftOut }: UsageReport,
  users: readonly UsageGroup[],
  yesterday: readonly UsageGroup[],
  time: string,
): Verdict {
  if (users.length > 0) return { isUnused: false, sentence: usedBy(users, yesterday, time) }
  const { reason, reportedMinutes, aliveMinutes } = coverage
  if (reason !== null) return { isUnused: false, sentence: `perhaps used: ${reason.replace(/\.$/, '')}` }
  // Groups are left out by their requests, so that this one may be among them.
  if (leftOut > 0) return { isUnused: false, sentence: 'perhaps used: too many clients use what is removed' }
  const known = `${grouped(reportedMinutes)} of ${grouped(aliveMinutes)} router minutes`
  return { isUnused: true, sentence: `unused for ${time}, by ${known}` }
}

function usedBy(users: readonly UsageGroup[], yesterday: readonly UsageGroup[], time: string): string {
  const named = users.slice(0, MOST_NAMED).map((user) => {
    const recent = yesterday.find((one) => nameOf(one) === nameOf(user))
    const requests =
      recent === undefined
        ? `${countOf(user)} in ${time}, the last on ${new Date(user.lastSeen).toISOString().slice(0, 10)}`
        : `${countOf(recent)} yesterday`
    const flag = user.flag ?? null
    return `${clientLabel(user.client)}, ${requests}, by ${flag === null ? 'base' : `flag ${flag}`}`
  })
  const more = users.length - named.length
  return `used by ${[...named, ...(more > 0 ? [`${more} more`] : [])].join('; ')}`
}

function countOf({ requests }: UsageGroup): string {
  return `${grouped(requests)} ${requests === 1 ? 'request' : 'requests'}`
}

function nameOf({ client, flag }: UsageGroup): string {
  return JSON.stringify([client, flag])
}

function usersByCoordinate({ groups }: UsageReport): ReadonlyMap<string, readonly UsageGroup[]> {
  const users = new Map<string, UsageGroup[]>()
  for (const group of groups) {
    const { coordinate = '' } = group
    users.set(coordinate, [...(users.get(coordinate) ?? []), group])
  }
  return users
}

async function reportOn(
  registry: RegistryClient,
  { namespace, graph, featureFlag }: Place,
  coordinates: readonly string[],
  window: { readonly from: number; readonly to: number },
): Promise<UsageReport> {
  const query = new URLSearchParams({ from: String(window.from), to: String(window.to), limit: '10000' })
  for (const group of ['coordinate', 'client', 'flag']) query.append('group', group)
  for (const coordinate of coordinates) query.append('coordinate', coordinate)
  if (featureFlag !== null) query.append('schemaOf', featureFlag)
  return registry.get(`${apiPath('usage', namespace, graph)}?${query}`, UsageReport)
}

/** `30 days`, or `3 hours` of a time that is shorter than a day. */
function lengthOf(ms: number): string {
  const [count, unit] = ms >= DAY_MS ? [ms / DAY_MS, 'day'] : [ms / HOUR_MS, 'hour']
  const rounded = Math.max(1, Math.round(count))
  return `${rounded} ${unit}${rounded === 1 ? '' : 's'}`
}

/** `43,200`. */
function grouped(count: number): string {
  return count.toLocaleString('en-US')
}
