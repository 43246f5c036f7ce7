/** The estimated costs of a feature flag for each router, in a sentence. */
import type { FlagCost } from '@switchyard/contracts'

export function printFlagCost({ featureFlag, graph, estimate }: FlagCost): string {
  const flag = `feature flag "${featureFlag}" of federated graph "${graph}"`
  if (estimate === null)
    return `What ${flag} costs a router is not known: routers were given no composition of it yet, or it is too large to be read as a whole.`
  const { compiled, changedDefinitions, cpuMs, memoryBytes } = estimate
  const why =
    compiled === 'whole'
      ? 'it is compiled as a whole'
      : `it has ${changedDefinitions} ${changedDefinitions === 1 ? 'definition' : 'definitions'} that base does not have`
  return `Estimated for each router: about ${inWords(memoryBytes)} of memory for ${flag}, and ${cpuMs} ms of computing time when it is compiled (${why}).`
}

function inWords(bytes: number): string {
  const megabytes = bytes / 1e6
  return megabytes < 0.1 ? 'less than 0.1 MB' : `${megabytes.toFixed(megabytes < 10 ? 1 : 0)} MB`
}
