import { RevisionList, type RevisionView } from '@switchyard/contracts'
import { registryCommand } from '../../command/make-command.ts'
import { defaulted } from '../../command/options.ts'
import { causesOf } from '../../output/revision-changes.ts'
import { tableResult } from '../../output/shown-results.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { graphName, positiveNumber } from '../../command/value-types.ts'

export const command = registryCommand({
  name: 'history',
  argument: { name: 'graph', type: graphName },
  description:
    'list the revisions of a graph, newest first, with what made each; the one that routers are given is marked',
  options: {
    limit: defaulted('--limit <number>', 'how many', positiveNumber('--limit'), '20'),
  },
  notes: `A revision has a row for each command since the one before it that the graph was composed for: what it did, with which API key,
and the --reason that was given. One that no command made was published for changed keys or an imported event log.`,
  examples: ['config history shop', 'config history shop --limit 5 --json'],
  run: async ({ namespace, registry, argument, options, context }) => {
    const path = `${apiPath('graphs', namespace, argument, 'revisions')}?limit=${options.limit}`
    const found = await registry.get(path, RevisionList)
    return tableResult(
      found,
      {
        columns: ['revision', 'state', 'created', 'what', 'by', 'why', 'feature flags'],
        rows: found.revisions.flatMap((revision, index) =>
          rowsOf(revision, stateOf(revision, index === 0, found.pinnedRevision)),
        ),
        whenEmpty: `Federated graph "${argument}" has no revision yet: nothing of it composed.`,
      },
      context,
    )
  },
})

/** A row for each command that made the revision; those after the first tell only that. */
function rowsOf(revision: RevisionView, state: string): readonly (readonly string[])[] {
  return causesOf(revision).map(({ what, by, why }, index) =>
    index === 0
      ? [
          String(revision.revision),
          state,
          revision.createdAt,
          what,
          by,
          why,
          revision.featureFlags.join(' ') || '-',
        ]
      : ['', '', '', what, by, why, ''],
  )
}

/**
 * The newest revision is what routers are given; while a graph is held, it holds what the pinned one held.
 */
function stateOf({ revision }: RevisionView, isNewest: boolean, pinned: number | null): string {
  const states = [...(isNewest ? ['served'] : []), ...(revision === pinned ? ['pinned'] : [])]
  return states.join(', ') || '-'
}
