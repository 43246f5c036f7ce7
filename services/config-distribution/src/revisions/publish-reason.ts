/** Why a revision is published, for people who read the history. */
import { sameCompositions, sameContent } from '@switchyard/contracts'
import type { CompositionRecord, ConfigRecord, ManifestContent } from '@switchyard/contracts'

export type PublishReason = ConfigRecord['cause']['reason']

/**
 * `record` is the newest that the revision carries out, or null when only rollouts or keys changed: those
 * in the manifest, or the one that signs it, or the log was set back. A pinned graph stays a pinned one then.
 * `isEpoch`: it is the first revision of an epoch.
 */
export function publishReason(
  last: {
    readonly content: ManifestContent
    readonly reason: PublishReason
    /** Whether it has the rollouts that the next one has. */
    readonly hasRollouts: boolean
  } | null,
  next: ManifestContent,
  record: CompositionRecord | null,
  isEpoch = false,
): PublishReason {
  const unasked = last?.hasRollouts === false ? 'rollouts' : 'keys'
  if (record === null) return last?.reason === 'pin' ? 'pin' : isEpoch ? 'restored' : unasked
  if (record.type === 'graph.removed') return 'graph-removed'
  if (record.pinnedRevision !== null) return 'pin'
  if (last?.reason === 'pin') return 'unpin'
  if (last !== null && sameContent(last.content, next)) return isEpoch ? 'republished' : unasked
  if (last !== null && hasOtherDocuments(last.content, next)) return 'documents'
  return last !== null && onlyRemoves(last.content, next) ? 'removal' : 'composition'
}

function hasOtherDocuments(last: ManifestContent, next: ManifestContent): boolean {
  return sameCompositions(last, next) && !sameContent(last, next)
}

function onlyRemoves(last: ManifestContent, next: ManifestContent): boolean {
  const [before, left] = [variantsIn(last), variantsIn(next)]
  return (
    last.base?.artifact === next.base?.artifact &&
    left.size < before.size &&
    [...left].every(([name, artifact]) => before.get(name) === artifact)
  )
}

/** The artifacts of flags and previews. */
function variantsIn({ featureFlags, previews = {} }: ManifestContent): ReadonlyMap<string, string> {
  return new Map(
    [...Object.entries(featureFlags), ...Object.entries(previews)].map(([name, { artifact }]) => [
      name,
      artifact,
    ]),
  )
}
