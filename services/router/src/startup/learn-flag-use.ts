/**
 * Learns at the start of a router which feature flags are in use: from the file that it kept, and from the
 * heartbeats of the other routers of its graph.
 */
import type { GraphKey } from '@switchyard/config-store'
import type { Announcer } from '@switchyard/event-log'
import type { FleetKey, Logger } from '@switchyard/service-kit'
import type { FlagUse } from '../flags/flag-use.ts'
import { FlagUseFile } from '../generations/flag-use/flag-use-file.ts'
import { hearFleet } from '../generations/flag-use/hear-fleet.ts'
import type { ConfigEvents } from '../generations/follow/config-events.ts'
import type { PrimarySource, RouterSource } from './router-options.ts'

export type LearningParts = {
  readonly source: RouterSource | PrimarySource
  readonly announcer: Announcer | null
  readonly fleetKey: FleetKey | null
  readonly logger: Logger
  readonly flagUse: FlagUse
  readonly events: ConfigEvents
  /** Other flags are in use than was known. */
  readonly onChange: () => void
  /** There is nothing more to learn. */
  readonly onHeard: () => void
}

/** Learns which flags are in use. When disposed, it keeps what it knows for the next start. */
export class FlagUseLearning implements AsyncDisposable {
  readonly #parts: LearningParts
  readonly #file: FlagUseFile | null
  #fleet: Disposable | null = null

  constructor(parts: LearningParts) {
    this.#parts = parts
    const { source, flagUse, events } = parts
    const directory = source.kind === 'config-store' ? source.lastKnownGoodDirectory : undefined
    const onNotWritten = (error: unknown) => events.lastKnownGoodNotWritten(error)
    this.#file = directory === undefined ? null : new FlagUseFile({ directory, flagUse, onNotWritten })
  }

  /** Whether other routers are there to be heard: not in one process with everything, and not on a file. */
  static hears({ source, announcer }: Pick<LearningParts, 'source' | 'announcer'>): boolean {
    return announcer !== null && source.kind === 'config-store' && source.trusted !== true
  }

  /** The graph is known. Resolves when the file is read; the fleet is heard in the background. */
  async open(graph: GraphKey): Promise<void> {
    const { announcer, flagUse, onChange } = this.#parts
    if (announcer !== null && FlagUseLearning.hears(this.#parts)) {
      this.#fleet = hearFleet(graph, { ...this.#parts, announcer })
    }
    if (this.#file !== null && flagUse.heard(await this.#file.open(graph))) onChange()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#fleet?.[Symbol.dispose]()
    await this.#file?.[Symbol.asyncDispose]()
  }
}
