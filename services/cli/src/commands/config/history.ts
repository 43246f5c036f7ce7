import { RevisionList, type RevisionView } from '@switchyard/contracts'
import { registryCommand } from '../../make-command.ts'
import { defaulted } from '../../options.ts'
import { tableResult } from '../../output/shown-results.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { graphName, positiveNumber } from '../../value-types.ts'

export const command = registryCommand({
  name: 'history',
  argument: { name: 'graph', type: graphName },
  description: 'list the revisions of a graph, newest first; the one that routers are given is marked',
  options: {
    limit: defaulted('--limit <number>', 'how many', positiveNumber('--limit'), '20'),
  },
  examples: ['config history shop', 'config history shop --limit 5 --json'],
  run: async ({ namespace, registry, argument, options, context }) => {
    const path = `${apiPath('graphs', namespace, argument, 'revisions')}?limit=${options.limit}`
    const found = await registry.get(path, RevisionList)
    return tableResult(
      found,
      {
        columns: ['revision', 'state', 'created', 'reason', 'by', 'feature flags'],
        rows: found.revisions.map((revision, index) => [
          String(revision.revision),
          stateOf(revision, index === 0, found.pinnedRevision),
          revision.createdAt,
          revision.reason,
          revision.actor ?? '-',
          revision.featureFlags.join(' ') || '-',
        ]),
        whenEmpty: `Federated graph "${argument}" has no revision yet: nothing of it composed.`,
      },
      context,
    )
  },
})

/**
 * The newest revision is what routers are given; while a graph is held, it holds what the pinned one held.
 */
function stateOf({ revision }: RevisionView, isNewest: boolean, pinned: number | null): string {
  const states = [...(isNewest ? ['served'] : []), ...(revision === pinned ? ['pinned'] : [])]
  return states.join(', ') || '-'
}
