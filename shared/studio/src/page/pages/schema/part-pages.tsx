/** The way through the fields, values or members of a type that has more than one page of them. */

/** Parts of a page: more of them keep a slow computer busy for long. */
export const PARTS = 100

export function PartPages({
  from,
  told,
  total,
  go,
}: {
  /** The place of the first part that is shown. */
  readonly from: number
  readonly told: number
  readonly total: number
  readonly go: (from: number) => void
}) {
  if (told >= total) return null
  const numbers = new Intl.NumberFormat('en')
  return (
    <div className="inset row" role="group" aria-label="Pages of this type">
      <button
        type="button"
        className="button"
        aria-disabled={from === 0}
        onClick={() => (from === 0 ? undefined : go(Math.max(0, from - PARTS)))}
      >
        Before
      </button>
      <span className="quiet small" role="status">
        {numbers.format(from + 1)} to {numbers.format(from + told)} of {numbers.format(total)}
      </span>
      <button
        type="button"
        className="button"
        aria-disabled={from + told >= total}
        onClick={() => (from + told >= total ? undefined : go(from + told))}
      >
        After
      </button>
    </div>
  )
}
