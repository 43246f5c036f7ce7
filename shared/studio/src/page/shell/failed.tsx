import type { ErrorRouteComponent } from '@tanstack/react-router'
import { PageHead } from '../parts/page-head.tsx'
import { Foreign } from '../parts/foreign.tsx'

/** The place of a page that failed, such as one whose files a newer build has replaced. */
export const Failed: ErrorRouteComponent = ({ error }) => {
  return (
    <div className="stack">
      <PageHead title="This page failed">
        Nothing was changed. If the registry was upgraded a moment ago, load the page again to get the new
        one.
      </PageHead>
      <div className="notice" data-tone="bad" role="alert">
        <p>
          <Foreign text={error instanceof Error ? error.message : String(error)} />
        </p>
      </div>
      <p>
        <button type="button" className="button" onClick={() => location.reload()}>
          Load again
        </button>
      </p>
    </div>
  )
}
