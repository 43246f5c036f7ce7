/**
 * Composes subgraphs, plans an operation, and checks every generated document against its subgraph's own
 * schema.
 */
import { parse, validate } from 'graphql'
import { compose } from '@switchyard/composition'
import { InProcessSubgraph } from '@switchyard/testkit'
import { compileSupergraph } from '../../../src/graph/compile.ts'
import { type Graph, openGraph } from '../../../src/graph/graph.ts'
import { prepareOperation } from '../../../src/operation/operation.ts'
import type { Plan } from '../../../src/plan/contract/plan.ts'
import { planOperation, type PlanOptions } from '../../../src/plan/plan-operation.ts'

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@shareable", "@external", "@requires", "@provides", "@override", "@inaccessible", "@interfaceObject"])\n'

export type World = { readonly graph: Graph; readonly subgraphs: ReadonlyMap<string, InProcessSubgraph> }

export function worldOf(sdls: Readonly<Record<string, string>>): World {
  const named = Object.entries(sdls).map(([name, sdl]) => ({
    name,
    sdl: LINK + sdl,
    routingUrl: `http://${name}`,
  }))
  const result = compose({ subgraphs: named })
  if (result.kind === 'failed') throw new Error(result.errors.map(({ message }) => message).join('\n'))
  const subgraphs = new Map(
    named.map(({ name, sdl }) => [name, new InProcessSubgraph({ name, sdl, resolvers: {} })]),
  )
  return { graph: openGraph(compileSupergraph(result.supergraphSdl)), subgraphs }
}

export function planIn(
  graph: Graph,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  options: PlanOptions = {},
): Plan {
  const operation = prepareOperation(graph, { document: query })
  const values = new Map(Object.entries(variables))
  return planOperation(operation, values, options)
}

/** One line per fetch: `<id> <subgraph> [after <ids>] <document>`. Throws when a document is not valid. */
export function fetches(
  world: World,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): readonly string[] {
  const plan = planIn(world.graph, query, variables)
  for (const { subgraph, document } of plan.fetches) {
    const name = world.graph.compiled.subgraphs[subgraph]?.name ?? ''
    const schema = world.subgraphs.get(name)?.schema
    if (schema === undefined) throw new Error(`There is no subgraph "${name}".`)
    const errors = validate(schema, parse(document))
    if (errors.length > 0) throw new Error(`${name}: ${document}\n${errors.join('\n')}`)
  }
  return lines(world.graph, plan)
}

export function lines(graph: Graph, plan: Plan): readonly string[] {
  return plan.fetches.map(({ id, subgraph, after, document }) => {
    const name = graph.compiled.subgraphs[subgraph]?.name ?? ''
    return `${id} ${name}${after.length === 0 ? '' : ` after ${after.join(',')}`} ${document}`
  })
}
