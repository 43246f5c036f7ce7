/** Why there is no answer, and what to do about it. */
import { Copied } from '../../parts/command.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import type { Unreached } from './ask-router.ts'

export function NoAnswer({ reason, url }: { readonly reason: Unreached | 'stopped'; readonly url: string }) {
  if (reason === 'stopped') return <p className="inset quiet">You stopped it before there was an answer.</p>
  return (
    <div className="notice" data-tone="bad" role="alert">
      <Said reason={reason} url={url} />
    </div>
  )
}

function Said({ reason, url }: { readonly reason: Unreached; readonly url: string }) {
  const address = <Foreign text={url} mono />
  switch (reason) {
    case 'insecure':
      return (
        <p>
          This page came by HTTPS, and browsers let it ask nobody without: {address} begins with http. Give
          the routers a certificate, and the graph a public URL with https.
        </p>
      )
    case 'old-page':
      return (
        <>
          <p>
            This page may not ask {address}: the URL is newer than the page, or the registry knows too many
            others. Load the page again.
          </p>
          <p>
            <button type="button" className="button" data-size="small" onClick={() => location.reload()}>
              Load the page again
            </button>
          </p>
        </>
      )
    case 'not-allowed':
      return (
        <>
          <p>
            Something answers at {address}, but it does not let this page read the answer (CORS). If it is the
            router, its settings have to allow this origin, and the headers that you send:
          </p>
          <Copied label="Settings of the router" text={`cors: { origins: ["${location.origin}"] }`} />
        </>
      )
    case 'no-answer':
      return (
        <p>
          Nobody answers at {address}. The router may be down, or this browser does not reach it: another
          network, a wrong certificate, or a public URL that is not the right one.
        </p>
      )
    default:
      return reason satisfies never
  }
}
