/** The stage of a feature flag in words, and what is known of requests that name it. */
import type { FeatureFlagView, FlagStage } from '@switchyard/contracts'

const WORDS: Readonly<Record<FlagStage, string>> = {
  disabled: 'disabled',
  new: 'new',
  ramping: 'ramping',
  live: 'live',
  launched: 'launched',
  unused: 'unused',
  identical: 'identical to base',
}

/** The stage, or whether the flag is enabled if the registry is older than stages. */
export function stageOf({ stage, enabled }: FeatureFlagView): string {
  if (stage === undefined) return enabled ? 'enabled' : 'disabled'
  return WORDS[stage]
}

/**
 * The last time at which a router said that clients had named the flag. If there was none, how long nobody
 * did as far as the registry knows, which is since its start.
 */
export function lastNamed({ use }: FeatureFlagView): string {
  if (use === undefined) return '-'
  const { lastAskedFor, listeningSince } = use
  return lastAskedFor === null ? `not since ${minuteOf(listeningSince)}` : minuteOf(lastAskedFor)
}

/** A line for each subgraph that the promotion changed. */
export function promotedLines({ promoted }: NonNullable<FeatureFlagView['launched']>): readonly string[] {
  return promoted.map(({ subgraph, featureSubgraph }) => `${featureSubgraph} as ${subgraph}`)
}

/** `2026-11-21T08:00:59.123Z` → `2026-11-21 08:00 UTC` */
function minuteOf(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`
}
