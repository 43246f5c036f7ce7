import { UsageError } from '../../run/errors.ts'
import { writeCommand } from '../../command/make-command.ts'
import { flag } from '../../command/options.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { labelMatchers, PUBLIC_URL, UNENFORCED_AUTHORIZATION } from '../../command/shared-options.ts'
import { graphName } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'update',
  argument: { name: 'name', type: graphName },
  description:
    'change a federated graph: its label matchers, its public URL, or whether unenforced authorization is allowed',
  options: {
    labelMatcher: labelMatchers('all of its matchers from now on'),
    unsetLabelMatchers: flag(
      '--unset-label-matchers',
      'remove all matchers: only subgraphs without labels belong to it',
    ),
    ...UNENFORCED_AUTHORIZATION,
    refuseUnenforcedAuthorization: flag(
      '--refuse-unenforced-authorization',
      'routers enforce them (the default)',
    ),
    ...PUBLIC_URL,
    unsetPublicUrl: flag('--unset-public-url', 'forget at which URL browsers reach the routers'),
  },
  examples: [
    'federated-graph update shop --label-matcher team=shop env=prod',
    'graph update shop --unset-label-matchers',
    'graph update shop --refuse-unenforced-authorization',
    'graph update shop --public-url https://graph.example.com/graphql',
  ],
  request: ({ namespace, argument, options }) => {
    const { labelMatcher, unsetLabelMatchers, publicUrl, unsetPublicUrl } = options
    if (labelMatcher !== undefined && unsetLabelMatchers)
      throw new UsageError('--label-matcher and --unset-label-matchers contradict each other.')
    const { allowUnenforcedAuthorization: allow, refuseUnenforcedAuthorization: refuse } = options
    if (allow && refuse)
      throw new UsageError(
        '--allow-unenforced-authorization and --refuse-unenforced-authorization contradict each other.',
      )
    if (publicUrl !== undefined && unsetPublicUrl)
      throw new UsageError('--public-url and --unset-public-url contradict each other.')
    const changesUrl = publicUrl !== undefined || unsetPublicUrl
    if (labelMatcher === undefined && !unsetLabelMatchers && !allow && !refuse && !changesUrl)
      throw new UsageError(
        'graph update changes nothing without --label-matcher, --unset-label-matchers, --allow-unenforced-authorization, --refuse-unenforced-authorization, --public-url or --unset-public-url.',
      )
    return {
      method: 'PATCH',
      path: apiPath('graphs', namespace, argument),
      body: {
        ...(unsetLabelMatchers ? { labelMatchers: [] } : {}),
        ...(labelMatcher === undefined ? {} : { labelMatchers: labelMatcher }),
        ...(allow || refuse ? { allowUnenforcedAuthorization: allow } : {}),
        ...(changesUrl ? { publicUrl: publicUrl ?? null } : {}),
      },
    }
  },
})
