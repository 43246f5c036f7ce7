/** The states of a page that is not there: being read, failed, or with nothing to show. */
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type ApiError, toApiError } from '../api/client.ts'
import { useSessionCommands } from '../api/session.ts'
import { Foreign } from './foreign.tsx'

/** Shows what was read, or why it is not there. What was read before stays while it is read again. */
export function Loaded<Value>({
  of,
  children,
}: {
  readonly of: UseQueryResult<Value>
  readonly children: (value: Value) => ReactNode
}) {
  if (of.data !== undefined) {
    return (
      <>
        {of.isError ? <Problem error={of.error} retry={() => void of.refetch()} isStale /> : null}
        {children(of.data)}
      </>
    )
  }
  if (of.isError) return <Problem error={of.error} retry={() => void of.refetch()} />
  return <p className="waiting">Reading …</p>
}

export function Problem({
  error,
  retry,
  isStale = false,
}: {
  readonly error: ApiError
  readonly retry?: () => void
  /** Whether what was read before is still shown. */
  readonly isStale?: boolean
}) {
  return (
    <div className="notice" data-tone="bad" role="alert">
      <p>
        <strong>{isStale ? 'What you see may be out of date. ' : ''}</strong>
        <Foreign text={error.message} />
      </p>
      {error.problems.length > 0 ? (
        <ul>
          {error.problems.slice(0, 20).map((problem) => (
            <li key={problem}>
              <Foreign text={problem} />
            </li>
          ))}
        </ul>
      ) : null}
      <p className="quiet small">
        <code>{error.code}</code> {adviceOn(error)}
      </p>
      {error.code === SIGN_IN_AGAIN ? <SignInAgain /> : null}
      {retry === undefined ? null : (
        <p>
          <button type="button" className="button" data-size="small" onClick={retry}>
            Try again
          </button>
        </p>
      )}
    </div>
  )
}

/** The code of a refusal since the sign-in is too old. */
const SIGN_IN_AGAIN = 'SIGN_IN_AGAIN'

/** Ends the session: whoever signs in is at the same address again. */
export function SignInAgain() {
  const { end } = useSessionCommands()
  const [error, setError] = useState<ApiError | null>(null)
  return (
    <p>
      <button
        type="button"
        className="button"
        data-size="small"
        onClick={() => void end().catch((thrown: unknown) => setError(toApiError(thrown)))}
      >
        Sign in again
      </button>
      {error === null ? null : <Foreign text={error.message} />}
    </p>
  )
}

function adviceOn({ status, code }: ApiError): string {
  if (code === SIGN_IN_AGAIN)
    return 'Keys need a sign-in of the last five minutes. You come back to this page.'
  if (status === 0) return 'This page tries again when you come back to it.'
  if (status === 403) return 'Sign in with a key that may do this, or ask somebody who has one.'
  if (status === 404) return 'It may have been deleted, or the address has another name in it.'
  return ''
}

/** A place with nothing to show, which says what would put something there. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <h3>{title}</h3>
      {children}
    </div>
  )
}
