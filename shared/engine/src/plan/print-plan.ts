/**
 * The plan as text for people: which subgraph is asked what, when, for which objects and why.
 *
 * `Sequence` and `Parallel` show the waves in which fetches could start at the earliest. They are for reading only: when
 * it runs, each fetch starts as soon as those named by its own `after` have answered.
 */
import { parse, print } from 'graphql'
import { type Graph, typeOf } from '../graph/graph.ts'
import type { Fetch, FetchPart, Plan, PositionId, RepresentationCase, RepresentationField } from './plan.ts'

export function printPlan(graph: Graph, plan: Plan): string {
  const lines = [`Plan for a ${plan.kind} (cost ${plan.cost}, depth ${plan.depth})`]
  if (plan.unreachable.length > 0) {
    lines.push('Unreachable: no subgraph answers these fields from where the operation asks for them')
    for (const { path, coordinate } of plan.unreachable) lines.push(`  ${coordinate} at ${path.join('.')}`)
    return `${lines.join('\n')}\n`
  }
  if (plan.introspection !== null)
    lines.push(`Introspection, answered here: ${plan.introspection.responseKeys.join(', ')}`)
  const waves = wavesOf(plan)
  if (waves.length === 0 && plan.introspection === null) lines.push('No fetch')
  const indent = waves.length > 1 ? '  ' : ''
  if (waves.length > 1) lines.push('Sequence')
  for (const wave of waves) {
    const parallel = wave.length > 1
    if (parallel) lines.push(`${indent}Parallel`)
    for (const fetch of wave)
      for (const line of printFetch(graph, plan, fetch)) lines.push(indent + (parallel ? '  ' : '') + line)
  }
  return `${lines.join('\n')}\n`
}

function wavesOf(plan: Plan): readonly (readonly Fetch[])[] {
  const waveOf = new Map<number, number>()
  const waves: Fetch[][] = []
  const visit = (fetch: Fetch): number => {
    const known = waveOf.get(fetch.id)
    if (known !== undefined) return known
    let wave = 0
    for (const id of fetch.after) {
      const before = plan.fetches[id]
      if (before !== undefined) wave = Math.max(wave, visit(before) + 1)
    }
    waveOf.set(fetch.id, wave)
    return wave
  }
  for (const fetch of plan.fetches) {
    const wave = visit(fetch)
    const same = waves[wave]
    if (same === undefined) waves[wave] = [fetch]
    else same.push(fetch)
  }
  return waves
}

function printFetch(graph: Graph, plan: Plan, fetch: Fetch): readonly string[] {
  const subgraph = graph.compiled.subgraphs[fetch.subgraph]?.name ?? String(fetch.subgraph)
  const after = fetch.after.length === 0 ? '' : ` after ${fetch.after.join(', ')}`
  const lines = [`Fetch ${fetch.id} from "${subgraph}"${after}: ${fetch.reason}`]
  for (const part of fetch.parts) lines.push(...printPart(graph, plan, part).map((line) => `  ${line}`))
  lines.push(
    ...print(parse(fetch.document))
      .split('\n')
      .map((line) => `  | ${line}`),
  )
  return lines
}

function printPart(graph: Graph, plan: Plan, part: FetchPart): readonly string[] {
  if (part.kind === 'root') return part.at === 0 ? [] : [`query root at ${pathOf(plan, part.at)}`]
  return part.inputs.flatMap((input) =>
    input.cases.map(
      (item) =>
        `$${part.variable} from ${pathOf(plan, input.at)}${typesOf(graph, plan, input.at, item)}: ${representation(item)}`,
    ),
  )
}

function typesOf(graph: Graph, plan: Plan, at: PositionId, item: RepresentationCase): string {
  const position = plan.positions[at]
  if (position === undefined || position.objectType !== null || item.types.includes(position.type)) return ''
  return ` (${item.types.map((type) => typeOf(graph, type).name).join(' | ')})`
}

function representation(item: RepresentationCase): string {
  return `{ __typename: "${item.typename}" ${fieldsText(item.fields)} }`
}

function fieldsText(fields: readonly RepresentationField[]): string {
  return fields.map(fieldText).join(' ')
}

function fieldText(field: RepresentationField): string {
  if (field.kind === 'leaf')
    return field.source.key === field.name ? field.name : `${field.name}: ${field.source.key}`
  const inner = field.cases.map((item) =>
    field.cases.length === 1 && !field.withTypename
      ? fieldsText(item.fields)
      : `... on ${item.typename} { ${fieldsText(item.fields)} }`,
  )
  return `${field.name} { ${inner.join(' ')} }`
}

function pathOf(plan: Plan, id: PositionId): string {
  const parts: string[] = []
  for (let at = plan.positions[id]; at !== undefined && at.parent !== -1; at = plan.positions[at.parent]) {
    const [first] = at.providers
    parts.unshift(at.responseKey ?? (first?.kind === 'inline' ? `(${first.key})` : '()'))
  }
  return parts.length === 0 ? 'the root' : parts.join('.')
}
