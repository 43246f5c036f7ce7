/**
 * The one table that says how each member of a trace is cleaned, and the walk over a trace by that table.
 *
 * The table names every member that a trace may have, in the order in which they are written. A member that
 * it does not name is a type error and is not shown, so nothing comes into a trace that nobody thought about.
 */
import type { TraceHeaders, TraceLoad, TraceNode } from '@switchyard/request-trace'
import { RecordedJson } from './recorded-json.ts'
import type { RecordedTrace } from './recorded-trace.ts'

/** Texts. A label is an argument of `@defer`. */
type TextKind = 'text' | 'url' | 'document' | 'label'
/**
 * Data. `request` is what was sent to a subgraph. `given` are the objects that it was made from, which came
 * with an answer, where all of them are learned.
 */
type DataKind = 'variables' | 'request' | 'answer' | 'given'
/** `own` is what the router itself says, such as codes and times: it is shown as it is. */
type Kind = TextKind | DataKind | 'headers' | 'own'
type Rule = Kind | { readonly [member: string]: Rule }

/** The rules that fit a type. The rule of a list is that of its items. */
type RuleOf<Value> = 'own' | (unknown extends Value ? DataKind : RuleOfKnown<NonNullable<Value>>)
type RuleOfKnown<Value> = [Value] extends [string]
  ? TextKind
  : [Value] extends [readonly (infer Item)[]]
    ? RuleOf<Item>
    : string extends keyof Value
      ? 'headers'
      : { readonly [Name in NameIn<Value>]: RuleOf<Member<Value, Name>> }
type NameIn<Value> = Value extends object ? keyof Value : never
type Member<Value, Name> = Value extends object ? (Name extends keyof Value ? Value[Name] : never) : never

const TIMES = {
  duration_since_start_nanoseconds: 'own',
  duration_since_start_pretty: 'own',
  duration_load_nanoseconds: 'own',
  duration_load_pretty: 'own',
} as const
const SENT = { method: 'own', url: 'url', headers: 'headers' } as const

const LOAD: RuleOf<TraceLoad> = {
  raw_input_data: 'given',
  input: { ...SENT, body: 'request', truncated: 'own' },
  output: { body: 'answer', status_code: 'own', headers: 'headers', body_size: 'own', truncated: 'own' },
  error: { code: 'own', message: 'text' },
  duration_waiting_nanoseconds: 'own',
  duration_waiting_pretty: 'own',
  ...TIMES,
  load_stats: 'own',
  hedge: 'own',
  failed_attempts: {
    url: 'url',
    message: 'text',
    status_code: 'own',
    hedge: 'own',
    given_up: 'own',
    ...TIMES,
  },
  single_flight_used: 'own',
  single_flight_shared_response: 'own',
  load_skipped: 'own',
}

const NODE: RuleOf<TraceNode> = {
  kind: 'own',
  get children() {
    return NODE
  },
  fetch: {
    kind: 'own',
    path: 'text',
    source_id: 'text',
    source_name: 'text',
    depends_on: 'own',
    defer_id: 'own',
    defer_label: 'label',
    trace: LOAD,
  },
}

const TRACE: RuleOf<RecordedTrace> = {
  version: 'own',
  info: 'own',
  composition: { feature_flag: 'text', reason: 'own', artifact: 'own', revision: 'own' },
  stand_in: { claims: { name: 'text', value: 'text' }, headers: 'headers', overruled: 'own' },
  rollouts: {
    name: 'text',
    flag: 'text',
    percent: 'own',
    outcome: 'own',
    conditions: { on: 'own', test: 'own', not: 'own', seen: 'text', holds: 'own', problem: 'own' },
    key: { source: 'own', value: 'text', bucket: 'own' },
  },
  override_labels: 'text',
  denied: 'text',
  asked_by: {
    client: { name: 'text', version: 'text' },
    token: { provider: 'own', issuer: 'text', subject: 'text' },
    document: 'text',
  },
  cost: 'own',
  rate_limits: 'own',
  warnings: 'text',
  fetches: NODE,
  request: { ...SENT, body: { query: 'document', operationName: 'text', variables: 'variables' } },
}

/** The table as the walk reads it: to list the members of an object takes longer than to write them. */
type Table = Kind | readonly MemberRule[]
type MemberRule = { readonly name: string; readonly key: string; readonly table: Table }

const TABLE = tableOf(TRACE, new Map())

/** `known`: tables of objects that were met before, since a node has nodes in it. */
function tableOf(rule: Rule, known: Map<Rule, MemberRule[]>): Table {
  if (typeof rule === 'string') return rule
  const met = known.get(rule)
  if (met !== undefined) return met
  const members: MemberRule[] = []
  known.set(rule, members)
  for (const [name, inner] of Object.entries(rule))
    members.push({ name, key: `"${name}":`, table: tableOf(inner, known) })
  return members
}

/** A part of a trace that has to be cleaned. */
export type Leaf =
  | { readonly kind: TextKind; readonly value: string }
  | { readonly kind: DataKind; readonly value: RecordedJson }
  | { readonly kind: 'headers'; readonly value: TraceHeaders }

/** Returns the JSON of a leaf. */
type LeafWriter = (leaf: Leaf) => string

/** Writes a trace as JSON, with its leaves as they are unless the caller wants something else. */
export function writeTrace(trace: RecordedTrace, write: LeafWriter = writeLeaf): string {
  return written(trace, TABLE, write)
}

/** Writes a leaf as JSON. Data must have been written before. */
export function writeLeaf({ value }: Leaf): string {
  return value instanceof RecordedJson ? (value.text ?? 'null') : JSON.stringify(value)
}

/** Returns the leaves of a trace in the order in which they are written. */
export function leavesOf(trace: RecordedTrace): readonly Leaf[] {
  const leaves: Leaf[] = []
  writeTrace(trace, (leaf) => {
    leaves.push(leaf)
    return ''
  })
  return leaves
}

function written(value: unknown, table: Table, write: LeafWriter): string {
  if (value === null || table === 'own') return JSON.stringify(value)
  if (isList(value, table)) {
    let items = ''
    for (const item of value) items += `${items === '' ? '' : ','}${written(item, table, write)}`
    return `[${items}]`
  }
  if (typeof table === 'string') return write(leafOf(table, value))
  let members = ''
  for (const { name, key, table: ofMember } of table) {
    const member = memberOf(value, name)
    if (member === undefined) continue
    members += members === '' ? '{' : ','
    members += key
    // Most members are numbers.
    if (typeof member === 'number') members += member
    else members += written(member, ofMember, write)
  }
  return members === '' ? '{}' : `${members}}`
}

/** Data is a leaf, even if it is a list. */
function isList(value: unknown, table: Table): value is readonly unknown[] {
  return Array.isArray(value) && !isOfData(table)
}

function isOfData(table: Table): table is DataKind {
  return table === 'variables' || table === 'request' || table === 'answer' || table === 'given'
}

function leafOf(kind: Leaf['kind'], value: unknown): Leaf {
  if (isOfData(kind)) return { kind, value: jsonOf(value) }
  return kind === 'headers' ? { kind, value: isHeaders(value) ? value : {} } : { kind, value: String(value) }
}

/** Returns recorded data, also for the mark that stands for data that is too large. */
function jsonOf(value: unknown): RecordedJson {
  return value instanceof RecordedJson ? value : RecordedJson.ofText(JSON.stringify(value))
}

function isHeaders(value: unknown): value is TraceHeaders {
  return typeof value === 'object' && value !== null
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** Returns a trace with other values of its leaves, which are given in the order of `leavesOf`. */
export function withLeaves(trace: RecordedTrace, values: readonly unknown[]): RecordedTrace {
  let next = 0
  const changed = (value: unknown, table: Table): unknown => {
    if (value === null || table === 'own') return value
    if (isList(value, table)) return value.map((item) => changed(item, table))
    if (typeof table === 'string') return values[next++]
    const present = table.filter(({ name }) => memberOf(value, name) !== undefined)
    return Object.fromEntries(present.map(({ name, table }) => [name, changed(memberOf(value, name), table)]))
  }
  return Object(changed(trace, TABLE))
}
