/** The schemas that were published for a subgraph, and the command that published each. */
import { z } from 'zod'
import { Sequence, Sha256 } from '../names.ts'

export const SubgraphHistory = z.object({
  namespace: z.string(),
  name: z.string(),
  /** Newest first. The registry remembers the last 200 of a subgraph. */
  versions: z.array(
    z.object({
      /** Sequence of the record of the command. */
      sequence: Sequence,
      /** RFC 3339. */
      time: z.string(),
      actor: z.string(),
      /** Name of the API key; null if the actor is none, or an unknown one. */
      apiKey: z.string().nullable(),
      /** Absent if none was given. */
      reason: z.string().optional(),
      /** A summary of the command in one line. */
      summary: z.string(),
      sha256: Sha256,
      bytes: z.int(),
    }),
  ),
  /** Whether there are older ones than those that were asked for. */
  more: z.boolean(),
})
export type SubgraphHistory = z.infer<typeof SubgraphHistory>
