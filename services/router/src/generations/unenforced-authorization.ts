/**
 * Refuses files with access rules (`@authenticated` and its like), which the router does not enforce.
 *
 * A file may come from any composer, so nobody was asked whether serving it without enforcement is intended:
 * it is refused unless the settings allow it, or the file says that its graph does. What a config store
 * offers was judged when it was composed, and is not judged again: a graph that was served before this rule
 * existed must survive the restart of its routers.
 */
import type { Artifact } from '@switchyard/contracts'
import { describeSupergraph } from '@switchyard/engine'

/** Part of the URL of every link that brings such a directive, whatever name the link gives it. */
const ANY_RULE = /authenticated|requiresScopes|policy/

/** The file has access rules that nobody would enforce, so it is not served. */
export class UnenforcedAuthorizationError extends Error {
  override readonly name = 'UnenforcedAuthorizationError'
  readonly code = 'AUTHORIZATION_NOT_ENFORCED'
  constructor(path: string, rules: readonly string[]) {
    super(
      `The file ${path} is not served: it says with ${rules.map((rule) => `@${rule}`).join(', ')} who may see a field, which this router does not enforce. ` +
        'Everybody who reaches the router would be answered. Remove these directives, or allow it knowingly with "authorization: { allow_unenforced: true }" in the settings of the router.',
    )
  }
}

/** Throws UnenforcedAuthorizationError. */
export function refuseUnenforced(path: string, rules: Iterable<string>): void {
  const found = [...new Set(rules)].sort()
  if (found.length > 0) throw new UnenforcedAuthorizationError(path, found)
}

/**
 * The rules that nobody enforces; none if the graph allows that. A supergraph that cannot be read has none
 * either: compiling it will say what is wrong.
 */
export function unenforcedRules({
  supergraphSdl,
  allowUnenforcedAuthorization,
}: Artifact): readonly string[] {
  if (allowUnenforcedAuthorization === true || !ANY_RULE.test(supergraphSdl)) return []
  try {
    return describeSupergraph(supergraphSdl).accessRules
  } catch {
    return []
  }
}
