import { writeCommand } from '../../command/make-command.ts'
import { flag, list } from '../../command/options.ts'
import { parsePreviewHosts } from '../../command/arguments.ts'
import { namespaceName } from '../../command/value-types.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { UsageError } from '../../run/errors.ts'

export const command = writeCommand({
  name: 'update',
  argument: { name: 'name', type: namespaceName },
  description: 'set where the subgraphs of previews may be; previews that are elsewhere end',
  namespaced: false,
  options: {
    previewHosts: list(
      '--preview-hosts <hosts...>',
      'all hosts that they may have: previews.internal, or all below one: *.previews.internal',
      parsePreviewHosts,
    ),
    noPreviews: flag('--unset-preview-hosts', 'allow no previews'),
  },
  examples: [
    "namespace update staging --preview-hosts '*.previews.internal'",
    'namespace update staging --unset-preview-hosts',
  ],
  request: ({ argument, options: { previewHosts, noPreviews } }) => {
    if ((previewHosts === undefined) === !noPreviews)
      throw new UsageError('namespace update takes either --preview-hosts or --unset-preview-hosts.')
    return {
      method: 'PATCH',
      path: apiPath('namespaces', argument),
      body: { previewHosts: previewHosts ?? [] },
      namespace: argument,
    }
  },
})
