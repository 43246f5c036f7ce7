import { type ReactNode, useEffect } from 'react'
import { printable } from '@switchyard/values'

/** The head of a page, and the title of its window. */
export function PageHead({
  title,
  children,
  actions,
}: {
  readonly title: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
}) {
  useEffect(() => {
    document.title = `${printable(title)} · Switchyard Studio`
  }, [title])
  return (
    <div className="page-head">
      <div>
        <h1>
          <bdi>{printable(title)}</bdi>
        </h1>
        {children === undefined ? null : <p>{children}</p>}
      </div>
      {actions === undefined ? null : <div className="row">{actions}</div>}
    </div>
  )
}
