/** Messages of routers about usage, made by hand and by chance. */
import { createHash } from 'node:crypto'
import { type RouterUsage, routerUsageSubject } from '@switchyard/contracts'
import { GRAPH } from '../harness.ts'

export const sha = (text: string): string => createHash('sha256').update(text).digest('hex')
export const ARTIFACT = sha('artifact')

type Row = {
  readonly operation: string
  readonly flag?: string | null
  readonly client?: string | null
  readonly version?: string | null
  readonly requests: number
  readonly errors?: number
  readonly bucket?: number
}

export type Given = Partial<RouterUsage> & { readonly counted?: readonly Row[] }

/** A message with these rows. Operations are told by name; the hash is that of the name. */
export function usage(minute: number, { counted = [], ...more }: Given = {}): RouterUsage {
  const compositions: RouterUsage['compositions'] = []
  const clients: RouterUsage['clients'] = []
  const operations: RouterUsage['operations'] = []
  const place = <Item>(list: Item[], item: Item): number => {
    const at = list.findIndex((one) => JSON.stringify(one) === JSON.stringify(item))
    return at === -1 ? list.push(item) - 1 : at
  }
  const rows = counted.map(({ operation, flag = null, client = 'web', version = '1', ...counts }) => ({
    composition: place(compositions, { artifact: flag === null ? ARTIFACT : sha(flag), flag }),
    client: place(clients, { name: client, version }),
    operation: place(operations, { hash: sha(operation), name: operation, kind: 'query' as const }),
    requests: counts.requests,
    errors: counts.errors ?? 0,
    latency: counts.requests === 0 ? [] : [[counts.bucket ?? 10, counts.requests] as [number, number]],
  }))
  return {
    instance: 'r1',
    boot: 'b1',
    ...GRAPH,
    minute,
    since: minute,
    compositions,
    clients,
    operations,
    rows,
    rest: [],
    documents: [],
    values: [],
    untold: 0,
    ...more,
  }
}

/** A document of an operation that uses these coordinates. */
export function told(
  operation: string,
  coordinates: readonly string[] | null,
  artifact = ARTIFACT,
): RouterUsage['documents'][number] {
  return {
    hash: sha(operation),
    artifact,
    text: `query ${operation} { __typename }`,
    coordinates: coordinates === null ? null : [...coordinates],
  }
}

export function subjectOf(message: RouterUsage): string {
  return routerUsageSubject(message, message.instance)
}
