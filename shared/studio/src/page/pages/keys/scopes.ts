/** The scopes that a key can have. */
export const SCOPES = [
  { kind: 'read', isOfNamespace: false, means: 'Reads everything but keys and answers of subgraphs.' },
  {
    kind: 'publish',
    isOfNamespace: true,
    means: 'Publishes schemas of subgraphs that exist, and manifests of documents.',
  },
  { kind: 'deploy', isOfNamespace: true, means: 'Makes every change in the namespace.' },
  { kind: 'rollout', isOfNamespace: true, means: 'Changes rollouts, and aborts them.' },
  { kind: 'abort', isOfNamespace: true, means: 'Aborts and pauses rollouts, and nothing else.' },
  { kind: 'preview', isOfNamespace: true, means: 'Makes, changes and ends previews.' },
  {
    kind: 'trace',
    isOfNamespace: true,
    means: 'Makes trace tokens and reads differences of rollouts, and nothing else.',
  },
  { kind: 'admin', isOfNamespace: false, means: 'Does everything, keys included.' },
] as const

/** Whether a scope is complete: one of a namespace names it. */
export function isScope(scope: string): boolean {
  return !scope.endsWith(':')
}

/** Returns the names to choose from, the chosen one among them. */
export function scopesOf(
  namespaces: readonly { readonly name: string }[] | undefined,
  chosen: string,
): readonly string[] {
  const names = (namespaces ?? []).map(({ name }) => name)
  return names.includes(chosen) ? names : [chosen, ...names]
}
