/**
 * The plan as text for people: which subgraph is asked what, when, for which objects, why, and at what cost.
 */
import type { Graph } from '../../graph/graph.ts'
import type { Plan } from '../contract/plan.ts'
import { printDeferred } from './deferred-nodes.ts'
import { type FetchNode, type PlanNode, planTree } from './plan-tree.ts'

/** How parts of the text stand out on a terminal. */
export type PlanInk = {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
}

const PLAIN: PlanInk = { bold: (text) => text, dim: (text) => text }

/** Ends with a line break. Equal for equal plans, so it can be kept as a snapshot. */
export function printPlan(graph: Graph, plan: Plan, ink: PlanInk = PLAIN): string {
  const { kind, requests, depth, cost, unreachable, denied, introspection, deferred, root } = planTree(
    graph,
    plan,
  )
  const lines = [
    `Plan for a ${kind}: ${requests} ${requests === 1 ? 'request' : 'requests'}, depth ${depth}, effort ${cost}`,
  ]
  if (unreachable.length > 0) {
    lines.push('Unreachable: no subgraph answers these fields from where the operation asks for them')
    for (const { path, coordinate, reason } of unreachable)
      lines.push(`  ${ink.bold(coordinate)} at ${path}: ${reason}`)
  }
  if (denied.length > 0) lines.push(`Denied, and so not fetched: ${denied.join(', ')}`)
  if (introspection.length > 0) lines.push(`Introspection, answered here: ${introspection.join(', ')}`)
  for (const node of deferred) lines.push(printDeferred(node))
  if (root !== null) lines.push(...printNode(root, ink))
  return `${lines.join('\n')}\n`
}

function printNode(node: PlanNode, ink: PlanInk): readonly string[] {
  switch (node.kind) {
    case 'Sequence':
    case 'Parallel':
      return [node.kind, ...node.nodes.flatMap((inner) => printNode(inner, ink)).map((line) => `  ${line}`)]
    case 'Fetch':
      return printFetch(node, ink)
    default:
      return node satisfies never
  }
}

function printFetch(node: FetchNode, ink: PlanInk): readonly string[] {
  const { id, subgraph, group, after, level, cost, reason } = node
  const waits = after.length === 0 ? '' : ` after ${after.join(', ')}`
  const purpose = group === 0 ? '' : ` for deferred ${group}`
  return [
    `Fetch ${id} from ${ink.bold(`"${subgraph}"`)}${waits}${purpose} (level ${level}, effort ${cost}): ${reason}`,
    ...(node.barrier ? ['  waits until the mutation fields before it are complete'] : []),
    ...node.reenters.map((path) => `  query root at ${path}`),
    ...node.representations.map(({ variable, path, types, fields }) => {
      const only = types.length === 0 ? '' : ` (${types.join(' | ')})`
      return `  $${variable} from ${path}${only}: ${fields}`
    }),
    ...node.document.split('\n').map((line) => ink.dim(`  | ${line}`)),
  ]
}
