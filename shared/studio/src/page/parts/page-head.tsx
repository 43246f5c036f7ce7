import { type ReactNode, useEffect } from 'react'

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
    document.title = `${title} · Switchyard Studio`
  }, [title])
  return (
    <div className="page-head">
      <div>
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {children === undefined ? null : <p>{children}</p>}
      </div>
      {actions === undefined ? null : <div className="row">{actions}</div>}
    </div>
  )
}
