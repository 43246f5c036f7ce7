import { missingScheme } from '@switchyard/contracts'

/** The message about a setting that is no URL: that its scheme is missing, where it is, and else the rule. */
export function urlError(rule: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) =>
      (typeof input === 'string' ? missingScheme(input) : null) ?? rule,
  }
}
