import type { ReactNode } from 'react'

/** A place for a table that may be wider than the page: the keyboard can scroll it. */
export function TableScroll({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- who has no mouse scrolls by it
    <div className="table-scroll" role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
