/** The state that the panels of the page share. GraphiQL renders them without properties. */
import { createContext, useContext } from 'react'
import type { PlaygroundState } from '../state.ts'
import type { RouterWatch } from './router-watch.ts'
import type { Sending, SentOperation } from './send.ts'
import type { Store } from './store.ts'

export type Playground = Pick<Sending, 'answer' | 'choices'> & {
  readonly state: Store<PlaygroundState>
  /** The last operation that was sent. */
  readonly sent: Store<SentOperation | null>
  readonly watch: RouterWatch
}

export const PlaygroundContext = createContext<Playground | null>(null)

export function usePlayground(): Playground {
  const playground = useContext(PlaygroundContext)
  if (playground === null) throw new Error('This part of the page is rendered outside of the playground.')
  return playground
}
