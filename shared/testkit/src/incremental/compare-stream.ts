/** Holds a stream to what is expected of it, part by part; and makes streams that keep to it. */
import type { ExpectedFragment, ExpectedStream } from './expected-stream.ts'
import type {
  Incremental,
  Pending,
  PendingPer,
  ResponsePath,
  StreamError,
  StreamPart,
} from '@switchyard/incremental-delivery'

export type CompareOptions = {
  /**
   * Fragments on objects that no subgraph may be able to give: where such a one would be completed without
   * entries, it may as well not be announced.
   */
  readonly impossible?: ReadonlySet<number>
  /** `fragment` unless told otherwise. */
  readonly pendingPer?: PendingPer
}

/** The first difference in words, or null. Only error paths are compared, each once: messages are free. */
export function compareStream(
  expected: ExpectedStream,
  parts: readonly StreamPart[],
  { impossible = new Set(), pendingPer = 'fragment' }: CompareOptions = {},
): string | null {
  const progress = new Progress(withoutUnannounced(expected, parts, impossible, pendingPer), pendingPer)
  for (const [index, part] of parts.entries()) {
    const completed = part.completed?.[0]?.id ?? ''
    const id = progress.fragmentOf(completed)
    if (index > 0 && !progress.mayComplete(id)) {
      return `Part ${index} completes ${completed}; ${progress.describe()}`
    }
    const wanted = index === 0 ? progress.initialPart() : progress.complete(id)
    const [left, right] = [wanted, part].map((some) => JSON.stringify(withPathsOnly(some), null, 1))
    if (left !== right) return `Part ${index}:\nexpected ${left}\ngot      ${right}`
  }
  return progress.isOver ? null : `The stream ends; ${progress.describe()}`
}

/** Returns an expected stream. `choose` picks which of `count` fragments is completed next. */
export function produceStream(
  expected: ExpectedStream,
  choose: (count: number) => number,
  pendingPer: PendingPer = 'fragment',
): readonly StreamPart[] {
  const progress = new Progress(expected, pendingPer)
  const parts = [progress.initialPart()]
  while (!progress.isOver) {
    const possible = progress.possible()
    const next = possible[choose(possible.length)]
    if (next === undefined) throw new Error(`Every fragment waits for another: ${progress.describe()}`)
    parts.push(progress.complete(next))
  }
  return parts
}

/** Removes fragments that need not be announced, and were not. */
function withoutUnannounced(
  { fragments, ...rest }: ExpectedStream,
  parts: readonly StreamPart[],
  impossible: ReadonlySet<number>,
  pendingPer: PendingPer,
): ExpectedStream {
  const announced = parts.flatMap(({ pending = [] }) => pending)
  if (pendingPer === 'fragment') {
    const known = new Set(announced.map(({ id }) => Number(id)))
    const isLeftOut = ({ id, entries }: ExpectedFragment) =>
      impossible.has(id) && !known.has(id) && entries.length === 0
    const out = new Set(fragments.filter(isLeftOut).map(({ id }) => id))
    return {
      ...rest,
      fragments: fragments
        .filter(({ id }) => !out.has(id))
        .map((fragment) => ({
          ...fragment,
          announcedAfter: new Set([...fragment.announcedAfter].filter((id) => !out.has(id))),
        })),
    }
  }
  const keyOf = (label: string | null | undefined, path: ResponsePath) =>
    JSON.stringify([label ?? null, path])
  const surplus = new Map<string, number>()
  const count = (key: string, by: number) => surplus.set(key, (surplus.get(key) ?? 0) + by)
  for (const { label, objects } of fragments) for (const path of objects) count(keyOf(label, path), 1)
  for (const { label, path } of announced) count(keyOf(label, path), -1)
  const isLeftOut = ({ id, label, entries }: ExpectedFragment, object: ResponsePath) => {
    const key = keyOf(label, object)
    if (!impossible.has(id) || (surplus.get(key) ?? 0) <= 0) return false
    if (entries.some(({ path }) => isWithin(path, object))) return false
    count(key, -1)
    return true
  }
  return {
    ...rest,
    fragments: fragments.map((fragment) => ({
      ...fragment,
      objects: fragment.objects.filter((object) => !isLeftOut(fragment, object)),
    })),
  }
}

/** The object that one announcement is about. */
type Announced = { readonly id: string; readonly path: ResponsePath }

class Progress {
  readonly #expected: ExpectedStream
  readonly #pendingPer: PendingPer
  readonly #announced = new Map<number, readonly Announced[]>()
  readonly #completed = new Set<number>()

  constructor(expected: ExpectedStream, pendingPer: PendingPer) {
    this.#expected = expected
    this.#pendingPer = pendingPer
  }

  get isOver(): boolean {
    return this.#announced.size === this.#completed.size
  }

  /** The fragment that was announced with this id; NaN if none was. */
  fragmentOf(announced: string): number {
    for (const [fragment, all] of this.#announced) if (all.some(({ id }) => id === announced)) return fragment
    return Number.NaN
  }

  initialPart(): StreamPart {
    const { data, errorPaths } = this.#expected
    const pending = this.#announce()
    return { ...errorsAt(errorPaths), data, ...pending, hasNext: !this.isOver }
  }

  complete(id: number): StreamPart {
    const fragment = this.#fragment(id)
    const announced = this.#announced.get(id) ?? []
    this.#completed.add(id)
    const entries = (fragment?.entries ?? []).map(({ data, path, errorPaths }): Incremental => {
      const base = announced.find((one) => isWithin(path, one.path))
      const subPath = path.slice(base?.path.length ?? 0)
      return { data, id: base?.id ?? '', ...(subPath.length > 0 ? { subPath } : {}), ...errorsAt(errorPaths) }
    })
    const completed = announced.map((one) => ({ id: one.id }))
    const pending = this.#announce()
    const incremental = entries.length > 0 ? { incremental: entries } : {}
    return { ...incremental, completed, ...pending, hasNext: !this.isOver }
  }

  possible(): readonly number[] {
    return [...this.#announced.keys()].filter((id) => this.mayComplete(id))
  }

  mayComplete(id: number): boolean {
    const fragment = this.#fragment(id)
    if (fragment === undefined || !this.#announced.has(id) || this.#completed.has(id)) return false
    return this.#areCompleted(fragment.completedAfter)
  }

  describe(): string {
    return `announced ${[...this.#announced.keys()].join(', ')}, completed ${[...this.#completed].join(', ')}, may complete ${this.possible().join(', ')}`
  }

  #areCompleted(ids: ReadonlySet<number>): boolean {
    return [...ids].every((id) => this.#completed.has(id))
  }

  #fragment(id: number): ExpectedFragment | undefined {
    return this.#expected.fragments.find((fragment) => fragment.id === id)
  }

  #announce(): { readonly pending?: readonly Pending[] } {
    const pending: Pending[] = []
    for (;;) {
      const next = this.#expected.fragments.filter(
        ({ id, announcedAfter }) => !this.#announced.has(id) && this.#areCompleted(announcedAfter),
      )
      if (next.length === 0) return pending.length > 0 ? { pending } : {}
      for (const fragment of next) {
        const announced = this.#announcementsOf(fragment)
        const { id, label } = fragment
        this.#announced.set(id, announced)
        // Without an object it is over before anybody hears of it.
        if (announced.length === 0) this.#completed.add(id)
        pending.push(...announced.map((one) => ({ ...one, ...(label === null ? {} : { label }) })))
      }
    }
  }

  #announcementsOf({ id, path, objects }: ExpectedFragment): readonly Announced[] {
    if (this.#pendingPer === 'fragment') return [{ id: String(id), path }]
    return objects.map((object, index) => {
      const isInList = object.some((key) => typeof key === 'number')
      return { id: isInList ? `${id}.${index + 1}` : String(id), path: object }
    })
  }
}

function isWithin(path: ResponsePath, base: ResponsePath): boolean {
  return base.every((key, index) => path[index] === key)
}

function errorsAt(paths: readonly ResponsePath[]): { readonly errors?: readonly StreamError[] } {
  return paths.length > 0 ? { errors: paths.map((path) => ({ message: 'expected', path })) } : {}
}

function withPathsOnly(part: StreamPart): unknown {
  const pathsOf = <Holder extends { readonly errors?: readonly StreamError[] }>(holder: Holder) => {
    if (holder.errors === undefined) return holder
    const paths = new Set(holder.errors.map(({ path }) => JSON.stringify(path ?? [])))
    return { ...holder, errors: [...paths].sort() }
  }
  const { incremental, completed, ...rest } = pathsOf(part)
  return {
    ...rest,
    ...(incremental === undefined ? {} : { incremental: incremental.map(pathsOf) }),
    ...(completed === undefined ? {} : { completed: completed.map(pathsOf) }),
  }
}
