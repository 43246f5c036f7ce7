/** The revisions that routers were given: look at them, hold a graph on one, let it go again. */
import { ExecutionConfigFile, RevisionList, type RevisionView } from '@switchyard/contracts'
import { addGroup, addReadCommand, addWriteCommand } from '../make-command.ts'
import type { Invocation, Noun } from '../command.ts'
import { done, listed } from '../command-result.ts'
import type { CliCommand } from '../command-tree.ts'
import { writeFileAtomically } from '../replace-file.ts'
import { resolve } from 'node:path'
import { defaulted, optional, optionalList, required } from '../options.ts'
import { apiPath } from '../registry/registry-client.ts'
import { featureFlagName, filePath, graphName, positiveNumber } from '../value-types.ts'

const graph = { name: 'graph', type: graphName }

export function addConfigCommands(program: CliCommand, invocation: Invocation, noun: Noun): void {
  const config = addGroup(program, noun)

  addReadCommand(config, invocation, {
    name: 'history',
    argument: graph,
    description: 'list the revisions of a graph, newest first; the one that routers are given is marked',
    options: {
      limit: defaulted('--limit <number>', 'how many', positiveNumber('--limit'), '20'),
    },
    examples: ['config history shop', 'config history shop --limit 5 --json'],
    run: async ({ namespace, registry, argument, options, context }) => {
      const path = `${apiPath('graphs', namespace, argument, 'revisions')}?limit=${options.limit}`
      const found = await registry.get(path, RevisionList)
      return listed(
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

  addWriteCommand(config, invocation, {
    name: 'rollback',
    choosesOnly: true,
    argument: graph,
    description: 'hold a graph on an earlier revision until "config release"',
    options: {
      to: required('--to <revision>', 'the revision; "config history" lists them', positiveNumber('--to')),
    },
    examples: ['config rollback shop --to 1', 'config rollback shop --to 1 --force'],
    confirm: async ({ namespace, argument, options }) => ({
      question: `Roll federated graph "${argument}" in namespace "${namespace}" back to revision ${options.to}`,
      consequences: [
        'routers serve that revision until "config release": what is published meanwhile waits',
        'feature flags that were removed or disabled since stay off',
      ],
    }),
    request: ({ namespace, argument, options }) => ({
      method: 'PUT',
      path: apiPath('graphs', namespace, argument, 'pin'),
      body: { revision: options.to },
    }),
  })

  addWriteCommand(config, invocation, {
    name: 'release',
    choosesOnly: true,
    argument: graph,
    description: 'let a graph follow its newest composition again after "config rollback"',
    examples: ['config release shop'],
    request: ({ namespace, argument }) => ({
      method: 'DELETE',
      path: apiPath('graphs', namespace, argument, 'pin'),
      body: {},
    }),
  })

  addReadCommand(config, invocation, {
    name: 'fetch',
    argument: graph,
    description: 'print the execution config of a graph, or write it to a file',
    options: {
      revision: optional(
        '--revision <number>',
        'of this revision instead of the newest',
        positiveNumber('--revision'),
      ),
      flag: optionalList('--flag <names...>', 'with these feature flags only', featureFlagName),
      out: optional('--out <config.json>', 'where to write it', filePath),
    },
    examples: [
      'config fetch shop --out config.json',
      'config fetch shop --revision 1 --out config.json',
      'config fetch shop',
    ],
    run: async ({ namespace, registry, argument, options, context }) => {
      const query = new URLSearchParams()
      if (options.revision !== undefined) query.set('revision', String(options.revision))
      for (const name of options.flag ?? []) query.append('featureFlag', name)
      const suffix = query.size === 0 ? '' : `?${query.toString()}`
      const path = `${apiPath('graphs', namespace, argument, 'execution-config')}${suffix}`
      const file = await registry.get(path, ExecutionConfigFile)
      if (options.out === undefined) return done({ result: file }, JSON.stringify(file))
      await writeFileAtomically(resolve(context.cwd, options.out), `${JSON.stringify(file)}\n`, options.out)
      const result = { out: options.out, featureFlags: Object.keys(file.featureFlags) }
      return done({ result }, `${options.out} is written.`)
    },
  })
}

/** The newest revision is what routers are given; while a graph is held, it holds what the pinned one held. */
function stateOf({ revision }: RevisionView, isNewest: boolean, pinned: number | null): string {
  const states = [...(isNewest ? ['served'] : []), ...(revision === pinned ? ['pinned'] : [])]
  return states.join(', ') || '-'
}
