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
  return piece instanceof RecordedJson ? piece.text : JSON.stringify(piece ?? null)
}
