/** Compares the plans of operations on two graphs, with the planner that routers use. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type FetchNode,
  type Graph,
  type Operation,
  planOperation,
  PlanningError,
  type PlanNode,
  planTree,
  prepareOperation,
  printPlan,
  RequestError,
} from '@switchyard/engine'
import type {
  FoundOperations,
  NamedOperation,
  PlanChange,
  PlanDiff,
  PlannedCall,
  PlannedSide,
} from './plan-diff.ts'

/** More operations are counted and not compared. */
const MAX_OPERATIONS = 2000
/** CPU milliseconds for all operations, on both sides: as much as a check has for one composition. */
const MAX_CPU_MS = 120_000

/** How plans are made and compared. */
export type ComparePlansOptions = {
  readonly defer: boolean
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number) => void
  /** CPU milliseconds of this thread, after which the rest is not compared. */
  readonly maxCpuMs?: number
}

type Comparison =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'differs'; readonly change: Omit<PlanChange, 'operation'> }

/** Rejects with the reason of the signal when it aborts. */
export async function comparePlans(
  from: Graph,
  to: Graph,
  { operations, origin }: FoundOperations,
  { defer, signal, onProgress, maxCpuMs = MAX_CPU_MS }: ComparePlansOptions,
): Promise<PlanDiff> {
  const began = process.threadCpuUsage()
  const changes: PlanChange[] = []
  const refused: { operation: string; message: string }[] = []
  let compared = 0
  let unchanged = 0
  for (const operation of operations.slice(0, MAX_OPERATIONS)) {
    signal.throwIfAborted()
    if (cpuMsSince(began) > maxCpuMs) break
    onProgress(compared, operations.length)
    const found = compare(from, to, operation, defer)
    for (const comparison of found) {
      if (comparison.kind === 'differs') changes.push({ operation: operation.name, ...comparison.change })
      if (comparison.kind === 'refused')
        refused.push({ operation: operation.name, message: comparison.message })
    }
    if (found.every(({ kind }) => kind === 'unchanged')) unchanged += 1
    compared += 1
    await nextTurn()
  }
  const notCompared = operations.length - compared
  return { origin, operations: compared, unchanged, refused, notCompared, changes }
}

function cpuMsSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(began)
  return (user + system) / 1000
}

type Prepared = Operation | { readonly message: string }

/** One comparison, or two where variables in `@skip` and `@include` choose among plans. */
function compare(from: Graph, to: Graph, operation: NamedOperation, defer: boolean): readonly Comparison[] {
  const before = prepare(from, operation, defer)
  const after = prepare(to, operation, defer)
  if ('message' in before && 'message' in after) return [{ kind: 'refused', message: after.message }]
  const names = new Set([before, after].flatMap((side) => ('message' in side ? [] : side.conditions)))
  const values = names.size === 0 ? [true] : [true, false]
  return values.map((value) => {
    const conditions = Object.fromEntries([...names].map((name) => [name, value]))
    return comparisonOf(planOn(before, conditions), planOn(after, conditions), conditions)
  })
}

function comparisonOf(
  from: PlannedSide,
  to: PlannedSide,
  conditions: Readonly<Record<string, boolean>>,
): Comparison {
  if (from.kind === 'refused' && to.kind === 'refused') return to
  const callsBefore = from.kind === 'planned' ? from.calls : []
  const callsAfter = to.kind === 'planned' ? to.calls : []
  const difference = {
    conditions,
    from,
    to,
    added: withoutThose(callsAfter, callsBefore),
    removed: withoutThose(callsBefore, callsAfter),
  }
  if (from.kind === 'planned' && to.kind === 'planned') {
    if (from.fingerprint === to.fingerprint) return { kind: 'unchanged' }
    return { kind: 'differs', change: { ...difference, status: 'changed' } }
  }
  const status = to.kind === 'refused' ? 'lost' : 'gained'
  return { kind: 'differs', change: { ...difference, status } }
}

function prepare(graph: Graph, { document, operationName }: NamedOperation, defer: boolean): Prepared {
  try {
    return prepareOperation(graph, { document, operationName, defer, subscriptions: true })
  } catch (error) {
    if (error instanceof RequestError)
      return { message: error.errors.map(({ message }) => message).join(' ') }
    throw error
  }
}

/** Plans for a request that may see everything, without active labels of progressive overrides. */
function planOn(operation: Prepared, conditions: Readonly<Record<string, boolean>>): PlannedSide {
  if ('message' in operation) return { kind: 'refused', message: operation.message }
  try {
    const plan = planOperation(operation, new Map(Object.entries(conditions)), {
      granted: new Set(operation.accessConditions),
    })
    const { requests, depth, root, unreachable, denied, introspection, deferred } = planTree(
      operation.graph,
      plan,
    )
    const fetches = fetchesIn(root)
    const kept = [fetches.map(orderOf), unreachable, denied, introspection, deferred]
    return {
      kind: 'planned',
      requests,
      depth,
      calls: fetches.map(callOf),
      unreachable: unreachable.map(({ coordinate }) => coordinate),
      fingerprint: JSON.stringify(kept),
      print: () => printPlan(operation.graph, plan),
    }
  } catch (error) {
    if (error instanceof PlanningError) return { kind: 'refused', message: error.message }
    throw error
  }
}

function fetchesIn(node: PlanNode | null): readonly FetchNode[] {
  if (node === null) return []
  return node.kind === 'Fetch' ? [node] : node.nodes.flatMap(fetchesIn)
}

function callOf({ subgraph, document, representations }: FetchNode): PlannedCall {
  return { subgraph, document, representations }
}

/** A call with its place in the plan, without reason and cost, which explain it and change nothing. */
function orderOf(fetch: FetchNode): object {
  const { id, after, level, group, barrier, reenters } = fetch
  return { ...callOf(fetch), id, after, level, group, barrier, reenters }
}

/** Calls that are on the list, each as often as the others do not have it. */
function withoutThose(calls: readonly PlannedCall[], others: readonly PlannedCall[]): readonly PlannedCall[] {
  const left = new Map<string, number>()
  for (const call of others) {
    const key = JSON.stringify(call)
    left.set(key, (left.get(key) ?? 0) + 1)
  }
  return calls.filter((call) => {
    const key = JSON.stringify(call)
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count <= 0
  })
}
