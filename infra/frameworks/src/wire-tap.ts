/**
 * Stands between the router and one subgraph at the level of TCP: bytes pass as they are, so that what HTTP
 * makes of them, such as connections kept alive, stays between the two. Remembers what was asked, and can
 * hold answers back or drop connections.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export type TappedRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly query: string; readonly variables?: Readonly<Record<string, unknown>> }
}

export class WireTap implements AsyncDisposable {
  readonly #server: Server
  readonly #target: number
  readonly #path: string
  readonly #pairs = new Map<Socket, Socket>()
  #requests: TappedRequest[] = []
  #connections = 0
  #mode: 'pass' | 'hold' | 'drop' = 'pass'

  private constructor(target: number, path: string) {
    this.#target = target
    this.#path = path
    this.#server = createServer((client) => this.#connected(client))
  }

  static async open(target: number, path: string): Promise<WireTap> {
    const tap = new WireTap(target, path)
    tap.#server.listen(0, '127.0.0.1')
    await once(tap.#server, 'listening')
    return tap
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#path}`
  }

  get requests(): readonly TappedRequest[] {
    return this.#requests
  }

  /** Connections that the router has opened so far. */
  get connections(): number {
    return this.#connections
  }

  forget(): void {
    this.#requests = []
  }

  /** Requests arrive, answers do not, until the hold is released. */
  hold(): Disposable {
    this.#mode = 'hold'
    for (const subgraph of this.#pairs.values()) subgraph.pause()
    return {
      [Symbol.dispose]: () => {
        this.#mode = 'pass'
        for (const subgraph of this.#pairs.values()) subgraph.resume()
      },
    }
  }

  /** Connections end as they do when a subgraph is down. */
  drop(): Disposable {
    this.#mode = 'drop'
    for (const client of this.#pairs.keys()) client.destroy()
    return {
      [Symbol.dispose]: () => {
        this.#mode = 'pass'
      },
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#pairs.keys()) client.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #connected(client: Socket): void {
    this.#connections += 1
    if (this.#mode === 'drop') {
      client.destroy()
      return
    }
    const subgraph = connect(this.#target, '127.0.0.1')
    this.#pairs.set(client, subgraph)
    const end = () => {
      this.#pairs.delete(client)
      client.destroy()
      subgraph.destroy()
    }
    client.on('close', end).on('error', end)
    subgraph.on('close', end).on('error', end)
    let unread: Buffer = Buffer.alloc(0)
    client.on('data', (chunk: Buffer) => {
      unread = this.#read(Buffer.concat([unread, chunk]))
      subgraph.write(chunk)
    })
    subgraph.on('data', (chunk: Buffer) => client.write(chunk))
    if (this.#mode === 'hold') subgraph.pause()
  }

  /** Takes whole requests off the bytes; returns the rest. The router sends every body with its length. */
  #read(bytes: Buffer): Buffer {
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0) return bytes
    const [start = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    const bodyEnd = end + 4 + Number(headers['content-length'])
    if (bytes.length < bodyEnd) return bytes
    const [method = '', path = ''] = start.split(' ')
    const body = JSON.parse(bytes.subarray(end + 4, bodyEnd).toString('utf8')) as TappedRequest['body']
    this.#requests.push({ method, path, headers, body })
    return this.#read(bytes.subarray(bodyEnd))
  }
}
