/** Opens what counts the requests of a router process, and what tells the counts. */
import type { GraphName } from '@switchyard/contracts'
import { announceUsage, type CountedRouter, usageSecond } from './announce-usage.ts'
import { Usage } from './usage.ts'
import { UsageReports, type UsageOfMinute } from './usage-reports.ts'

/** The source of configs. A primary joins what its workers count. */
type Source =
  | { readonly kind: 'config-store' | 'execution-config' | 'supergraph' }
  | {
      readonly kind: 'primary'
      readonly countsUsage: boolean
      readonly usage: (usage: UsageOfMinute, isLast: boolean) => Promise<void>
    }

type Settings = {
  readonly workers: number
  readonly usage: { readonly enabled: boolean; readonly documents: boolean }
}

/** The router whose requests are counted. */
export type CountedProcess = {
  readonly config: Settings
  readonly source: Source
  readonly announcer?: CountedRouter['announcer']
  readonly fleetKey?: CountedRouter['fleetKey']
  readonly instance: string
  readonly overrides?: {
    readonly random?: () => number
    readonly now?: () => number
    readonly usageInterval?: number
  }
}

/** The parts of the router that counting needs. */
export type CountingParts = {
  readonly inForce: () => Settings
  readonly onDefect: (error: unknown) => void
  /** The heartbeats of the router; null if it sends none. */
  readonly heartbeat: { readonly boot: string } | null
  /** Null while it is not known. */
  readonly graph: () => GraphName | null
}

/**
 * Null where the settings say so, and where nobody would hear it. A worker tells its primary, which tells
 * the minutes of all workers.
 */
export function openUsage(
  { config, source, announcer, fleetKey = null, instance, overrides = {} }: CountedProcess,
  { inForce, onDefect, heartbeat, graph }: CountingParts,
  parts: AsyncDisposableStack,
): Usage | null {
  if (!config.usage.enabled) return null
  const { random = Math.random, now, usageInterval: interval } = overrides
  const usage = new Usage(now)
  const common = { usage, tellsDocuments: () => inForce().usage.documents, onDefect, now, interval }
  if (source.kind === 'primary') {
    if (!source.countsUsage) return null
    parts.use(new UsageReports({ ...common, tell: source.usage, second: 0, share: 1 / config.workers }))
    return usage
  }
  if (announcer === undefined || heartbeat === null) return null
  const tell = announceUsage({ announcer, fleetKey, instance, boot: heartbeat.boot, graph })
  parts.use(new UsageReports({ ...common, tell, second: usageSecond(random) }))
  return usage
}
