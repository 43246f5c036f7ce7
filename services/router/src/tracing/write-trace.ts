/** The JSON of a trace. Pieces that were kept as text are written as they are. */
import type {
  Trace,
  TraceFetch,
  TraceHeaders,
  TraceInput,
  TraceLoad,
  TraceNode,
  TraceOutput,
} from '@switchyard/request-trace'
import { RecordedJson } from './recorded-json.ts'
import type { RecordedTrace } from './recorded-trace.ts'

/** Writes headers; as they are, unless the caller wants something else. */
type HeaderWriter = (headers: TraceHeaders) => string

/** Writes a trace, all data of which must have been written. */
export function writeTrace(trace: RecordedTrace, writeHeaders: HeaderWriter = JSON.stringify): string {
  return new TraceWriter(writeHeaders).write(trace)
}

class TraceWriter {
  readonly #headers: HeaderWriter

  constructor(writeHeaders: HeaderWriter) {
    this.#headers = writeHeaders
  }

  write({ fetches, request, ...trace }: RecordedTrace): string {
    const written = JSON.stringify(trace)
    return `${written.slice(0, -1)},"fetches":${this.#node(fetches)},"request":${this.#request(request)}}`
  }

  #request({ method, url, headers, body }: RecordedTrace['request']): string {
    const { variables, ...texts } = body
    const writtenBody = `${JSON.stringify(texts).slice(0, -1)},"variables":${writePiece(variables)}}`
    return `${this.#sent(method, url, headers)},"body":${writtenBody}}`
  }

  #sent(method: string, url: string, headers: TraceHeaders): string {
    return `{"method":${JSON.stringify(method)},"url":${JSON.stringify(url)},"headers":${this.#headers(headers)}`
  }

  #node(node: TraceNode | Trace['fetches']): string {
    if (node.kind === 'Single') return `{"kind":"Single","fetch":${this.#fetch(node.fetch)}}`
    const children = node.children.map((child) => this.#node(child))
    return `{"kind":"${node.kind}","children":[${children.join(',')}]}`
  }

  #fetch({ trace, ...fetch }: TraceFetch): string {
    return `${JSON.stringify(fetch).slice(0, -1)},"trace":${this.#load(trace)}}`
  }

  #load({ raw_input_data, input, output, ...rest }: TraceLoad): string {
    let pieces = ''
    if (raw_input_data !== undefined) pieces += `"raw_input_data":${writePiece(raw_input_data)},`
    if (input !== undefined)
      pieces += `"input":${'body' in input ? this.#input(input) : JSON.stringify(input)},`
    if (output !== undefined)
      pieces += `"output":${'body' in output ? this.#output(output) : JSON.stringify(output)},`
    return `{${pieces}${JSON.stringify(rest).slice(1)}`
  }

  #input({ method, url, headers, body }: TraceInput): string {
    return `${this.#sent(method, url, headers)},"body":${writePiece(body)}}`
  }

  #output({ body, status_code, headers, body_size }: TraceOutput): string {
    const written = `"status_code":${status_code},"headers":${this.#headers(headers)},"body_size":${body_size}`
    return `{"body":${writePiece(body)},${written}}`
  }
}

function writePiece(piece: unknown): string {
  return piece instanceof RecordedJson ? (piece.text ?? 'null') : JSON.stringify(piece ?? null)
}
