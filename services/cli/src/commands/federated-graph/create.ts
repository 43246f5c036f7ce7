import { writeCommand } from '../../command/make-command.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { labelMatchers, PUBLIC_URL, UNENFORCED_AUTHORIZATION } from '../../command/shared-options.ts'
import { newName } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'create',
  argument: { name: 'name', type: newName('federated graph') },
  description: 'create a federated graph',
  options: {
    labelMatcher: labelMatchers('which subgraphs belong to it'),
    ...UNENFORCED_AUTHORIZATION,
    ...PUBLIC_URL,
  },
  examples: [
    'federated-graph create shop --label-matcher team=shop',
    'graph create shop -n staging --label-matcher team=shop,team=billing env=prod',
  ],
  request: ({ namespace, argument, options }) => ({
    method: 'POST',
    path: apiPath('graphs', namespace),
    body: {
      name: argument,
      labelMatchers: options.labelMatcher ?? [],
      allowUnenforcedAuthorization: options.allowUnenforcedAuthorization,
      ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
    },
  }),
})
