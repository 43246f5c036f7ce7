/** The stage of a flag, by which somebody decides what to do with it. */
import type { FlagStage } from '@switchyard/contracts'
import {
  type FeatureFlag,
  flagApplies,
  isLaunched,
  isLikeBase,
  type NamespaceState,
  percentInForce,
} from '@switchyard/domain'
import type { ViewSources } from './view-sources.ts'

/** A flag that was changed within this time is new, and not unused. */
const NEW_FOR_MS = 24 * 60 * 60 * 1000
/** A router may stop and start meanwhile, or leave the flag out for a moment. */
const ASKED_WITHIN_MS = 15 * 60 * 1000

/** Returns the stage of a flag. `isServed` tells whether a graph serves it. */
export function flagStage(
  sources: ViewSources,
  state: NamespaceState,
  flag: FeatureFlag,
  isServed: boolean,
): FlagStage {
  if (!flag.enabled) return 'disabled'
  if (isLaunched(state, flag)) return 'launched'
  if (isLikeBase(state, flag)) return 'identical'
  const shares = sharesOf(state, flag, sources.now())
  if (shares.some((share) => share > 0 && share < 100)) return 'ramping'
  if (shares.includes(100) || isAskedFor(sources, state, flag)) return 'live'
  return isServed && !isNew(sources, state, flag) ? 'unused' : 'new'
}

/** The percentages in force of the rollouts that give somebody the flag. */
function sharesOf(state: NamespaceState, flag: FeatureFlag, now: number): readonly number[] {
  return [...state.rollouts.values()]
    .filter((rollout) => {
      const graph = state.graphs.get(rollout.graph)
      const isOver = rollout.expires !== null && Date.parse(rollout.expires) <= now
      const serves = rollout.flag === flag.name && rollout.mode === 'serve' && !isOver
      return serves && graph !== undefined && flagApplies(state, graph, flag)
    })
    .map(percentInForce)
}

/** Whether a router said in the last 15 minutes that clients had named the flag in the 15 minutes before. */
function isAskedFor({ fleet, now }: ViewSources, { namespace }: NamespaceState, { name }: FeatureFlag) {
  const { lastAskedFor } = fleet.askedFlags.useOf(namespace, name)
  return lastAskedFor !== null && now() - Date.parse(lastAskedFor) < ASKED_WITHIN_MS
}

function isNew(
  { fold, now }: ViewSources,
  { namespace }: NamespaceState,
  { name, featureSubgraphs }: FeatureFlag,
): boolean {
  const change = fold.lastChange(namespace, { flags: [name], subgraphs: featureSubgraphs })
  return change !== null && now() - change.time < NEW_FOR_MS
}
