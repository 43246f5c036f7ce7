/** A server of event streams whose bytes a test writes itself. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { waitFor } from '@switchyard/testkit'
import { serve } from './support.ts'

/** One stream that the server has been asked for. */
export class AskedStream {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: string
  isGone = false

  constructor(request: IncomingMessage, response: ServerResponse, body: string) {
    this.request = request
    this.response = response
    this.body = body
    response.on('close', () => (this.isGone = true))
  }

  begin(status = 200, headers: Readonly<Record<string, string>> = {}): this {
    this.response.writeHead(status, { 'content-type': 'text/event-stream', ...headers })
    this.response.flushHeaders()
    return this
  }

  write(bytes: string | Buffer): this {
    this.response.write(bytes)
    return this
  }

  next(data: unknown): this {
    return this.write(`event: next\ndata: ${JSON.stringify({ data })}\n\n`)
  }

  /**
   * Resolves when the system has taken what was written: `node:http` hands it over after the current task.
   */
  handedOver(): Promise<void> {
    return new Promise((resolve) => process.nextTick(resolve))
  }

  /** Breaks the connection. */
  cut(): void {
    this.response.destroy()
  }
}

/** A server that answers nothing by itself. */
export class StreamServer {
  readonly asked: AskedStream[] = []
  readonly url: string
  readonly port: number
  readonly #http: Server
  onAsked: (stream: AskedStream) => void = () => {}

  static async start(stack: AsyncDisposableStack): Promise<StreamServer> {
    const {
      at,
      port,
      server: http,
    } = await serve(stack, (request, response) => {
      void text(request).then((body) => {
        const stream = new AskedStream(request, response, body)
        server.asked.push(stream)
        server.onAsked(stream)
      })
    })
    const server = new StreamServer(`http${at}`, port, http)
    return server
  }

  private constructor(url: string, port: number, http: Server) {
    this.#http = http
    this.url = url
    this.port = port
  }

  /** Breaks all connections, and accepts no more. */
  close(): void {
    this.#http.close()
    this.#http.closeAllConnections()
  }

  async stream(index = 0): Promise<AskedStream> {
    return await waitFor(`stream ${index}`, () => this.asked[index])
  }
}
