/** The section `previews`: whether this router serves previews. */
import { z } from 'zod'
import { section } from '../../settings/section.ts'
import { setting } from '../../settings/setting.ts'

export const PreviewsSection = section({
  serve: setting(z.boolean().default(false), {
    says: 'true: [previews](previews.md) of the graph are served to whoever names one. For a fleet of its own beside production: schemas and subgraphs of previews are from people who may not deploy',
    needsRestart: true,
  }),
})
