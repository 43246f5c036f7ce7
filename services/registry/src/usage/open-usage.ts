/** Opens the parts of a registry that keep usage and answer from it. */
import { ALL_ROUTER_USAGE } from '@switchyard/contracts'
import type { Announcer, ArtifactStores, KeyValueStore } from '@switchyard/event-log'
import { HeardUsage, type HeardUsageOptions } from './heard-usage.ts'
import { CoordinatesThread } from './coordinates-thread.ts'
import { UsageAnswers } from './usage-answers.ts'
import { UsageStore } from './usage-store.ts'

type Handler = (message: unknown, subject: string) => void

export type UsageOptions = {
  /** The store of what was added up. */
  readonly values: KeyValueStore
  /** Days that usage is kept; 0 if it is neither heard nor kept. */
  readonly days: number
  /**
   * Subscribes to the usage of all routers since a time (Unix ms), or all that is there if it is null. The
   * announcer does unless it is given, from now on.
   */
  readonly subscribe?: (handler: Handler, beginning: () => Promise<number | null>) => Disposable
  /** Whether messages arrive at this moment; always unless it is given. */
  readonly isListening?: () => boolean
}

export type Usage = { readonly heard: HeardUsage; readonly answers: UsageAnswers }

type UsageSources = ArtifactStores &
  Omit<HeardUsageOptions, 'store' | 'subscribe' | 'isListening'> & {
    readonly usage?: UsageOptions | undefined
    readonly announcer: Announcer
  }

/** Returns null if no usage is kept. Everything is disposed with `resources`. */
export function openUsage(
  { usage, announcer, blobs, pieces, ...hearing }: UsageSources,
  resources: AsyncDisposableStack,
): Usage | null {
  if (usage === undefined || usage.days === 0) return null
  const { values, days, isListening = () => true } = usage
  const { now } = hearing
  const store = new UsageStore({ values, days, now })
  const subscribe = (handler: Handler) =>
    usage.subscribe?.(handler, () => store.beginning()) ?? announcer.subscribe(ALL_ROUTER_USAGE, handler)
  const heard = resources.use(new HeardUsage({ ...hearing, store, subscribe, isListening }))
  const schemas = resources.use(new CoordinatesThread({ blobs, pieces }))
  return { heard, answers: new UsageAnswers({ store, heard, schemas, now }) }
}
