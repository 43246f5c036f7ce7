/** The JSON of a trace. Pieces that were kept as text are written as they are. */
import type { Trace, TraceFetch, TraceLoad, TraceNode } from '@switchyard/request-trace'
import { RecordedJson } from './recorded-json.ts'

/** Members that may be, or have in them, a piece that was kept as text. */
const OWN_WAY: Readonly<Record<string, (value: unknown) => string>> = {
  raw_input_data: writePiece,
  input: writeMessage,
  output: writeMessage,
}
const BODY = { body: writePiece }

export function writeTrace({ fetches, ...trace }: Trace): string {
  const written = JSON.stringify(trace)
  return `${written.slice(0, -1)},"fetches":${writeNode(fetches)}}`
}

function writeNode(node: TraceNode | Trace['fetches']): string {
  if (node.kind === 'Single') return `{"kind":"Single","fetch":${writeFetch(node.fetch)}}`
  return `{"kind":"${node.kind}","children":[${node.children.map(writeNode).join(',')}]}`
}

function writeFetch({ trace, ...fetch }: TraceFetch): string {
  return `${JSON.stringify(fetch).slice(0, -1)},"trace":${writeLoad(trace)}}`
}

function writeLoad(load: TraceLoad): string {
  return writeMembers(load, OWN_WAY)
}

function writeMessage(message: unknown): string {
  return typeof message === 'object' && message !== null
    ? writeMembers(message, BODY)
    : JSON.stringify(message)
}

function writeMembers(object: object, ownWay: typeof OWN_WAY): string {
  let members = ''
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue
    const written = (ownWay[name] ?? JSON.stringify)(value)
    members += `${members === '' ? '' : ','}"${name}":${written}`
  }
  return `{${members}}`
}

function writePiece(piece: unknown): string {
  return piece instanceof RecordedJson ? piece.text : JSON.stringify(piece)
}
