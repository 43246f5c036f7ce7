import { type ReactNode, useEffect } from 'react'
import { Mark } from './mark.tsx'

/** A page without navigation: one card in the middle. */
export function Plain({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Switchyard`
  }, [title])
  return (
    <main className="plain">
      <div className="brand">
        <Mark />
        <span>
          Switchyard <b>Studio</b>
        </span>
      </div>
      <div className="card">
        <div className="inset stack">{children}</div>
      </div>
    </main>
  )
}
