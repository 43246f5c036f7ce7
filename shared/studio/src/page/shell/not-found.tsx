import { Link } from '@tanstack/react-router'
import { PageHead } from '../parts/page-head.tsx'

/** The page at an address that has none. */
export function NotFound() {
  return (
    <div className="stack">
      <PageHead title="There is no such page">
        The address may have been copied in part, or be of another version of Studio.
      </PageHead>
      <p>
        <Link to="/" className="button">
          Go to all graphs
        </Link>
      </p>
    </div>
  )
}
