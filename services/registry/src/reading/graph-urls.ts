/** The variable that names the public URLs of graphs for those that have none in their records. */
import { Namespace, PublicUrl, ResourceName } from '@switchyard/contracts'
import { z } from 'zod'

import type { ToldUrls } from './public-urls.ts'

const EXPECTED = 'expected JSON such as {"default/shop":"https://graph.example.com/graphql"}'
const MOST_GRAPHS = 1_000

/** `SWITCHYARD_GRAPH_URLS`. */
export const GraphUrlsVariable = z
  .string()
  .default('{}')
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: EXPECTED })
      return z.NEVER
    }
  })
  .pipe(z.record(z.string().refine(isGraphName, { error: EXPECTED }), PublicUrl, { error: EXPECTED }))
  .refine((urls) => Object.keys(urls).length <= MOST_GRAPHS, {
    error: `expected at most ${MOST_GRAPHS} graphs`,
  })
  .transform((urls): ToldUrls => {
    const byName = new Map(Object.entries(urls))
    return {
      of: ({ namespace, graph }) => byName.get(`${namespace}/${graph}`) ?? null,
      all: () => byName.values(),
    }
  })

function isGraphName(text: string): boolean {
  const slash = text.indexOf('/')
  return (
    slash > 0 &&
    Namespace.safeParse(text.slice(0, slash)).success &&
    ResourceName.safeParse(text.slice(slash + 1)).success
  )
}
