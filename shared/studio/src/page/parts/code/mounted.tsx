/** The place of an editor in a page. The editors are loaded when the first one is shown. */
import { useEffect, useRef, useState } from 'react'
import { type ApiError, toApiError } from '../../api/client.ts'
import { Problem } from '../states.tsx'
import './code.css'

type Editors = typeof import('@switchyard/operation-views/editors')

/** Shows an editor, which is made anew when `changesWith` changes. */
export function Mounted({
  changesWith,
  show,
}: {
  readonly changesWith: string
  readonly show: (editors: Editors, host: HTMLElement) => () => void
}) {
  const host = useRef<HTMLDivElement>(null)
  const [editors, setEditors] = useState<Editors | null>(null)
  const [problem, setProblem] = useState<ApiError | null>(null)
  const newest = useRef(show)
  useEffect(() => {
    newest.current = show
  })
  useEffect(() => {
    let isGone = false
    import('@switchyard/operation-views/editors').then(
      (loaded) => isGone || setEditors(loaded),
      (error: unknown) => isGone || setProblem(toApiError(error)),
    )
    return () => {
      isGone = true
    }
  }, [])
  useEffect(() => {
    if (editors === null || host.current === null) return undefined
    return newest.current(editors, host.current)
  }, [editors, changesWith])
  if (problem !== null) return <Problem error={problem} />
  return (
    <>
      {editors === null ? <p className="waiting">Reading …</p> : null}
      <div ref={host} className="code-text" />
    </>
  )
}
