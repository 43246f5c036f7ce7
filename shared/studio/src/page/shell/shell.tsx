/** The frame of all pages: navigation, the choice of a graph, and who is signed in. */
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useSession, useSessionCommands } from '../api/session.ts'
import { useGraphs } from '../api/use-graphs.ts'
import { Foreign } from '../parts/foreign.tsx'
import { GraphChoice } from './graph-choice.tsx'
import { Liveness } from './liveness.tsx'
import { Mark } from './mark.tsx'
import { Navigation } from './navigation.tsx'
import { useNamespace, usePlace } from './use-place.ts'

export function Shell() {
  const { graphs, namespaces } = useGraphs()
  const place = usePlace(graphs)
  const namespace = useNamespace(place, namespaces)
  const [isOpen, setOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    // Readers of the screen begin at the new page.
    main.current?.focus({ preventScroll: true })
  }, [path])
  return (
    <div className="shell">
      <a className="skip" href="#main" onClick={() => main.current?.focus()}>
        Skip to the page
      </a>
      <header className="side" data-open={isOpen}>
        <div className="side-head">
          <Link to="/" className="brand" aria-label="Switchyard Studio: all graphs">
            <Mark />
            <span>
              Switchyard <b>Studio</b>
            </span>
          </Link>
          <button
            type="button"
            className="button menu"
            data-size="small"
            aria-expanded={isOpen}
            aria-controls="side-body"
            onClick={() => setOpen(!isOpen)}
          >
            Menu
          </button>
        </div>
        <div className="side-body" id="side-body">
          {graphs === undefined ? null : <GraphChoice graphs={graphs} place={place} />}
          <Navigation place={place} namespace={namespace} onGo={() => setOpen(false)} />
          <Liveness />
          <Who />
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}

/** Who is signed in, and the way out. */
function Who() {
  const { data: session } = useSession()
  const { end } = useSessionCommands()
  if (session === null || session === undefined) return null
  return (
    <div className="who">
      <div className="small">
        <span className="quiet">Signed in as</span>
        <br />
        <Foreign text={session.name} />
        <br />
        <span className="quiet">which may:</span> <Scopes scopes={session.scopes} />
      </div>
      <button type="button" className="button" data-kind="quiet" data-size="small" onClick={() => void end()}>
        Sign out
      </button>
    </div>
  )
}

const MOST_SCOPES = 4

/** The reason why buttons are off: a session may do what its API key or its roles may do. */
function Scopes({ scopes }: { readonly scopes: readonly string[] }) {
  const more = scopes.length - MOST_SCOPES
  return (
    <>
      <Foreign text={scopes.slice(0, MOST_SCOPES).join(' ')} mono />
      {more > 0 ? ` and ${more} more` : ''}
    </>
  )
}
