/**
 * The file of each command, found by the command's words, in the order in which help lists the commands.
 *
 * A noun is either a group of commands or a command of its own. Its files are loaded when it is asked for.
 */
import type { ExecutableCommand } from './command/command.ts'
import type { NounName } from './command/nouns.ts'

/** The exports of a file below `commands/`. */
type CommandFile = { readonly command: ExecutableCommand }
/** Commands that share their first words, such as `registry trace-key`. */
type Group = {
  readonly name: string
  readonly description: string
  readonly commands: readonly Promise<CommandFile>[]
}

/** A member of a group: a command whose file is being loaded, or another group. */
export type GroupEntry = Promise<CommandFile> | Group

/** Loads the files of a noun. A single file is the command of that noun itself. */
export const COMMAND_FILES: Readonly<Record<NounName, () => Promise<CommandFile> | readonly GroupEntry[]>> = {
  namespace: () => [
    import('./commands/namespace/create.ts'),
    import('./commands/namespace/update.ts'),
    import('./commands/namespace/delete.ts'),
    import('./commands/namespace/list.ts'),
  ],
  'federated-graph': () => [
    import('./commands/federated-graph/create.ts'),
    import('./commands/federated-graph/update.ts'),
    import('./commands/federated-graph/delete.ts'),
    import('./commands/federated-graph/list.ts'),
    import('./commands/federated-graph/get.ts'),
    import('./commands/federated-graph/fetch.ts'),
  ],
  subgraph: () => [
    import('./commands/subgraph/create.ts'),
    import('./commands/subgraph/publish.ts'),
    import('./commands/subgraph/update.ts'),
    import('./commands/subgraph/delete.ts'),
    import('./commands/subgraph/list.ts'),
    import('./commands/subgraph/get.ts'),
    import('./commands/subgraph/check.ts'),
    import('./commands/subgraph/introspect.ts'),
  ],
  documents: () => [
    import('./commands/documents/publish.ts'),
    import('./commands/documents/delete.ts'),
    import('./commands/documents/list.ts'),
    import('./commands/documents/fetch.ts'),
  ],
  usage: () => import('./commands/usage.ts'),
  apply: () => import('./commands/apply.ts'),
  config: () => [
    import('./commands/config/history.ts'),
    import('./commands/config/diff.ts'),
    import('./commands/config/rollback.ts'),
    import('./commands/config/release.ts'),
    import('./commands/config/republish.ts'),
    import('./commands/config/fetch.ts'),
  ],
  'feature-subgraph': () => [
    import('./commands/feature-subgraph/create.ts'),
    import('./commands/feature-subgraph/publish.ts'),
    import('./commands/feature-subgraph/update.ts'),
    import('./commands/feature-subgraph/delete.ts'),
    import('./commands/feature-subgraph/list.ts'),
    import('./commands/feature-subgraph/get.ts'),
    import('./commands/feature-subgraph/check.ts'),
  ],
  'feature-flag': () => [
    import('./commands/feature-flag/create.ts'),
    import('./commands/feature-flag/enable.ts'),
    import('./commands/feature-flag/disable.ts'),
    import('./commands/feature-flag/update.ts'),
    import('./commands/feature-flag/delete.ts'),
    import('./commands/feature-flag/list.ts'),
    import('./commands/feature-flag/get.ts'),
    import('./commands/feature-flag/diff.ts'),
    import('./commands/feature-flag/promote.ts'),
  ],
  rollout: () => [
    import('./commands/rollout/create.ts'),
    import('./commands/rollout/update.ts'),
    import('./commands/rollout/ramp.ts'),
    import('./commands/rollout/pause.ts'),
    import('./commands/rollout/advance.ts'),
    import('./commands/rollout/end-ramp.ts'),
    import('./commands/rollout/abort.ts'),
    import('./commands/rollout/resume.ts'),
    import('./commands/rollout/complete.ts'),
    import('./commands/rollout/delete.ts'),
    import('./commands/rollout/list.ts'),
    import('./commands/rollout/get.ts'),
    import('./commands/rollout/explain.ts'),
    import('./commands/rollout/figures.ts'),
    import('./commands/rollout/differences.ts'),
  ],
  preview: () => [
    import('./commands/preview/create.ts'),
    import('./commands/preview/update.ts'),
    import('./commands/preview/delete.ts'),
    import('./commands/preview/list.ts'),
    import('./commands/preview/get.ts'),
  ],
  'check-plans': () => import('./commands/check-plans.ts'),
  up: () => import('./commands/up.ts'),
  studio: () => import('./commands/studio.ts'),
  router: () => [
    import('./commands/router/compose.ts'),
    import('./commands/router/start.ts'),
    import('./commands/router/config.ts'),
    import('./commands/router/config-schema.ts'),
    import('./commands/router/check-documents.ts'),
    import('./commands/router/verify.ts'),
    import('./commands/router/trace-token.ts'),
    import('./commands/router/list.ts'),
  ],
  plan: () => import('./commands/plan.ts'),
  subscribe: () => import('./commands/subscribe.ts'),
  defer: () => [import('./commands/defer/doctor.ts')],
  trace: () => [import('./commands/trace/open.ts')],
  audit: () => import('./commands/audit.ts'),
  'api-key': () => [
    import('./commands/api-key/create.ts'),
    import('./commands/api-key/list.ts'),
    import('./commands/api-key/delete.ts'),
  ],
  registry: () => [
    {
      name: 'trace-key',
      description: 'the keys that sign tokens for request tracing',
      commands: [
        import('./commands/registry/trace-key/create.ts'),
        import('./commands/registry/trace-key/list.ts'),
        import('./commands/registry/trace-key/retire.ts'),
      ],
    },
    import('./commands/registry/export.ts'),
    import('./commands/registry/import.ts'),
    import('./commands/registry/services.ts'),
  ],
  completion: () => import('./commands/completion.ts'),
  __complete: () => import('./commands/complete.ts'),
  help: () => import('./commands/help.ts'),
}
