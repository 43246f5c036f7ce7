/** The JSON of a trace. Pieces that were kept as text are written as they are. */
import type {
  Trace,
  TraceFetch,
  TraceInput,
  TraceLoad,
  TraceNode,
  TraceOutput,
} from '@switchyard/request-trace'
import { RecordedJson } from './recorded-json.ts'
import type { RecordedTrace } from './recorded-trace.ts'

/** All data of the trace was written. */
export function writeTrace({ fetches, request, ...trace }: RecordedTrace): string {
  const written = JSON.stringify(trace)
  return `${written.slice(0, -1)},"fetches":${writeNode(fetches)},"request":${writeRequest(request)}}`
}

function writeRequest({ body, ...rest }: RecordedTrace['request']): string {
  const { variables, ...texts } = body
  const writtenBody = `${JSON.stringify(texts).slice(0, -1)},"variables":${writePiece(variables)}}`
  return `${JSON.stringify(rest).slice(0, -1)},"body":${writtenBody}}`
}

function writeNode(node: TraceNode | Trace['fetches']): string {
  if (node.kind === 'Single') return `{"kind":"Single","fetch":${writeFetch(node.fetch)}}`
  return `{"kind":"${node.kind}","children":[${node.children.map(writeNode).join(',')}]}`
}

function writeFetch({ trace, ...fetch }: TraceFetch): string {
  return `${JSON.stringify(fetch).slice(0, -1)},"trace":${writeLoad(trace)}}`
}

function writeLoad({ raw_input_data, input, output, ...rest }: TraceLoad): string {
  let pieces = ''
  if (raw_input_data !== undefined) pieces += `"raw_input_data":${writePiece(raw_input_data)},`
  if (input !== undefined) pieces += `"input":${'body' in input ? writeInput(input) : JSON.stringify(input)},`
  if (output !== undefined)
    pieces += `"output":${'body' in output ? writeOutput(output) : JSON.stringify(output)},`
  return `{${pieces}${JSON.stringify(rest).slice(1)}`
}

function writeInput({ body, ...rest }: TraceInput): string {
  return `${JSON.stringify(rest).slice(0, -1)},"body":${writePiece(body)}}`
}

function writeOutput({ body, ...rest }: TraceOutput): string {
  return `{"body":${writePiece(body)},${JSON.stringify(rest).slice(1)}`
}

function writePiece(piece: unknown): string {
  return piece instanceof RecordedJson ? (piece.text ?? 'null') : JSON.stringify(piece ?? null)
}
