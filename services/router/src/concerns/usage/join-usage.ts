/** Joins what several processes of one router counted in the same minute. */
import type { RouterUsage } from '@switchyard/contracts'
import { Numbered } from './numbered.ts'
import type { ToldMinute } from './tell-minute.ts'
import { UsageCounts } from './usage-counts.ts'

type JoinedRest = { readonly counts: UsageCounts; coordinates: Set<string> | null }

/** Returns one message, which takes no more bytes than all of these together. */
export function joinUsage(parts: readonly ToldMinute[]): ToldMinute {
  const compositions = new Numbered<RouterUsage['compositions'][number]>()
  const clients = new Numbered<RouterUsage['clients'][number]>()
  const operations = new Numbered<RouterUsage['operations'][number]>()
  const places = new Numbered<Pick<RouterUsage['rows'][number], 'composition' | 'client' | 'operation'>>()
  const counts: UsageCounts[] = []
  const rest = new Map<number, JoinedRest>()
  for (const part of parts) {
    const composition = part.compositions.map((member) => compositions.of(member).add())
    const client = part.clients.map((member) => clients.of(member).add())
    const operation = part.operations.map((member) => operations.of(member).add())
    for (const row of part.rows) {
      const place = {
        composition: composition[row.composition] ?? 0,
        client: client[row.client] ?? 0,
        operation: operation[row.operation] ?? 0,
      }
      const index = places.of(place).add()
      counts[index] ??= new UsageCounts()
      counts[index].add(row)
    }
    for (const row of part.rest) joinRest(rest, composition[row.composition] ?? 0, row)
  }
  return {
    compositions: compositions.all,
    clients: clients.all,
    operations: operations.all,
    rows: places.all.map((place, index) => ({ ...place, ...(counts[index] ?? new UsageCounts()).told })),
    rest: Array.from(rest, ([composition, { counts: own, coordinates }]) => ({
      composition,
      ...own.told,
      coordinates: coordinates === null ? null : [...coordinates].sort(),
    })),
    documents: eachOnce(parts.flatMap(({ documents }) => documents)),
    values: parts.flatMap(({ values }) => values),
    untold: parts.reduce((sum, { untold }) => sum + untold, 0),
  }
}

function joinRest(
  joined: Map<number, JoinedRest>,
  composition: number,
  { coordinates, ...told }: RouterUsage['rest'][number],
): void {
  const own: JoinedRest = joined.get(composition) ?? { counts: new UsageCounts(), coordinates: new Set() }
  joined.set(composition, own)
  own.counts.add(told)
  if (coordinates === null) own.coordinates = null
  for (const coordinate of coordinates ?? []) own.coordinates?.add(coordinate)
}

function eachOnce(documents: readonly RouterUsage['documents'][number][]): RouterUsage['documents'] {
  const list = new Numbered<RouterUsage['documents'][number]>()
  for (const document of documents) list.of(document).add()
  return list.all
}
