/** Shows pages to whoever has a session, and the ways to sign in to everybody else. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type ApiError, toApiError } from '../api/client.ts'
import { useSession, useSessionCommands } from '../api/session.ts'
import { Problem } from '../parts/states.tsx'
import { Plain } from './plain.tsx'
import { SignIn } from './sign-in.tsx'

export function Session({
  link,
  children,
}: {
  /** The secret of a one-time link that the page was opened with. */
  readonly link: string | null
  readonly children: ReactNode
}) {
  const exchange = useLink(link)
  const session = useSession()
  if (exchange === 'waiting' || session.isPending) {
    return (
      <Plain title="Studio">
        <p className="quiet">Opening Studio …</p>
      </Plain>
    )
  }
  if (session.data === null) return <SignIn linkProblem={exchange === 'done' ? null : exchange} />
  if (session.data !== undefined) return children
  return (
    <Plain title="Studio">
      <Problem error={session.error} retry={() => void session.refetch()} />
    </Plain>
  )
}

/** Begins the session of a one-time link, once. */
function useLink(link: string | null): 'waiting' | 'done' | ApiError {
  const { begin } = useSessionCommands()
  const [state, setState] = useState<'waiting' | 'done' | ApiError>(link === null ? 'done' : 'waiting')
  const isUsed = useRef(false)
  useEffect(() => {
    if (link === null || isUsed.current) return
    isUsed.current = true
    begin({ link }).then(
      () => setState('done'),
      (error: unknown) => setState(toApiError(error)),
    )
  })
  return state
}
