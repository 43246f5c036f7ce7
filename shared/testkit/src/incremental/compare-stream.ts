/** Holds a stream to what is expected of it, part by part; and makes streams that keep to it. */
import type { ExpectedFragment, ExpectedStream } from './expected-stream.ts'
import type { Completed, Incremental, Pending, ResponsePath, StreamError, StreamPart } from './stream-part.ts'

/**
 * The first difference in words, or null. Only error paths are compared, each once: messages are free.
 *
 * `impossible` are fragments on objects that no subgraph may be able to give: where such a one would be completed without
 * entries, it may as well not be announced.
 */
export function compareStream(
  expected: ExpectedStream,
  parts: readonly StreamPart[],
  impossible: ReadonlySet<number> = new Set(),
): string | null {
  const announced = new Set(parts.flatMap(({ pending = [] }) => pending.map(({ id }) => Number(id))))
  const silent = new Set([...impossible].filter((id) => !announced.has(id)))
  const progress = new Progress(withoutEmpty(expected, silent))
  for (const [index, part] of parts.entries()) {
    const id = Number(part.completed?.[0]?.id)
    if (index > 0 && !progress.mayComplete(id)) {
      return `Part ${index} completes ${id}; ${progress.describe()}`
    }
    const wanted = index === 0 ? progress.initialPart() : progress.complete(id)
    const [left, right] = [wanted, part].map((some) => JSON.stringify(withPathsOnly(some), null, 1))
    if (left !== right) return `Part ${index}:\nexpected ${left}\ngot      ${right}`
  }
  return progress.isOver ? null : `The stream ends; ${progress.describe()}`
}

/** A stream as it is expected; `choose` says which of so many fragments is completed next. */
export function produceStream(
  expected: ExpectedStream,
  choose: (count: number) => number,
): readonly StreamPart[] {
  const progress = new Progress(expected)
  const parts = [progress.initialPart()]
  while (!progress.isOver) {
    const possible = progress.possible()
    const next = possible[choose(possible.length)]
    if (next === undefined) throw new Error(`Every fragment waits for another: ${progress.describe()}`)
    parts.push(progress.complete(next))
  }
  return parts
}

function withoutEmpty({ fragments, ...rest }: ExpectedStream, ids: ReadonlySet<number>): ExpectedStream {
  const isLeftOut = ({ id, entries }: ExpectedFragment) => ids.has(id) && entries.length === 0
  const out = new Set(fragments.filter(isLeftOut).map(({ id }) => id))
  const left = fragments.filter(({ id }) => !out.has(id))
  return {
    ...rest,
    fragments: left.map((fragment) => ({
      ...fragment,
      announcedAfter: new Set([...fragment.announcedAfter].filter((id) => !out.has(id))),
    })),
  }
}

class Progress {
  readonly #expected: ExpectedStream
  readonly #announced = new Set<number>()
  readonly #completed = new Set<number>()

  constructor(expected: ExpectedStream) {
    this.#expected = expected
  }

  get isOver(): boolean {
    return this.#announced.size === this.#completed.size
  }

  initialPart(): StreamPart {
    const { data, errorPaths } = this.#expected
    const pending = this.#announce()
    return { ...errorsAt(errorPaths), data, ...pending, hasNext: !this.isOver }
  }

  complete(id: number): StreamPart {
    const fragment = this.#fragment(id)
    this.#completed.add(id)
    const entries = (fragment?.entries ?? []).map(({ data, path, errorPaths }): Incremental => {
      const subPath = path.slice(fragment?.path.length ?? 0)
      return { data, id: String(id), ...(subPath.length > 0 ? { subPath } : {}), ...errorsAt(errorPaths) }
    })
    const completed: Completed[] = [{ id: String(id) }]
    const pending = this.#announce()
    const incremental = entries.length > 0 ? { incremental: entries } : {}
    return { ...incremental, completed, ...pending, hasNext: !this.isOver }
  }

  possible(): readonly number[] {
    return [...this.#announced].filter((id) => this.mayComplete(id))
  }

  mayComplete(id: number): boolean {
    const fragment = this.#fragment(id)
    if (fragment === undefined || !this.#announced.has(id) || this.#completed.has(id)) return false
    return this.#areCompleted(fragment.completedAfter)
  }

  describe(): string {
    return `announced ${[...this.#announced].join(', ')}, completed ${[...this.#completed].join(', ')}, may complete ${this.possible().join(', ')}`
  }

  #areCompleted(ids: ReadonlySet<number>): boolean {
    return [...ids].every((id) => this.#completed.has(id))
  }

  #fragment(id: number): ExpectedFragment | undefined {
    return this.#expected.fragments.find((fragment) => fragment.id === id)
  }

  #announce(): { readonly pending?: readonly Pending[] } {
    const next = this.#expected.fragments.filter(
      ({ id, announcedAfter }) => !this.#announced.has(id) && this.#areCompleted(announcedAfter),
    )
    for (const { id } of next) this.#announced.add(id)
    const pending = next.map(({ id, path, label }) => ({
      id: String(id),
      path,
      ...(label === null ? {} : { label }),
    }))
    return pending.length > 0 ? { pending } : {}
  }
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
