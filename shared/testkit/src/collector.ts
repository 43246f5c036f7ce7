/**
 * An OpenTelemetry collector for tests: takes spans and metrics by OTLP over HTTP, as JSON or protobuf, and
 * keeps them.
 */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { type CollectedMetric, metricsOfJson, metricsOfProtobuf } from './collected-metrics.ts'
import { fieldsOf, type JsonAttributes, recordOf, textOf } from './otlp-messages.ts'

export type CollectedSpan = {
  /** `service.name` of its resource. */
  readonly service: string
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string
  /** The kind of the span as OTLP numbers it: 1 internal, 2 server, 3 client. */
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly events: readonly {
    readonly name: string
    readonly attributes: Readonly<Record<string, unknown>>
  }[]
  /** The spans of other traces that it is linked to. */
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  /** The status code of the span. 2 means an error. */
  readonly status: number
}

export type Collector = AsyncDisposable & {
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  /** The metrics of each export, the newest last. */
  readonly metrics: readonly (readonly CollectedMetric[])[]
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  /** Sets the status of answers from now on. */
  answer(status: number): void
}

export async function startCollector(port = 0): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const metrics: (readonly CollectedMetric[])[] = []
  const requests: { path: string; headers: IncomingHttpHeaders }[] = []
  let status = 200
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { headers, url = '' } = request
      requests.push({ path: url, headers })
      const whole = Buffer.concat(chunks)
      const body = headers['content-encoding'] === 'gzip' ? gunzipSync(whole) : whole
      const isJson = headers['content-type'] === 'application/json'
      if (status === 200 && url.endsWith('/metrics'))
        metrics.push(isJson ? metricsOfJson(body.toString()) : metricsOfProtobuf(body))
      else if (status === 200) spans.push(...(isJson ? spansOfJson(body.toString()) : spansOfProtobuf(body)))
      response.writeHead(status, { 'Content-Type': headers['content-type'] ?? '' }).end(isJson ? '{}' : '')
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The collector has no address.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    metrics,
    requests,
    answer: (next) => {
      status = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type JsonSpan = Omit<CollectedSpan, 'attributes' | 'events' | 'links' | 'service' | 'status'> & {
  readonly links?: CollectedSpan['links']
  readonly attributes?: JsonAttributes
  readonly events?: readonly { readonly name: string; readonly attributes?: JsonAttributes }[]
  readonly status?: { readonly code?: number }
}
type JsonExport = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: JsonAttributes }
    readonly scopeSpans: readonly { readonly spans: readonly JsonSpan[] }[]
  }[]
}

function spansOfJson(text: string): readonly CollectedSpan[] {
  const exported: JsonExport = JSON.parse(text)
  return exported.resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(recordOf(resource.attributes)['service.name'])
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service,
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        kind: span.kind,
        attributes: recordOf(span.attributes ?? []),
        events: (span.events ?? []).map(({ name, attributes = [] }) => ({
          name,
          attributes: recordOf(attributes),
        })),
        links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId, spanId })),
        status: span.status?.code ?? 0,
      })),
    )
  })
}

/** Names, ids and kinds alone, by the field numbers of `opentelemetry/proto/trace/v1/trace.proto`. */
function spansOfProtobuf(body: Buffer): readonly CollectedSpan[] {
  return fieldsOf(body, 1).flatMap((resourceSpans) => {
    const attributes = fieldsOf(resourceSpans, 1).flatMap((resource) => fieldsOf(resource, 1))
    const named = attributes.find((pair) => fieldsOf(pair, 1)[0]?.toString() === 'service.name')
    const service = named === undefined ? '' : (textOf(fieldsOf(named, 2)[0], 1) ?? '')
    return fieldsOf(resourceSpans, 2)
      .flatMap((scopeSpans) => fieldsOf(scopeSpans, 2))
      .map((span) => ({
        service,
        name: textOf(span, 5) ?? '',
        traceId: fieldsOf(span, 1)[0]?.toString('hex') ?? '',
        spanId: fieldsOf(span, 2)[0]?.toString('hex') ?? '',
        parentSpanId: fieldsOf(span, 4)[0]?.toString('hex') ?? '',
        kind: fieldsOf(span, 6)[0]?.[0] ?? 0,
        attributes: {},
        events: [],
        links: [],
        status: 0,
      }))
  })
}
