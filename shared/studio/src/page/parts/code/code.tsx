/** SDL and plans as editors show them. The editor is loaded when the first one is shown. */
import { useState } from 'react'
import { Copy } from '../command.tsx'
import { Foreign } from '../foreign.tsx'
import type { LitPlace } from '@switchyard/operation-views/editors'
import { Mounted } from './mounted.tsx'

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
