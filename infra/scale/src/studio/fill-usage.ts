/** Makes the usage of a month, as routers tell it minute by minute. */
import { createHash } from 'node:crypto'
import { type RouterUsage, routerUsageSubject } from '@switchyard/contracts'
import { fieldName, FIELDS, GRAPH, rootField, typeName, TYPES } from './large-graph.ts'

const OPERATIONS = 3000
const MINUTES_PER_HOUR = 60
/** Messages of an hour, and operations of a message. */
const MESSAGES = 4
const OPERATIONS_OF_MESSAGE = 300
const CLIENTS = 12
/** The flag that clients name. */
const NAMED = 3

export type Artifacts = { readonly base: string; readonly flags: readonly string[] }

/** Returns the messages of an hour (Unix time in hours). */
export function usageOfHour(hour: number, artifacts: Artifacts): readonly RouterUsage[] {
  return Array.from({ length: MESSAGES }, (_, at) => messageOf(hour, at, artifacts))
}

export function subjectOf(usage: RouterUsage): string {
  return routerUsageSubject(GRAPH, usage.instance)
}

function messageOf(hour: number, at: number, artifacts: Artifacts): RouterUsage {
  const minute = hour * MINUTES_PER_HOUR + at
  const first = ((hour * MESSAGES + at) * OPERATIONS_OF_MESSAGE) % OPERATIONS
  const asked = Array.from({ length: OPERATIONS_OF_MESSAGE }, (_, place) => (first + place) % OPERATIONS)
  return {
    instance: `usage-${at}`,
    boot: `boot-${hour}`,
    ...GRAPH,
    minute,
    since: minute,
    compositions: [
      { artifact: artifacts.base, flag: null },
      { artifact: artifacts.flags[NAMED] ?? artifacts.base, flag: `flag-${NAMED}` },
    ],
    clients: Array.from({ length: CLIENTS }, (_, client) => ({ name: `client-${client}`, version: '1.4.0' })),
    operations: asked.map((operation) => ({
      hash: hashOf(operation),
      name: `Used${operation}`,
      kind: 'query',
    })),
    rows: asked.map((operation, place) => ({
      composition: operation % 10 === 0 ? 1 : 0,
      client: operation % CLIENTS,
      operation: place,
      requests: 1 + (operation % 90),
      errors: operation % 7 === 0 ? 1 : 0,
      latency: [[20 + (operation % 30), 1 + (operation % 90)]],
    })),
    rest: [],
    documents: [],
    values: [],
    untold: 0,
  }
}

/** Returns messages that tell the documents of all operations, in the last minutes before `minute`. */
export function usedDocuments(minute: number, artifacts: Artifacts): readonly RouterUsage[] {
  const perMessage = 60
  return Array.from({ length: OPERATIONS / perMessage }, (_, at) => {
    const asked = Array.from({ length: perMessage }, (_operation, place) => at * perMessage + place)
    const documents = asked.flatMap((operation) => {
      const told = { hash: hashOf(operation), ...documentOf(operation) }
      return [artifacts.base, ...(operation % 10 === 0 ? [artifacts.flags[NAMED] ?? ''] : [])].map(
        (artifact) => {
          return { ...told, artifact }
        },
      )
    })
    const { instance, ...empty } = messageOf(Math.floor(minute / MINUTES_PER_HOUR), 0, artifacts)
    const nothing = { operations: [], rows: [], clients: [], compositions: [] }
    return { ...empty, ...nothing, instance: `${instance}-${at}`, minute, since: minute, documents }
  })
}

function documentOf(operation: number): { readonly text: string; readonly coordinates: string[] } {
  const type = (operation * 13) % TYPES
  const names = [fieldName(operation % FIELDS), fieldName((operation + 3) % FIELDS)]
  const text = `query Used${operation} {\n  ${rootField(type)} {\n    ${names.join('\n    ')}\n  }\n}`
  const coordinates = [`Query.${rootField(type)}`, ...names.map((name) => `${typeName(type)}.${name}`)]
  return { text, coordinates }
}

function hashOf(operation: number): string {
  return createHash('sha256').update(`operation ${operation}`).digest('hex')
}
