/**
 * Looks at the config store while a config is taken into service, which takes as long as its base takes to be
 * built. A percentage that is lowered behind such a config must not wait for it.
 */
import type { GraphKey } from '@switchyard/config-store'
import type { OfferedConfig } from '../offered-config.ts'
import type { ConfigStoreSource } from './config-store-source.ts'
import { readInTime } from './read-in-time.ts'
import type { Notice, Wakeups } from './wakeups.ts'

/** The looks of a follower. */
export type MeanwhileOptions = {
  readonly wakeups: Wakeups
  readonly pollInterval: number
  readonly source: ConfigStoreSource
  readonly graph: GraphKey
  /** The manifest that is taken into service. */
  readonly manifest: Uint8Array
  /** Takes back what a verified config takes from requests. False if it is served already. */
  readonly believe: (offer: OfferedConfig) => Promise<boolean>
}

/**
 * Looks at every notice, and when it is time, until `taking` has settled, and returns what that comes to.
 * What was noticed meanwhile is notified again, since none of these looks takes a config into service, or
 * says what is wrong with one.
 */
export async function lookMeanwhile<Result>(
  taking: Promise<Result>,
  options: MeanwhileOptions,
): Promise<Result> {
  const { wakeups, pollInterval } = options
  const over = new AbortController()
  let noticed: Notice | null = null
  let seen = options.manifest
  const look = async () => {
    const read = await lookOnce(options, seen)
    seen = read.manifest
    if (read.isNews) noticed ??= { traceparent: null }
  }
  const looking = async () => {
    while (!over.signal.aborted) {
      const notice = await wakeups.next(pollInterval, over.signal)
      noticed = notice ?? noticed
      if (!over.signal.aborted) await look().catch(() => {})
    }
  }
  const looks = looking()
  try {
    return await taking
  } finally {
    over.abort()
    await looks
    if (noticed !== null) wakeups.notify(noticed)
  }
}

async function lookOnce({ source, graph, believe }: MeanwhileOptions, seen: Uint8Array) {
  const stored = await readInTime(source, graph)
  if (stored === null || Buffer.compare(seen, stored.manifest) === 0) return { manifest: seen, isNews: false }
  return { manifest: stored.manifest, isNews: await believe(await source.offer(graph, stored)) }
}
