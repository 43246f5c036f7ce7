/** Loads modules apart from the page, when they are shown first. */
import { useEffect, useState } from 'react'

export type Loading<Module> = { readonly module: Module | null; readonly problem: string | null }

/** Loads a module. `load` is a function that stays the same. */
export function useLoaded<Module>(load: () => Promise<Module>): Loading<Module> {
  const [loading, setLoading] = useState<Loading<Module>>({ module: null, problem: null })
  useEffect(() => {
    let isGone = false
    load().then(
      (module) => isGone || setLoading({ module, problem: null }),
      () => isGone || setLoading({ module: null, problem: NOT_LOADED }),
    )
    return () => {
      isGone = true
    }
  }, [load])
  return loading
}

const NOT_LOADED = 'A part of this page could not be loaded. Load the page again.'

/** Says what is being loaded, or why it is not there. Renders nothing once it is there. */
export function stateOf({ module, problem }: Loading<unknown>): string | null {
  return problem ?? (module === null ? 'Loading …' : null)
}
