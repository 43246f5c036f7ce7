/**
 * Random traces with secrets planted where secrets come into a request, and again, encoded in one way or
 * another, where the router has to find them by value. Everything else in the trace is not secret and has to
 * stay.
 */
import type { Trace, TraceLoad } from '@switchyard/request-trace'
import { answered, asked, createTrace } from '../traces.ts'
import { ENCODINGS } from './secret-forms.ts'

export type RandomTrace = {
  readonly trace: Trace
  readonly secrets: readonly string[]
  /** Texts of the trace, or parts of them, that are not secret. Each is there once. */
  readonly plain: readonly string[]
}

const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyz0123456789',
  'ABCDEFabcdef0123456789-_.~',
  'abXY01+/=%&?#@:;, "\\\'{}[]',
  'añü€漢字😀x1-',
]

export function randomTrace(seed: number): RandomTrace {
  return new TraceMaker(seed).make()
}

class TraceMaker {
  readonly #secrets: string[] = []
  readonly #plain: string[] = []
  #state: number

  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, 0x9e3779b1) >>> 0
  }

  make(): RandomTrace {
    const query = this.#query()
    const loads = Array.from({ length: 1 + this.#below(4) }, () => this.#load())
    const trace = createTrace({
      request: {
        url: `/graphql/${this.#text('path')}?key=${encodeURIComponent(this.#secret())}&vendor_trace=true`,
        headers: {
          accept: this.#text('accept'),
          authorization: this.#pick([
            () => `Bearer ${this.#token()}`,
            () => this.#token(),
            () => this.#basic(),
          ])(),
          cookie: `a=1; session=${encodeURIComponent(this.#secret())}; theme="${this.#token()}"`,
          'x-api-key': this.#secret(),
        },
        body: { query, operationName: this.#text('operation'), variables: this.#variables() },
      },
      loads,
      warnings: [this.#planted()],
      label: this.#planted(),
    })
    return { trace, secrets: this.#secrets, plain: this.#plain }
  }

  #load(): Partial<TraceLoad> {
    const secret = this.#secret()
    // What a request is made from came with an answer.
    const ssn = this.#secret()
    const url = `http://${encodeURIComponent(this.#secret())}:${encodeURIComponent(this.#secret())}@h/${this.#text('u')}?key=${encodeURIComponent(this.#secret())}`
    const query = `query ($representations: [_Any!]!, $v: String) { _entities(representations: $representations) { ${this.#plainWord('field')} alias${this.#below(3)}x: apiKey login(password: $v, apiToken: ${JSON.stringify(this.#secret())}) } }`
    return {
      raw_input_data: this.#data([{ ssn }, { alias1x: null }]),
      ...asked(
        {
          query,
          variables: {
            representations: [this.#data([{ accessToken: secret }, { token: secret }])],
            v: this.#secret(),
          },
        },
        { url, headers: { authorization: `Bearer ${this.#token()}`, accept: this.#text('h') } },
      ),
      ...answered(
        {
          data: this.#data([
            { user_password: this.#secret(), ssn },
            { cards: [{ number: this.#secret() }] },
            { json: JSON.stringify({ a: [{ clientSecret: this.#secret() }], b: this.#plainWord('json') }) },
          ]),
          errors: [
            { message: this.#planted(), extensions: { [this.#planted()]: false, text: this.#planted() } },
          ],
        },
        { 'set-cookie': `s=${this.#token()}; Path=/`, accept: this.#planted() },
      ),
      error: { code: 'SUBGRAPH_HTTP_ERROR', message: this.#planted() },
      failed_attempts: [
        { url, message: this.#planted() },
        { status_code: 503, url },
      ],
    }
  }

  #query(): string {
    const literal = this.#secret()
    const written = this.#pick([JSON.stringify(literal), JSON.stringify(literal).replaceAll('a', '\\u0061')])
    return `query (${this.#pick(['$password: String = ', '$secret: String = '])}${JSON.stringify(this.#secret())}) {
      ${this.#plainWord('field')}(id: "${this.#text('id')}", token: ${written})
      login(in: {deep: [{user: {newPassword: ${JSON.stringify(this.#secret())}, name: "${this.#plainWord('name')}"}}]}, card: $p)
    }`
  }

  #variables(): Record<string, unknown> {
    return {
      password: this.#secret(),
      p: { anything: [this.#secret()] },
      input: this.#data([{ nested: { API_KEY: this.#secret() } }, { token: 12345, ok: true }]),
    }
  }

  /** A value with the given members somewhere in it, among others. */
  #data(members: readonly Record<string, unknown>[]): unknown {
    const value: Record<string, unknown> = {
      __typename: this.#plainWord('Type'),
      [this.#plainWord('key')]: this.#pick([1, 2.5, true, null, [], {}]),
      text: this.#planted(),
      more: [this.#text('more'), { [this.#planted()]: 1 }],
    }
    for (const member of members) {
      const place = this.#below(3)
      if (place === 0) Object.assign(value, member)
      else if (place === 1) value[this.#plainWord('list')] = [[member], member]
      else value[this.#plainWord('object')] = { inner: { ...member } }
    }
    return value
  }

  #secret(): string {
    const alphabet = Array.from(this.#pick(ALPHABETS))
    const body = Array.from({ length: 6 + this.#below(30) }, () => this.#pick(alphabet)).join('')
    const secret = `${this.#below(36 ** 4)
      .toString(36)
      .padStart(4, 'q')}${body}Z`
    this.#secrets.push(secret)
    return secret
  }

  /** A secret as a header may hold it. */
  #token(): string {
    const secret = `t${this.#below(36 ** 5).toString(36)}.${this.#below(36 ** 5).toString(36)}-padding`
    this.#secrets.push(secret)
    return secret
  }

  #basic(): string {
    return `Basic ${Buffer.from(`user:${this.#secret()}`).toString('base64')}`
  }

  /** A text with a secret from before inside, encoded, or with none. */
  #planted(): string {
    const before = this.#plainWord('before')
    const after = this.#plainWord('after')
    const secret = this.#secrets.length === 0 ? '' : this.#pick(this.#secrets)
    // Signs that end a run of base64: what is next to a secret in one run may be decoded with it.
    return `${before}: ${this.#encoded(secret)} :${after}`
  }

  #text(name: string): string {
    return this.#plainWord(name)
  }

  #plainWord(name: string): string {
    const word = `${name}${this.#plain.length}plain`
    this.#plain.push(word)
    return word
  }

  #encoded(secret: string): string {
    const padding = ['', 'x', 'xy', 'xyz', 'é'][this.#below(5)] ?? ''
    return this.#pick(ENCODINGS)(secret, padding)
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)] as Item
  }

  /** Mulberry32. */
  #below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
}
