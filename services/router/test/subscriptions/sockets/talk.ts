/** A client that says over a WebSocket what a test wants to be said, and hears everything. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { WebSocket } from 'ws'

export type Message = Readonly<Record<string, unknown>> & { readonly type: string }
export type Closed = { readonly code: number; readonly reason: string }

export class Talk implements AsyncDisposable {
  readonly ws: WebSocket
  readonly heard: Message[] = []
  readonly closed: Promise<Closed>

  static async open(
    url: string,
    {
      headers = {},
      protocol = 'graphql-transport-ws',
    }: { headers?: Record<string, string>; protocol?: string } = {},
  ): Promise<Talk> {
    const talk = new Talk(new WebSocket(url.replace('http', 'ws'), protocol, { headers }))
    await once(talk.ws, 'open')
    return talk
  }

  /** Opens one, and says `connection_init`. */
  static async ready(url: string, init?: unknown, headers: Record<string, string> = {}) {
    const talk = await Talk.open(url, { headers })
    talk.say({ type: 'connection_init', ...(init === undefined ? {} : { payload: init }) })
    await talk.hear('connection_ack')
    return talk
  }

  private constructor(ws: WebSocket) {
    this.ws = ws
    ws.on('error', () => {})
    ws.on('message', (data: Buffer) => this.heard.push(JSON.parse(data.toString())))
    this.closed = new Promise((resolve) => {
      ws.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
    })
  }

  say(message: unknown): void {
    this.ws.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message))
  }

  subscribe(id: string, query: string): void {
    this.say({ id, type: 'subscribe', payload: { query } })
  }

  /** Waits for the first message of this type that was not waited for yet, and takes it out of `heard`. */
  async hear(type: string, id?: string): Promise<Message> {
    for (;;) {
      const index = this.heard.findIndex(
        (message) => message.type === type && (id ?? message['id']) === message['id'],
      )
      const [found] = index < 0 ? [] : this.heard.splice(index, 1)
      if (found !== undefined) return found
      if (this.ws.readyState === WebSocket.CLOSED) throw new Error(`closed, and no ${type} was heard`)
      await Promise.race([once(this.ws, 'message'), this.closed])
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.ws.terminate()
    await this.closed
  }
}

const HANDSHAKE: Readonly<Record<string, string>> = {
  Host: 'router.example',
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Protocol': 'graphql-transport-ws',
}

/** The text of a handshake, with other headers; those that are null are left out, and lists are repeated. */
export function handshake(
  headers: Readonly<Record<string, string | readonly string[] | null>> = {},
  line = 'GET /graphql HTTP/1.1',
): string {
  const lines = Object.entries({ ...HANDSHAKE, ...headers }).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((one) => `${name}: ${one}`),
  )
  return `${[line, ...lines].join('\r\n')}\r\n\r\n`
}

/** A connection that gets whatever bytes a test sends. */
export class RawTalk implements Disposable {
  readonly socket: Socket
  #bytes = Buffer.alloc(0)

  static async open(port: number, begin = handshake()): Promise<RawTalk> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const raw = new RawTalk(socket)
    socket.write(begin)
    return raw
  }

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk])
    })
  }

  /** All that came so far. */
  get bytes(): Buffer {
    return this.#bytes
  }

  /** Waits until what came has this text. */
  async until(text: string): Promise<string> {
    while (!this.#bytes.includes(text)) {
      if (this.socket.closed) throw new Error(`closed before ${text}: ${this.#bytes.toString('latin1')}`)
      await Promise.race([once(this.socket, 'data'), once(this.socket, 'close')])
    }
    return this.#bytes.toString('latin1')
  }

  /** Waits until the connection is closed. */
  async end(): Promise<Buffer> {
    if (!this.socket.closed) await once(this.socket, 'close')
    return this.#bytes
  }

  /** The code of the close frame that came last; null if none came. */
  async closeCode(): Promise<number | null> {
    const bytes = await this.end()
    const at = bytes.lastIndexOf(0x88)
    return at < 0 || bytes.length < at + 4 ? null : bytes.readUInt16BE(at + 2)
  }

  [Symbol.dispose](): void {
    this.socket.destroy()
  }
}

/** A frame as clients send it: https://www.rfc-editor.org/rfc/rfc6455#section-5.2 */
export function frame(
  payload: string | Buffer,
  { opcode = 1, fin = true, mask = true, rsv = 0 } = {},
): Buffer {
  const data = Buffer.from(payload)
  const length =
    data.length < 126
      ? Buffer.from([data.length])
      : data.length < 65_536
        ? Buffer.from([126, data.length >> 8, data.length & 255])
        : Buffer.concat([Buffer.from([127, 0, 0, 0, 0]), uint32(data.length)])
  length[0] = (length[0] ?? 0) | (mask ? 0x80 : 0)
  const first = Buffer.from([(fin ? 0x80 : 0) | rsv | opcode])
  // A key of zeros leaves the payload as it is.
  return Buffer.concat([first, length, ...(mask ? [Buffer.alloc(4)] : []), data])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
