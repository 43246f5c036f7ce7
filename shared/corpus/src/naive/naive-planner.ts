/**
 * Counts the requests of a simple planner, as a bound for the plans of the engine. At most one plan in a
 * thousand may exceed it (`generated/README.md`).
 *
 * A field is taken from the subgraph its object came from, else from one that was asked about this object
 * already, else from the nearest that resolves it, with a request of its own for that position of the
 * response. Nothing is merged across positions, and every `@requires` field has a request to itself. There is
 * no search for a cheaper way: the first that works is kept. The planner shares the compiled supergraph with
 * the engine, but no code of the engine's planner.
 */
import type { DocumentNode, OperationDefinitionNode } from 'graphql'
import { type Graph, type SubgraphId, type TypeId, typeOf } from '@switchyard/engine'
import { Faces, type Source } from './faces.ts'
import { NO_REQUESTS, type Requests } from './requests.ts'
import {
  clientWishes,
  inputWishes,
  isFetched,
  piecesOf,
  type Variables,
  type Wish,
  wishText,
} from './wishes.ts'

/** A simple planner gives up where it would have to search long. */
const MAX_STEPS = 50_000

/** Requests that led somewhere, and whom they asked. */
type Way = { readonly requests: Requests; readonly asked: readonly SubgraphId[] }

/**
 * Returns a path with the object type at each step, since a field provides other fields below another type. A
 * request is for all types of a position, so its name has no types.
 */
function pathBelow(path: string, object: TypeId, key: string): string {
  return `${path}.${object}:${key}`
}

function placeOf(path: string): string {
  return path.replaceAll(/\.\d+:/g, '.')
}

/** Null when the simple way does not lead to an answer. Every place is taken to be reached. */
export function naiveRequestCount(
  graph: Graph,
  operation: { readonly document: DocumentNode; readonly definition: OperationDefinitionNode },
  variables: Variables,
  labels: ReadonlySet<string> = new Set(),
): number | null {
  const { document, definition } = operation
  const wishes = clientWishes(graph, document, definition, variables)
  const planner = new NaivePlanner(graph, labels)
  const requests =
    definition.operation === 'mutation'
      ? planner.mutation(graph.compiled.roots.mutation, wishes)
      : planner.root('', wishes(graph.compiled.roots.query), NO_REQUESTS)
  return requests === null ? null : requests.count
}

class NaivePlanner {
  readonly #graph: Graph
  readonly #faces: Faces
  readonly #inProgress = new Set<string>()
  #steps = 0

  constructor(graph: Graph, labels: ReadonlySet<string>) {
    this.#graph = graph
    this.#faces = new Faces(graph, labels)
  }

  /** One request for each field, each from one subgraph. */
  mutation(type: TypeId, wishes: (object: TypeId) => readonly Wish[]): Requests | null {
    let requests: Requests | null = NO_REQUESTS
    for (const wish of wishes(type).filter(isFetched)) {
      const before: Requests = requests
      requests = this.#firstOf(this.#faces.roots(type), (source) =>
        this.#whole(wish, '', type, source, before.asking(`${wish.key}|mutation|${source.sub}`)),
      )
      if (requests === null) return null
    }
    return requests
  }

  /** One request for each subgraph, at each place where the query root is. */
  root(path: string, wishes: readonly Wish[], requests: Requests): Requests | null {
    const type = this.#graph.compiled.roots.query
    const ask = (wish: Wish, before: Requests): Requests | null => {
      const known = before.sourcesAt(path, type)
      const fresh = this.#faces
        .roots(type)
        .filter((source) => !known.some((other) => other.sub === source.sub))
      return (
        this.#firstOf([...known, ...fresh], (source) =>
          this.#whole(
            wish,
            path,
            type,
            source,
            before.asking(`${placeOf(path)}|root|${source.sub}`).opening(path, type, source),
          ),
        ) ?? this.#inPieces(wish, type, before, ask)
      )
    }
    return this.#all(wishes.filter(isFetched), requests, ask)
  }

  /** Everything that is wanted of an object of type `object` at `path`. */
  #object(path: string, object: TypeId, wishes: readonly Wish[], requests: Requests): Requests | null {
    const isSure =
      typeOf(this.#graph, object).kind !== 'object' ||
      this.#isTold(path, object, requests) ||
      this.#isInline(path, object, wishes, requests)
    const known = isSure ? requests : this.#discover(path, object, requests)
    return known === null
      ? null
      : this.#all(wishes.filter(isFetched), known, (wish, before) => this.#field(wish, path, object, before))
  }

  #field(wish: Wish, path: string, object: TypeId, requests: Requests): Requests | null {
    if (++this.#steps > MAX_STEPS) return null
    const here = requests.sourcesAt(path, object)
    return (
      this.#firstOf(here, (source) => this.#whole(wish, path, object, source, requests)) ??
      this.#fromElsewhere(wish, path, object, requests) ??
      this.#required(wish, path, object, requests) ??
      this.#inPieces(wish, object, requests, (piece, before) => this.#field(piece, path, object, before))
    )
  }

  #fromElsewhere(wish: Wish, path: string, object: TypeId, requests: Requests): Requests | null {
    for (const entry of this.#reachable(path, object, requests)) {
      const found = this.#whole(wish, path, object, entry.source, entry.requests)
      if (found !== null) return found
    }
    return null
  }

  /** A request for this field alone, after its inputs, to a subgraph that computes it. */
  #required(wish: Wish, path: string, object: TypeId, requests: Requests): Requests | null {
    const coordinate = `${object}.${wish.name}`
    for (const { source, key, requires } of this.#faces.computing(object, wish.name)) {
      const mark = `${coordinate}|${source.sub}`
      if (this.#inProgress.has(mark)) continue
      this.#inProgress.add(mark)
      const inputs = this.#all(
        inputWishes(this.#graph, [...key, ...requires])(object),
        requests,
        (input, before) => this.#field(input, path, object, before),
      )
      this.#inProgress.delete(mark)
      const own = inputs?.asking(`${placeOf(path)}|${source.sub}|for ${wish.key} of ${object}`)
      const found = own === undefined ? null : this.#below(wish, path, object, source, own)
      if (found !== null) return found
    }
    return null
  }

  /**
   * The field with everything below it, from a source that is there already and resolves it without inputs.
   */
  #whole(wish: Wish, path: string, object: TypeId, source: Source, requests: Requests): Requests | null {
    if (wish.name === '__typename') return requests
    const edge = this.#faces.edge(source, wish.name)
    return edge === null || edge.requires !== null ? null : this.#below(wish, path, object, source, requests)
  }

  #below(wish: Wish, path: string, object: TypeId, source: Source, requests: Requests): Requests | null {
    const { below } = wish
    if (below === null) return requests
    const inner = pathBelow(path, object, wish.key)
    const target = this.#faces.edge(source, wish.name)?.target
    if (target === undefined) return null
    if (target.type === this.#graph.compiled.roots.query)
      return this.root(inner, below(target.type), requests)
    const children = this.#faces.objects(target)
    const depends =
      this.#faces.isInterfaceObject(target) &&
      new Set(children.map((child) => wishText(this.#graph, child, below(child)))).size > 1
    return this.#all(children, requests, (child, before) => {
      const opened = before.opening(inner, child, this.#faces.as(target, child))
      const told = depends ? this.#discover(inner, child, opened) : opened
      if (told === null) return null
      const isRisky = ({ key, name }: Wish) =>
        depends &&
        this.#faces.takesObjectsAway(target, name) &&
        children.some((other) => !below(other).some((same) => same.key === key && same.name === name))
      const wishes = below(child)
      const apart = wishes.filter(isRisky)
      const together = wishes.filter((item) => !apart.includes(item))
      const known = this.#object(inner, child, together, told)
      return known === null
        ? null
        : this.#all(apart.filter(isFetched), known, (item, after) => this.#apart(item, inner, child, after))
    })
  }

  /**
   * A non-null field for some types only, behind an interface object: it must not be asked for beside the
   * fields of all types, for where it fails it would take away objects of which nobody asked for it.
   */
  #apart(wish: Wish, path: string, object: TypeId, requests: Requests): Requests | null {
    const here = requests.sourcesAt(path, object)
    const typed = here.filter((source) => !this.#faces.isInterfaceObject(source))
    const entries = this.#faces
      .entries(object, true)
      .filter(({ source }) => this.#faces.edge(source, wish.name))
    return (
      this.#firstOf(typed, (source) => this.#whole(wish, path, object, source, requests)) ??
      this.#firstOf(
        entries
          .filter(({ key }) => this.#keyLevel(key, object, path, here, requests) !== null)
          .map(({ source }) => source),
        (source) =>
          this.#whole(wish, path, object, source, requests.asking(`${placeOf(path)}|${source.sub}|apart`)),
      ) ??
      this.#field(wish, path, object, requests)
    )
  }

  /** Parts of a value that no subgraph has whole, each from wherever it is. */
  #inPieces(
    wish: Wish,
    object: TypeId,
    requests: Requests,
    each: (piece: Wish, before: Requests) => Requests | null,
  ): Requests | null {
    const pieces = piecesOf(this.#graph, wish, object)
    if (pieces.length < 2) return null
    return this.#all(pieces, requests, each)
  }

  /**
   * Subgraphs that can be asked about this object, nearest first, each with the requests that get there. A
   * key may take its fields from everything that was asked on the way.
   */
  *#reachable(
    path: string,
    object: TypeId,
    requests: Requests,
  ): Generator<{ readonly source: Source; readonly requests: Requests }> {
    let ways: readonly Way[] = [{ requests, asked: [] }]
    while (ways.length > 0) {
      const further: Way[] = []
      for (const { requests: before, asked } of ways) {
        const have = before.sourcesAt(path, object)
        for (const { source, key } of this.#faces.entries(object, this.#isTold(path, object, before))) {
          if (++this.#steps > MAX_STEPS) return
          if (have.some(({ sub }) => sub === source.sub) && asked.length > 0) continue
          if (asked.includes(source.sub)) continue
          const level = this.#keyLevel(key, object, path, have, before)
          if (level === null) continue
          const name = `${placeOf(path)}|${source.sub}|${level + 1}`
          const after = before.asking(name).opening(path, object, source, level + 1)
          further.push({ requests: after, asked: [...asked, source.sub] })
          yield { source, requests: after }
        }
      }
      ways = further
    }
  }

  #isTold(path: string, object: TypeId, requests: Requests): boolean {
    return requests.sourcesAt(path, object).some((source) => !this.#faces.isInterfaceObject(source))
  }

  /** Returns after how many requests about this object the key is known. Null if those do not give it. */
  #keyLevel(
    key: Parameters<typeof inputWishes>[1],
    object: TypeId,
    path: string,
    have: readonly Source[],
    requests: Requests,
  ): number | null {
    let level = 0
    for (const field of inputWishes(this.#graph, key)(object)) {
      const source = have.find(
        (candidate) => this.#whole(field, path, object, candidate, requests)?.count === requests.count,
      )
      if (source === undefined) return null
      level = Math.max(level, requests.levelOf(path, object, source.sub))
    }
    return level
  }

  /** An interface object does not say what it is: one that knows the interface as such must be asked. */
  #discover(path: string, object: TypeId, requests: Requests): Requests | null {
    for (const entry of this.#reachable(path, object, requests))
      if (!this.#faces.isInterfaceObject(entry.source)) return entry.requests
    return null
  }

  #isInline(path: string, object: TypeId, wishes: readonly Wish[], requests: Requests): boolean {
    const sources = requests.sourcesAt(path, object)
    return wishes.every((wish) =>
      sources.some(
        (source) =>
          wish.name !== '__typename' &&
          this.#whole(wish, path, object, source, requests)?.count === requests.count,
      ),
    )
  }

  #all<Item>(
    items: readonly Item[],
    requests: Requests,
    each: (item: Item, before: Requests) => Requests | null,
  ): Requests | null {
    let after: Requests | null = requests
    for (const item of items) {
      after = each(item, after)
      if (after === null) return null
    }
    return after
  }

  #firstOf(sources: readonly Source[], attempt: (source: Source) => Requests | null): Requests | null {
    for (const source of sources) {
      const found = attempt(source)
      if (found !== null) return found
    }
    return null
  }
}
