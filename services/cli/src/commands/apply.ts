/** The command `apply`, which sends the desired state of a namespace from a file. `apply/` does the work. */
import { DEFAULT_NAMESPACE } from '@switchyard/contracts'
import { writeCommand } from '../command/make-command.ts'
import { NOUNS } from '../command/nouns.ts'
import { successResult } from '../output/command-result.ts'
import type { RegistryCall } from '../command/command.ts'
import type { Confirmation } from '../command/confirmation.ts'
import { flag } from '../command/options.ts'
import { printWarnings } from '../output/warnings.ts'
import { apiPath } from '../registry/registry-client.ts'
import { filePath } from '../command/value-types.ts'
import type { DesiredState } from '../apply/read-desired-state.ts'

const NOTES = `Creates and changes what the file names, all of it or nothing, and composes each graph once. What the file leaves out of
a thing stays as it is; what it does not name is left alone. The file (paths are relative to it):
  version: 1
  graph: { name: shop, label_matchers: [team=web] }       # several: graphs: [...]
  subgraphs:
    - name: products
      routing_url: http://localhost:4101/graphql          # needed for what does not exist yet
      labels: [team=web]
      schema: { file: ./products.graphql }
  feature_flags:
    - name: new-pricing
      labels: [team=web]
      enabled: true                                       # the default of a new flag
      feature_graphs:
        - name: products-next
          subgraph_name: products
          routing_url: http://localhost:4201/graphql
          schema: { file: ./products-next.graphql }
  rollouts:                                               # in the order in which requests try them
    - name: new-pricing
      graph: shop                                         # graph and flag are needed for what does not exist yet
      flag: new-pricing
      percent: 5
      key: ['claim:sub']
      where: ['claim:plan in pro,team']                   # as text, or { on: 'claim:plan', in: [pro, team] }
Without "rollouts", --prune leaves rollouts alone.
"router compose" reads the same file, and passes over rollouts: only a registry gives them to routers.`

const OPTIONS = {
  prune: flag('--prune', 'delete what the namespace holds and the file does not name; asks first'),
  dryRun: flag('--dry-run', 'say what would change, and write nothing'),
}

export const command = writeCommand({
  name: 'apply',
  ...NOUNS.apply,
  annotated: true,
  argument: { name: 'graph.yaml', description: 'what there should be', type: filePath },
  options: OPTIONS,
  notes: NOTES,
  examples: ['apply graph.yaml', 'apply graph.yaml --dry-run', 'apply graph.yaml --prune --force'],
  confirm,
  request: async (call) => {
    const { namespace, body, sources } = await desiredState(call)
    if (call.options.dryRun) return { result: await dryRun(call, { namespace, body, sources }) }
    return { method: 'POST', path: apiPath('namespaces', namespace, 'apply'), body, namespace, sources }
  },
})

type ApplyCall = RegistryCall<string, typeof OPTIONS>

async function desiredState({
  argument: file,
  context,
  namespace,
  options,
}: ApplyCall): Promise<DesiredState> {
  const { readDesiredState } = await import('../apply/read-desired-state.ts')
  const isDefaultNamespace = namespace === DEFAULT_NAMESPACE
  return readDesiredState({ file, cwd: context.cwd, namespace, isDefaultNamespace, prune: options.prune })
}

async function confirm(call: ApplyCall): Promise<Confirmation | null> {
  const { prune, dryRun: writesNothing } = call.options
  if (!prune || writesNothing) return null
  const { namespace, body } = await desiredState(call)
  const { readNamespace } = await import('../command/consequences.ts')
  const { pruning } = await import('../apply/foresee-apply.ts')
  return pruning(await readNamespace(call.registry, namespace), body)
}

async function dryRun({ registry, context }: ApplyCall, { namespace, body }: DesiredState) {
  const { readNamespace } = await import('../command/consequences.ts')
  const { foreseeApply } = await import('../apply/foresee-apply.ts')
  const foreseen = foreseeApply(await readNamespace(registry, namespace), body)
  const { changed, message, warnings, affectedGraphs, rolloutGraphs } = foreseen
  const text = changed
    ? [
        'Nothing was written. This would be done:',
        ...message.split('\n').map((line) => `  ${line}`),
        ...affectedGraphs.map((graph) => `  Federated graph "${graph}" would be composed.`),
        ...rolloutGraphs.map((graph) => `  Routers of federated graph "${graph}" would get its rollouts.`),
      ]
    : [message]
  return successResult(
    { result: { dryRun: true, ...foreseen } },
    text.join('\n'),
    printWarnings(warnings, context),
  )
}
