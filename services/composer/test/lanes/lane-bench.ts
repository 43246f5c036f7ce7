/** Lanes with real threads, and what they tell. */
import { CompositionLanes, type LaneEvent, type LanesOptions } from '../../src/lanes/composition-lanes.ts'

/** A composition of one subgraph. */
export type OneComposition = {
  readonly sdl: string
  readonly namespace: string
  readonly graph: string
  /** The size that is told; that of the text when absent. */
  readonly bytes?: number | undefined
  readonly goesFirst?: boolean | undefined
  readonly end?: AbortController | undefined
}

export class LaneBench implements AsyncDisposable {
  readonly events: LaneEvent[] = []
  readonly lanes: CompositionLanes
  readonly #changes: (() => void)[] = []

  constructor(options: Partial<LanesOptions> = {}) {
    this.lanes = new CompositionLanes({
      largeThreads: 1,
      cpuBudgetMs: 30_000,
      memoryMb: 512,
      ...options,
    })
  }

  compose({
    sdl: text,
    namespace,
    graph,
    bytes,
    goesFirst = false,
    end = new AbortController(),
  }: OneComposition) {
    const sdl = new TextEncoder().encode(text)
    const shared = new Uint8Array(new SharedArrayBuffer(sdl.byteLength))
    shared.set(sdl)
    return this.lanes.run({
      namespace,
      graph,
      subject: `${namespace}/${graph}`,
      bytes: bytes ?? sdl.byteLength,
      goesFirst,
      task: async () => ({
        subgraphs: [{ name: 'a', routingUrl: 'http://a.test/', baseName: null, sdl: shared }],
        options: { allowUnenforcedAuthorization: false },
      }),
      signal: end.signal,
      onEvent: (event) => {
        this.events.push(event)
        for (const change of this.#changes.splice(0)) change()
      },
    })
  }

  async until(condition: (events: readonly LaneEvent[]) => boolean): Promise<void> {
    while (!condition(this.events)) await new Promise<void>((resolve) => void this.#changes.push(resolve))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lanes[Symbol.asyncDispose]()
  }
}
