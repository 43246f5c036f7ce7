/**
 * Events of `GET /v1/live` as text:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
import type { LiveEvent } from '@switchyard/contracts'

/** An event that waits to be sent. Of those with the same key only the newest is sent. */
export type LiveFrame = { readonly key: string; readonly text: string }

export const COMMENT: LiveFrame = { key: 'comment', text: ':\n\n' }

/** `sequence` is that of the registry's log up to which everything was told before this event, or by it. */
export function liveFrame(event: LiveEvent, sequence: number): LiveFrame {
  const { kind, ...data } = event
  // JSON has no line feeds.
  const text = `event: ${kind}\nid: ${sequence}\ndata: ${JSON.stringify(data)}\n\n`
  return { key: keyOf(event), text }
}

/** Tells a client how long to wait before it connects again. */
export function retryAfter(milliseconds: number): string {
  return `retry: ${Math.round(milliseconds)}\n\n`
}

function keyOf(event: LiveEvent): string {
  switch (event.kind) {
    case 'changed':
      return `${event.kind} ${event.sequence}`
    case 'composed':
    case 'published':
      return `${event.kind} ${event.namespace} ${event.graph}`
    case 'hello':
    case 'fleet':
    case 'figures':
      return event.kind
    default:
      return event satisfies never
  }
}
