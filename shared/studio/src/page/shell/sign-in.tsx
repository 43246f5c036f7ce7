/** The ways to begin a session, as the registry offers them. */
import type { SignInWays } from '@switchyard/contracts'
import { type FormEvent, useState } from 'react'
import { type ApiError, toApiError } from '../api/client.ts'
import { useSessionCommands, useSignInWays } from '../api/session.ts'
import { Command } from '../parts/command.tsx'
import { Foreign } from '../parts/foreign.tsx'
import { Loaded, Problem } from '../parts/states.tsx'
import { Plain } from './plain.tsx'

export function SignIn({ linkProblem }: { readonly linkProblem: ApiError | null }) {
  const ways = useSignInWays()
  return (
    <Plain title="Sign in">
      <h1>Sign in</h1>
      {linkProblem === null ? null : (
        <div className="notice" data-tone="warn" role="alert">
          <p>
            The link did not sign you in: <Foreign text={linkProblem.message} />
          </p>
          <p className="quiet small">A link can be used once, and for five minutes.</p>
        </div>
      )}
      <Loaded of={ways}>{(offered) => <Ways ways={offered} />}</Loaded>
    </Plain>
  )
}

function Ways({ ways: { link, apiKey, openIdConnect } }: { readonly ways: SignInWays }) {
  if (!link && !apiKey && openIdConnect === null) {
    return (
      <div className="notice" data-tone="warn">
        <p>
          <strong>Nobody can sign in to this registry.</strong> It has no key for sessions: set{' '}
          <code>SWITCHYARD_SESSION_KEY</code>, the same for all registries, and start it again.
        </p>
      </div>
    )
  }
  return (
    <>
      {openIdConnect === null ? null : (
        <a className="button wide" data-kind="main" href={startOf(openIdConnect.start)}>
          Continue with <Foreign text={openIdConnect.name} />
        </a>
      )}
      {apiKey ? <KeyForm isMain={openIdConnect === null} /> : null}
      {link ? (
        <div className="stack-close">
          <p className="quiet small">
            On the machine where <code>switchyard up</code> runs, its output has a link that signs you in.
            Start it again for a new one.
          </p>
          <Command words={['switchyard', 'studio']} />
        </div>
      ) : null}
    </>
  )
}

/** The longest address that the registry comes back to. */
const LONGEST_RETURN = 2000

/** Returns the address at which a sign-in begins that ends on the page that was opened. */
function startOf(start: string): string {
  const here = `${location.pathname}${location.search}${location.hash}`
  return here.length > LONGEST_RETURN ? start : `${start}?return=${encodeURIComponent(here)}`
}

function KeyForm({ isMain }: { readonly isMain: boolean }) {
  const { begin } = useSessionCommands()
  const [key, setKey] = useState('')
  const [state, setState] = useState<'ready' | 'asking' | ApiError>('ready')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setState('asking')
    try {
      await begin({ apiKey: key.trim() })
    } catch (error) {
      setState(toApiError(error))
    }
  }
  return (
    <form className="stack-close" onSubmit={(event) => void submit(event)}>
      <label className="labelled">
        <span>API key</span>
        <input
          className="field mono"
          type="password"
          autoComplete="off"
          spellCheck={false}
          required
          maxLength={1000}
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
      </label>
      {typeof state === 'object' ? <Problem error={state} /> : null}
      <button
        type="submit"
        className="button wide"
        data-kind={isMain ? 'main' : undefined}
        disabled={state === 'asking' || key.trim() === ''}
      >
        {state === 'asking' ? 'Signing in …' : 'Sign in with the key'}
      </button>
      <p className="quiet small">
        The key is sent once. Your browser keeps a session of eight hours, and not the key.
      </p>
    </form>
  )
}
