/** Sets the desired state of a namespace with one command. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApplyDesiredState, ProblemError } from '@switchyard/contracts'
import { type ApiOptions, NamespacePath } from '../api/api.ts'
import type { CommandRoutes } from './command-route.ts'
import { freshSalt } from './rollout-commands.ts'
import { keepSchema, PUBLISH_BODY_LIMIT, schemaProblem } from './subgraph-commands.ts'

export function applyCommands({ add }: CommandRoutes, options: ApiOptions): void {
  /** Every schema is checked before any of them is stored. */
  const check = async (
    namespace: string,
    named: readonly { readonly name: string; readonly sdl?: string | undefined }[],
  ) => {
    for (const { name, sdl } of named) {
      if (sdl === undefined) continue
      const refusal = await schemaProblem(options, namespace, name, sdl)
      if (refusal !== null) throw new ProblemError(refusal)
      // Small texts are checked at once, and there may be many of them.
      await nextTurn()
    }
  }
  const kept = async <Part extends { readonly sdl?: string | undefined }>({ sdl, ...part }: Part) =>
    sdl === undefined ? part : { ...part, schema: await keepSchema(options, sdl) }
  add({
    method: 'POST',
    url: '/v1/namespaces/:namespace/apply',
    summary: 'Bring a namespace into a desired state: all of it in one record, or nothing',
    params: NamespacePath,
    body: ApplyDesiredState,
    bodyLimit: PUBLISH_BODY_LIMIT,
    permission: 'publish',
    command: async ({ params: { namespace }, body }) => {
      const { graphs, subgraphs, featureSubgraphs, featureFlags, rollouts, prune } = body
      await check(namespace, [...subgraphs, ...featureSubgraphs])
      return {
        type: 'apply',
        graphs,
        subgraphs: await Promise.all(subgraphs.map(kept)),
        featureSubgraphs: await Promise.all(
          featureSubgraphs.map(({ subgraph: base, ...rest }) => kept({ ...rest, base })),
        ),
        featureFlags,
        // Absent where it is not given, so that a repeated command has the hash that an older registry wrote.
        ...(rollouts === undefined ? {} : { rollouts }),
        freshSalt: freshSalt(),
        prune,
      }
    },
  })
}
