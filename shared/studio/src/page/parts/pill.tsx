import type { ReactNode } from 'react'

/** Good, to be looked at, failed, or nothing to judge. */
export type Tone = 'good' | 'warn' | 'bad' | 'quiet'

/** A state in one or two words. Its tone is also told by its shape. */
export function Pill({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className="pill" data-tone={tone}>
      {children}
    </span>
  )
}
