import type { SubgraphHistory } from '@switchyard/contracts/studio'
import type { EventLog } from '@switchyard/event-log'
import type { RegistryReader } from '../reading/registry-reader.ts'
import { readCommands } from '../reading/revision-changes.ts'

/** The schemas that were published for a subgraph, newest first, with the commands that published them. */
export async function subgraphHistory(
  log: EventLog,
  fold: RegistryReader,
  { namespace, name }: Pick<SubgraphHistory, 'namespace' | 'name'>,
  limit: number,
): Promise<SubgraphHistory> {
  const known = fold.schemas.of(namespace, name)
  const versions: SubgraphHistory['versions'] = []
  for (const { sequence, sha256, bytes } of known.slice(0, limit)) {
    // Read one by one: the records between two versions may be many.
    const command = (await readCommands(log, fold, namespace, new Set([sequence]))).get(sequence)
    if (command === undefined) continue
    const { time, actor, apiKey, reason, summary } = command
    const why = reason === undefined ? {} : { reason }
    versions.push({ sequence, time, actor, apiKey, ...why, summary, sha256, bytes })
  }
  return { namespace, name, versions, more: known.length > limit }
}
