/** API keys and trace keys: which there are, new ones, and the end of old ones. */
import { useSession } from '../../api/session.ts'
import { Command } from '../../parts/command.tsx'
import { Refusal } from '../../parts/refusal.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { SignInAgain } from '../../parts/states.tsx'
import { ApiKeys } from './api-keys.tsx'
import { TraceKeys } from './trace-keys.tsx'

/** The age of a sign-in after which the registry refuses to change keys. */
const FRESH_MS = 5 * 60_000

export function Keys() {
  const { data: session } = useSession()
  const mayNot =
    session?.scopes.includes('admin') === true
      ? null
      : 'This session may not see or change keys: it has no scope admin.'
  return (
    <div className="stack">
      <PageHead title="Keys">
        API keys are for programs and people who use this registry. Trace keys sign the tokens by which
        routers trace requests.
      </PageHead>
      {mayNot === null ? (
        <>
          <SignInAge />
          <ApiKeys />
          <TraceKeys />
        </>
      ) : (
        <Refusal reason={mayNot} />
      )}
      <div className="labelled">
        <span>The same on the command line</span>
        <Command words={['switchyard', 'api-key', 'list']} />
        <Command words={['switchyard', 'registry', 'trace-key', 'list']} />
      </div>
    </div>
  )
}

/** Says beforehand that the sign-in is too old, so that nobody fills in a form for nothing. */
function SignInAge() {
  const { data: session, dataUpdatedAt } = useSession()
  if (session === null || session === undefined) return null
  if (dataUpdatedAt - session.signedInAt < FRESH_MS) return null
  return (
    <div className="notice" data-tone="warn">
      <p>
        You signed in more than five minutes ago. Keys are made and deleted only after a sign-in of the last
        five minutes.
      </p>
      <SignInAgain />
    </div>
  )
}
