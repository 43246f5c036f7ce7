/**
 * The product's rules told a second time, as plainly as they can be written: maps, loops, one sentence after the other, and
 * nothing of `src` but the shape of a command. Slow and obvious on purpose: it is what `src` is measured by.
 */
import type { Command } from '../../src/index.ts'

export type Verdict = 'accepted' | 'unchanged' | RefusalCode
type RefusalCode =
  | 'ALREADY_EXISTS'
  | 'BASE_SUBGRAPH_NOT_FOUND'
  | 'FEATURE_FLAG_INVALID'
  | 'FEATURE_SUBGRAPH_EXPECTED'
  | 'INVALID_REQUEST'
  | 'NAMESPACE_PROTECTED'
  | 'NOT_FOUND'
export type Answer = {
  readonly verdict: Verdict
  /** Graphs for which something is composed again, sorted. */
  readonly affected: readonly string[]
  /** How many faults a refused flag has. */
  readonly faults: number
}

type Graph = { matchers: Set<string>; pin: number | null; allowsUnenforced: boolean }
type Subgraph = {
  base: string | null
  url: string
  labels: Set<string>
  schema: string | null
  bytes: number
}
type Flag = { labels: Set<string>; members: Set<string>; enabled: boolean }

export class Model {
  readonly namespace: string
  exists: boolean
  graphs = new Map<string, Graph>()
  subgraphs = new Map<string, Subgraph>()
  flags = new Map<string, Flag>()

  constructor(namespace: string) {
    this.namespace = namespace
    this.exists = namespace === 'default'
  }

  /** Changes the model when the command is accepted. */
  execute(command: Command): Answer {
    const before = this.#copy()
    const verdict = this.#judge(command)
    if (typeof verdict !== 'object') return { verdict, affected: [], faults: 0 }
    if ('faults' in verdict) return { verdict: verdict.code, affected: [], faults: verdict.faults }
    const touched = touchedBy(command, before, this)
    return { verdict: 'accepted', affected: affectedGraphs(before, this, touched), faults: 0 }
  }

  #judge(command: Command): Verdict | { accepted: true } | { code: RefusalCode; faults: number } {
    if (command.type === 'create-namespace') {
      if (this.exists) return 'ALREADY_EXISTS'
      this.exists = true
      return { accepted: true }
    }
    if (!this.exists) return 'NOT_FOUND'
    switch (command.type) {
      case 'delete-namespace':
        if (this.namespace === 'default') return 'NAMESPACE_PROTECTED'
        this.exists = false
        this.graphs.clear()
        this.subgraphs.clear()
        this.flags.clear()
        return { accepted: true }
      case 'create-federated-graph':
        if (this.graphs.has(command.name)) return 'ALREADY_EXISTS'
        this.graphs.set(command.name, {
          matchers: groupsOf(command.labelMatchers),
          pin: null,
          allowsUnenforced: command.allowUnenforcedAuthorization === true,
        })
        return { accepted: true }
      case 'update-federated-graph': {
        const graph = this.graphs.get(command.name)
        if (graph === undefined) return 'NOT_FOUND'
        const matchers =
          command.labelMatchers === undefined ? graph.matchers : groupsOf(command.labelMatchers)
        const allows = command.allowUnenforcedAuthorization ?? graph.allowsUnenforced
        if (same(graph.matchers, [...matchers]) && graph.allowsUnenforced === allows) return 'unchanged'
        graph.matchers = matchers
        graph.allowsUnenforced = allows
        return { accepted: true }
      }
      case 'delete-federated-graph':
        return this.graphs.delete(command.name) ? { accepted: true } : 'NOT_FOUND'
      case 'pin-federated-graph':
      case 'unpin-federated-graph': {
        const graph = this.graphs.get(command.name)
        if (graph === undefined) return 'NOT_FOUND'
        const pin = command.type === 'pin-federated-graph' ? command.revision : null
        if (graph.pin === pin) return 'unchanged'
        graph.pin = pin
        return { accepted: true }
      }
      case 'create-subgraph':
        if (this.subgraphs.has(command.name)) return 'ALREADY_EXISTS'
        this.subgraphs.set(command.name, subgraphOf(command.routingUrl, null, command.labels))
        return { accepted: true }
      case 'create-feature-subgraph':
        return this.#createFeatureSubgraph(command.name, command.routingUrl, command.base)
      case 'publish-schema':
        return this.#publish(command)
      case 'update-subgraph': {
        const subgraph = this.subgraphs.get(command.name)
        if (subgraph === undefined) return 'NOT_FOUND'
        if (subgraph.base !== null && (command.labels?.length ?? 0) > 0) return 'INVALID_REQUEST'
        const url = command.routingUrl ?? subgraph.url
        const labels = command.labels ?? [...subgraph.labels]
        if (url === subgraph.url && same(subgraph.labels, labels)) return 'unchanged'
        subgraph.url = url
        subgraph.labels = new Set(labels)
        return { accepted: true }
      }
      case 'delete-subgraph':
        if (!this.subgraphs.has(command.name)) return 'NOT_FOUND'
        for (const [name, { base }] of this.subgraphs) {
          if (name !== command.name && base !== command.name) continue
          this.subgraphs.delete(name)
          for (const flag of this.flags.values()) flag.members.delete(name)
        }
        return { accepted: true }
      case 'create-feature-flag': {
        const taken = this.flags.has(command.name)
        const faults = this.#faultsOf(command.featureSubgraphs)
        if (taken && faults === 0) return 'ALREADY_EXISTS'
        if (faults > 0) return { code: 'FEATURE_FLAG_INVALID', faults: faults + (taken ? 1 : 0) }
        this.flags.set(command.name, {
          labels: new Set(command.labels),
          members: new Set(command.featureSubgraphs),
          enabled: command.enabled,
        })
        return { accepted: true }
      }
      case 'update-feature-flag': {
        const flag = this.flags.get(command.name)
        if (flag === undefined) return 'NOT_FOUND'
        const faults = command.featureSubgraphs === undefined ? 0 : this.#faultsOf(command.featureSubgraphs)
        if (faults > 0) return { code: 'FEATURE_FLAG_INVALID', faults }
        const labels = command.labels ?? [...flag.labels]
        const members = command.featureSubgraphs ?? [...flag.members]
        if (same(flag.labels, labels) && same(flag.members, members)) return 'unchanged'
        flag.labels = new Set(labels)
        flag.members = new Set(members)
        return { accepted: true }
      }
      case 'delete-feature-flag':
        return this.flags.delete(command.name) ? { accepted: true } : 'NOT_FOUND'
      case 'enable-feature-flag':
      case 'disable-feature-flag': {
        const flag = this.flags.get(command.name)
        if (flag === undefined) return 'NOT_FOUND'
        const enabled = command.type === 'enable-feature-flag'
        if (flag.enabled === enabled) return 'unchanged'
        flag.enabled = enabled
        return { accepted: true }
      }
      default:
        throw new Error(`no such command: ${JSON.stringify(command satisfies never)}`)
    }
  }

  #createFeatureSubgraph(name: string, url: string, base: string): Verdict | { accepted: true } {
    const replaced = this.subgraphs.get(base)
    if (replaced === undefined || replaced.base !== null) return 'BASE_SUBGRAPH_NOT_FOUND'
    if (this.subgraphs.has(name)) return 'ALREADY_EXISTS'
    this.subgraphs.set(name, subgraphOf(url, base, []))
    return { accepted: true }
  }

  #publish(command: Command & { type: 'publish-schema' }): Verdict | { accepted: true } {
    const { name, base } = command
    const labels = command.labels ?? []
    if (!this.subgraphs.has(name)) {
      if (command.routingUrl === undefined) return 'NOT_FOUND'
      if (base === undefined) this.subgraphs.set(name, subgraphOf(command.routingUrl, null, labels))
      else {
        if (labels.length > 0) return 'INVALID_REQUEST'
        const created = this.#createFeatureSubgraph(name, command.routingUrl, base)
        if (typeof created === 'string') return created
      }
    }
    const subgraph = this.subgraphs.get(name) as Subgraph
    if (subgraph.base !== null && labels.length > 0) return 'INVALID_REQUEST'
    if (base !== undefined && base !== subgraph.base) return 'FEATURE_SUBGRAPH_EXPECTED'
    if (subgraph.schema === command.schema) return 'unchanged'
    subgraph.schema = command.schema
    subgraph.bytes = command.bytes
    return { accepted: true }
  }

  #faultsOf(members: readonly string[]): number {
    if (members.length === 0) return 1
    const names = new Set(members)
    const strangers = [...names].filter((name) => (this.subgraphs.get(name)?.base ?? null) === null)
    const repeated = [...names].filter((name) => members.indexOf(name) !== members.lastIndexOf(name))
    const bases = [...names].flatMap((name) => this.subgraphs.get(name)?.base ?? [])
    const contested = new Set(bases.filter((base, at) => bases.indexOf(base) !== at))
    return strangers.length + repeated.length + contested.size
  }

  #copy(): Model {
    const copy = new Model(this.namespace)
    for (const [name, graph] of this.graphs) copy.graphs.set(name, { ...graph })
    for (const [name, subgraph] of this.subgraphs) copy.subgraphs.set(name, { ...subgraph })
    for (const [name, flag] of this.flags) copy.flags.set(name, { ...flag, members: new Set(flag.members) })
    return copy
  }

  /** Labels match, and it has a published schema. */
  contains(graphName: string, subgraphName: string): boolean {
    const graph = this.graphs.get(graphName)
    const subgraph = this.subgraphs.get(subgraphName)
    if (graph === undefined || subgraph === undefined) return false
    return subgraph.base === null && subgraph.schema !== null && matches(graph.matchers, subgraph.labels)
  }

  applies(flagName: string, graphName: string): boolean {
    const graph = this.graphs.get(graphName)
    const flag = this.flags.get(flagName)
    if (graph === undefined || flag === undefined || !flag.enabled) return false
    if (!matches(graph.matchers, flag.labels)) return false
    const published = [...flag.members].filter((name) => this.subgraphs.get(name)?.schema !== null)
    if (published.length === 0) return false
    return published.every((name) => this.contains(graphName, this.subgraphs.get(name)?.base ?? ''))
  }

  /** What a graph is composed of, as one text. */
  inputs(graphName: string): string {
    if (!this.graphs.has(graphName)) return 'no such graph'
    const inBase = [...this.subgraphs.keys()].filter((name) => this.contains(graphName, name))
    const text = (name: string) => [name, this.subgraphs.get(name)?.url, this.subgraphs.get(name)?.schema]
    const flags = [...this.flags.keys()]
      .filter((flag) => this.applies(flag, graphName))
      .map((flagName) => {
        const members = [...(this.flags.get(flagName)?.members ?? [])]
        const subgraphs = inBase.map((name) => {
          const instead = members.find((member) => {
            const subgraph = this.subgraphs.get(member)
            return subgraph?.base === name && subgraph.schema !== null
          })
          return instead === undefined ? text(name) : [...text(instead), name]
        })
        return [flagName, subgraphs.sort(byText)]
      })
    return JSON.stringify([
      inBase.map(text).sort(byText),
      flags.sort(byText),
      this.graphs.get(graphName)?.pin,
      this.graphs.get(graphName)?.allowsUnenforced,
    ])
  }
}

/** The left column of the table of triggers: what a command that was accepted has to do with. */
type Touched = {
  readonly graphs: Iterable<string>
  readonly subgraphs: Iterable<string>
  readonly flags: Iterable<string>
}

function touchedBy(command: Command, before: Model, after: Model): Touched {
  const none = { graphs: [], subgraphs: [], flags: [] }
  switch (command.type) {
    case 'create-namespace':
      return none
    case 'delete-namespace':
      return { ...none, graphs: before.graphs.keys() }
    case 'create-federated-graph':
    case 'update-federated-graph':
    case 'delete-federated-graph':
    case 'pin-federated-graph':
    case 'unpin-federated-graph':
      return { ...none, graphs: [command.name] }
    case 'create-subgraph':
    case 'create-feature-subgraph':
    case 'publish-schema':
    case 'update-subgraph': {
      const flags = [...after.flags].filter(([, flag]) => flag.members.has(command.name))
      return { ...none, subgraphs: [command.name], flags: flags.map(([name]) => name) }
    }
    case 'delete-subgraph': {
      const flags = [...before.flags].filter(
        ([name, flag]) => after.flags.get(name)?.members.size !== flag.members.size,
      )
      return { ...none, subgraphs: [command.name], flags: flags.map(([name]) => name) }
    }
    case 'create-feature-flag':
    case 'update-feature-flag':
    case 'delete-feature-flag':
    case 'enable-feature-flag':
    case 'disable-feature-flag':
      return { ...none, flags: [command.name] }
    default:
      throw new Error(`no such command: ${JSON.stringify(command satisfies never)}`)
  }
}

/** Graphs that were changed, that contain or contained a subgraph, that a flag applied to before or applies to now. */
function affectedGraphs(before: Model, after: Model, touched: Touched): readonly string[] {
  const affected = new Set(touched.graphs)
  const subgraphs = [...touched.subgraphs]
  const flags = [...touched.flags]
  for (const model of [before, after]) {
    for (const graph of model.graphs.keys()) {
      if (subgraphs.some((name) => model.contains(graph, name))) affected.add(graph)
      if (flags.some((name) => model.applies(name, graph))) affected.add(graph)
    }
  }
  for (const graph of [...before.graphs.keys(), ...after.graphs.keys()]) {
    if (before.inputs(graph) !== after.inputs(graph) && !affected.has(graph)) {
      throw new Error(`the table of triggers forgets "${graph}", whose inputs changed`)
    }
  }
  return [...affected].sort()
}

function subgraphOf(url: string, base: string | null, labels: readonly string[]): Subgraph {
  return { base, url, labels: new Set(labels), schema: null, bytes: 0 }
}

/** The order of alternatives says nothing. */
function groupsOf(matchers: readonly string[]): Set<string> {
  return new Set(matchers.map((group) => group.split(',').toSorted().join(',')))
}

/** Spaces are AND, commas are OR; no matchers = only what has no labels. */
function matches(matchers: ReadonlySet<string>, labels: ReadonlySet<string>): boolean {
  if (matchers.size === 0) return labels.size === 0
  for (const group of matchers) if (!group.split(',').some((label) => labels.has(label))) return false
  return true
}

function same(set: ReadonlySet<string>, items: readonly string[]): boolean {
  return set.size === new Set(items).size && items.every((item) => set.has(item))
}

function byText(left: unknown, right: unknown): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1
}
