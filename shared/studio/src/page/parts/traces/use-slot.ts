/** One of the traces of the page: what was given, and what became of it. */
import type { TracedResponse } from '@switchyard/request-trace'
import { useCallback, useEffect, useRef, useState } from 'react'
import { readTrace } from './read-trace.ts'

export type SlotState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'reading'; readonly name: string }
  | {
      readonly kind: 'refused'
      readonly name: string
      readonly message: string
      readonly problems: readonly string[]
    }
  | { readonly kind: 'read'; readonly name: string; readonly response: TracedResponse }

export type Slot = {
  readonly state: SlotState
  readonly take: (source: Blob, name: string) => void
  readonly clear: () => void
}

export function useSlot(): Slot {
  const [state, setState] = useState<SlotState>({ kind: 'empty' })
  const reading = useRef<AbortController | null>(null)
  const stop = useCallback(() => reading.current?.abort(), [])
  useEffect(() => stop, [stop])
  const take = useCallback(
    (source: Blob, name: string) => {
      stop()
      const controller = new AbortController()
      reading.current = controller
      setState({ kind: 'reading', name })
      void readTrace(source, controller.signal).then((answer) => {
        if (!controller.signal.aborted) setState({ ...answer, name })
      })
    },
    [stop],
  )
  const clear = useCallback(() => {
    stop()
    setState({ kind: 'empty' })
  }, [stop])
  return { state, take, clear }
}
