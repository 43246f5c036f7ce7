/** SDL and plans as editors show them. The editor is loaded when the first one is shown. */
import { useEffect, useRef, useState } from 'react'
import { type ApiError, toApiError } from '../../api/client.ts'
import { Copy } from '../command.tsx'
import { Foreign } from '../foreign.tsx'
import { Problem } from '../states.tsx'
import './code.css'
import type { LitPlace } from './editors.ts'

type Editors = typeof import('./editors.ts')

const NOTHING_LIT: readonly LitPlace[] = []

export function Code({
  title,
  text,
  isGraphQL = true,
  lit = NOTHING_LIT,
}: {
  readonly title: string
  readonly text: string
  readonly isGraphQL?: boolean
  readonly lit?: readonly LitPlace[]
}) {
  const key = JSON.stringify(lit)
  return (
    <figure className="code">
      <figcaption>
        <Foreign text={title} mono />
        <Copy text={text} />
      </figcaption>
      <Mounted
        // What is lit has no identity of its own: equal places are the same ones.
        changesWith={[title, text, isGraphQL, key].join('\n')}
        show={({ showText }, host) => showText(host, { label: title, text, isGraphQL, lit })}
      />
    </figure>
  )
}

export function Difference({
  title,
  before,
  after,
  isGraphQL = true,
}: {
  readonly title: string
  readonly before: string
  readonly after: string
  readonly isGraphQL?: boolean
}) {
  const [isCollapsed, setCollapsed] = useState(true)
  return (
    <figure className="code">
      <figcaption>
        <Foreign text={title} />
        <button
          type="button"
          className="button"
          data-kind="quiet"
          data-size="small"
          onClick={() => setCollapsed(!isCollapsed)}
        >
          {isCollapsed ? 'Show all lines' : 'Show only changes'}
        </button>
      </figcaption>
      <Mounted
        changesWith={[title, before, after, isGraphQL, isCollapsed].join('\n')}
        show={({ showDifference }, host) =>
          showDifference(host, { label: title, before, after, isGraphQL, isCollapsed })
        }
      />
    </figure>
  )
}

/** The place of an editor. The editor is made anew when `changesWith` changes. */
function Mounted({
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
    import('./editors.ts').then(
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
