/** `feature-flag promote`: its options; the judgement is in `check/`. */
import { writeCommand } from '../../command/make-command.ts'
import { flag } from '../../command/options.ts'
import { FORCE } from '../../command/shared-options.ts'
import { featureFlagName } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'promote',
  annotated: true,
  argument: { name: 'name', type: featureFlagName },
  description: 'make what a feature flag serves the base graph, for everybody; or undo that',
  options: {
    undo: flag('--undo', 'publish again what the promotion replaced'),
    dryRun: flag('--dry-run', 'say what would change, and write nothing'),
    ...FORCE,
  },
  notes: `The subgraphs that the flag replaces get the schemas and routing URLs of its feature subgraphs, in all graphs of the
namespace. All of these are composed before anything is written, and if one fails, nothing is (exit 1). The flag stays, and is
served the base graph. --undo is refused if somebody changed these subgraphs since.`,
  examples: [
    'feature-flag promote new-pricing',
    'ff promote new-pricing --dry-run',
    'ff promote new-pricing --force --reason approved',
    'ff promote new-pricing --undo',
  ],
  request: async (call) => {
    const { preparePromotion } = await import('../../check/promotion.ts')
    return preparePromotion(call, { name: call.argument, ...call.options })
  },
})
