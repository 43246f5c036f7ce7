/**
 * The viewer of traces in a tree of its own, so that neither its styles nor those of the page reach into the
 * other. Its sheet is constructed: a policy without inline styles permits that.
 */
import { mountTrace } from '@switchyard/trace-viewer/mount'
import viewerStyle from '@switchyard/trace-viewer/style.css?inline'
import { useEffect, useRef } from 'react'
import { printable } from '@switchyard/values'
import type { SlotState } from './use-slot.ts'
import themeStyle from './viewer-theme.css?inline'

type Read = Extract<SlotState, { kind: 'read' }>

export function TraceView({ a, b }: { readonly a: Read; readonly b: Read | null }) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (host.current === null) return undefined
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [viewerStyle, themeStyle].map(sheetOf)
    const inner = root.appendChild(document.createElement('div'))
    const { trace, errors, answer } = a.response
    const second =
      b === null
        ? {}
        : {
            title: printable(a.name),
            compareTitle: printable(b.name),
            compare: b.response.trace,
            compareAnswer: b.response.answer,
          }
    mountTrace(inner, { trace, errors, answer, ...second })
    return () => inner.remove()
  }, [a, b])
  return <div className="trace-host" ref={host} />
}

function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  return sheet
}
