import { UsageError } from '../../run/errors.ts'
import { writeCommand } from '../../command/make-command.ts'
import { flag } from '../../command/options.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { labelMatchers, UNENFORCED_AUTHORIZATION } from '../../command/shared-options.ts'
import { graphName } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'update',
  argument: { name: 'name', type: graphName },
  description: 'change a federated graph: replace its label matchers, or allow unenforced authorization',
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
  },
  examples: [
    'federated-graph update shop --label-matcher team=shop env=prod',
    'graph update shop --unset-label-matchers',
    'graph update shop --refuse-unenforced-authorization',
  ],
  request: ({ namespace, argument, options }) => {
    const { labelMatcher, unsetLabelMatchers } = options
    if (labelMatcher !== undefined && unsetLabelMatchers)
      throw new UsageError('--label-matcher and --unset-label-matchers contradict each other.')
    const { allowUnenforcedAuthorization: allow, refuseUnenforcedAuthorization: refuse } = options
    if (allow && refuse)
      throw new UsageError(
        '--allow-unenforced-authorization and --refuse-unenforced-authorization contradict each other.',
      )
    if (labelMatcher === undefined && !unsetLabelMatchers && !allow && !refuse)
      throw new UsageError(
        'graph update changes nothing without --label-matcher, --unset-label-matchers, --allow-unenforced-authorization or --refuse-unenforced-authorization.',
      )
    return {
      method: 'PATCH',
      path: apiPath('graphs', namespace, argument),
      body: {
        ...(unsetLabelMatchers ? { labelMatchers: [] } : {}),
        ...(labelMatcher === undefined ? {} : { labelMatchers: labelMatcher }),
        ...(allow || refuse ? { allowUnenforcedAuthorization: allow } : {}),
      },
    }
  },
})
