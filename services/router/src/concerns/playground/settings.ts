/** The section `playground`: a page on which people try operations, at the base path. */
import { z } from 'zod'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'

/** Whether there is a page for trying operations. */
export const PlaygroundSection = section({
  enabled: setting(
    z.union([z.boolean(), z.literal('dev_mode')], 'expected true, false or dev_mode').default('dev_mode'),
    {
      says: 'whether there is a page for trying operations at `{base_path}/`: `true`, `false`, or `dev_mode` (only in dev mode); see [playground](playground.md)',
    },
  ),
})

/** The settings that say whether a router has a playground. */
type PlaygroundSettings = {
  readonly devMode: boolean
  readonly playground: z.output<typeof PlaygroundSection>
}

/** Whether a router has a playground. */
export function hasPlayground({ devMode, playground: { enabled } }: PlaygroundSettings): boolean {
  return enabled === 'dev_mode' ? devMode : enabled
}
