/**
 * A random request with secrets where secrets are: in headers, cookies, the URL, variables, literals and
 * inputs. What its subgraphs answer holds more of them, and those of the request again, encoded in one way or
 * another, where only their value tells that they are secret.
 */
import { Random } from '@switchyard/samples'
import { ENCODINGS } from '../cleaning/secret-forms.ts'

export type SecretiveRequest = {
  readonly method: 'GET' | 'POST'
  /** Behind the address of the endpoint. */
  readonly search: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly secrets: Secrets
  /**
   * An argument of the trace that there is not and that tells no secret, for a warning to name; null: there
   * is none.
   */
  readonly unknownArgument: string | null
  /** For what is drawn while it is answered. */
  readonly random: Random
}

const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyz0123456789',
  'ABCDEFabcdef0123456789-_.~',
  'abXY01+/=%&?#@:;, {}[]',
  'añü€漢字😀x1-',
  `abXY01'\\"{}[]:,$`,
]

/** Each is in the request at a place that tells that it is one. */
export class Secrets {
  readonly #random: Random
  readonly #long: string[] = []
  /** Too short to be known elsewhere: hidden only where they stand. */
  readonly #short: string[] = []

  constructor(random: Random) {
    this.#random = random
  }

  get long(): readonly string[] {
    return this.#long
  }

  get short(): readonly string[] {
    return this.#short
  }

  /** Secrets of a part of the exchange that may not come about. */
  branch(): Secrets {
    return new Secrets(this.#random)
  }

  adopt(other: Secrets): void {
    this.#long.push(...other.#long)
    this.#short.push(...other.#short)
  }

  next(): string {
    if (this.#random.chance(10)) return this.#nextShort()
    const alphabet = Array.from(this.#random.pick(ALPHABETS))
    const body = Array.from({ length: 6 + this.#random.below(30) }, () => this.#random.pick(alphabet))
    return this.#keep(`${this.#word(4)}${body.join('')}Z`)
  }

  /** As a header may hold it. */
  token(): string {
    return this.#keep(`t7${this.#word(6)}.${this.#word(6)}-padding`)
  }

  number(): number {
    const number = 1_000_000_000 + this.#random.below(2 ** 31)
    this.#keep(String(number))
    return number
  }

  #nextShort(): string {
    const secret = `~${this.#word(3)}!§`
    this.#short.push(secret)
    return secret
  }

  #keep(secret: string): string {
    this.#long.push(secret)
    return secret
  }

  #word(length: number): string {
    return this.#random
      .below(36 ** length)
      .toString(36)
      .padStart(length, 'q')
  }
}

/** A text that may tell one of the secrets. */
export function told(random: Random, secrets: readonly string[]): string {
  const padding = random.pick(['', 'x', 'xy', 'xyz', 'é'])
  const secret = secrets.length === 0 || random.chance(30) ? 'nothing' : random.pick(secrets)
  return `before: ${random.pick(ENCODINGS)(secret, padding)} :after`
}

const EXCLUSIONS = ['raw_input_data', 'input', 'output', 'load_stats', 'planner_stats']

export function secretiveRequest(seed: number): SecretiveRequest {
  const random = new Random(seed)
  const secrets = new Secrets(random)
  const { query, variables, operationName } = new Operation(random, secrets).make()
  const method = !query.includes('mutation') && random.chance(25) ? 'GET' : 'POST'
  const wanted = ['true', ...random.some(EXCLUSIONS, 0, 2).map((name) => `exclude_${name}`)]
  if (random.chance(20)) wanted.push('enable_predictable_debug_timings')
  // An argument that does not exist is told in the trace.
  if (random.chance(10))
    wanted.push(...secrets.long.filter((secret) => /^[\w.~-]+$/.test(secret)).slice(0, 1))
  const unknownArgument = seed % 3 === 0 ? 'exclude_everything' : null
  if (unknownArgument !== null) wanted.splice(random.below(wanted.length), 0, unknownArgument)
  const parameters = new URLSearchParams({ key: secrets.next() })
  const byParameter = random.chance(50)
  if (byParameter) parameters.set('vendor_trace', wanted.join(','))
  const params = { query, variables, ...(operationName !== null && { operationName }) }
  if (method === 'GET') {
    parameters.set('query', query)
    parameters.set('variables', JSON.stringify(variables))
    if (operationName !== null) parameters.set('operationName', operationName)
  }
  const headers = {
    authorization: random.pick([
      () => `Bearer ${secrets.token()}`,
      () => secrets.token(),
      () => `Basic ${Buffer.from(`user:${secrets.token()}`).toString('base64')}`,
    ])(),
    cookie: `a=1; session=${encodeURIComponent(secrets.next())}; theme="${secrets.token()}"`,
    'x-api-key': secrets.token(),
    'x-vendor-token': secrets.token(),
    referer: `https://user:${secrets.token()}@shop.example/?key=${secrets.token()}`,
    ...(random.chance(50) && { 'x-vendor-trace-as': encodedStandIn(secrets) }),
  }
  const ascii = secrets.long.filter((secret) => /^[!-~]+$/.test(secret))
  return {
    method,
    search: parameters.toString(),
    headers: {
      ...headers,
      ...(method === 'POST' ? { 'content-type': 'application/json' } : { 'x-requested-with': 'test' }),
      ...(!byParameter && { 'x-vendor-trace': wanted.join(', ') }),
      // Headers that are shown.
      'user-agent': `agent of ${random.pick(ascii)}`,
      ...(random.chance(20) && { 'x-feature-flag': random.pick(ascii) }),
      'x-request-id': encodeURIComponent(told(random, secrets.long)).slice(0, 2000),
    },
    body: method === 'POST' ? JSON.stringify(params) : '',
    secrets,
    unknownArgument,
    random,
  }
}

/** Somebody who stands in, with credentials of the same kinds. */
function encodedStandIn(secrets: Secrets): string {
  const headers = {
    Authorization: `Bearer ${secrets.token()}`,
    Cookie: `session=${encodeURIComponent(secrets.next())}`,
    'X-Api-Key': secrets.token(),
  }
  return Buffer.from(JSON.stringify({ claims: { sub: 'ann', plan: 'pro' }, headers })).toString('base64')
}

class Operation {
  readonly #random: Random
  readonly #secrets: Secrets
  readonly #definitions: string[] = []
  readonly #variables: Record<string, unknown> = {}
  #names = 0

  constructor(random: Random, secrets: Secrets) {
    this.#random = random
    this.#secrets = secrets
  }

  make() {
    const isMutation = this.#random.chance(15)
    const roots = Array.from({ length: 1 + this.#random.below(4) }, () =>
      isMutation
        ? `f${this.#names++}: signUp(${this.#text('token')}, in: ${this.#input(2)}) { ${this.#user(1)} }`
        : this.#root(),
    )
    const definitions = this.#definitions.length === 0 ? '' : `(${this.#definitions.join(', ')})`
    const name = this.#random.chance(50) ? 'Op' : ''
    const query = `${isMutation ? 'mutation' : 'query'} ${name}${definitions} {\n  ${roots.join('\n  ')}\n}`
    return {
      query: this.#spoilt(query),
      variables: { ...this.#variables, ...(this.#random.chance(30) && { unused: this.#data(1) }) },
      operationName: this.#random.chance(5) ? 'Other' : name || null,
    }
  }

  /** Some requests are no good, and have a trace all the same. */
  #spoilt(query: string): string {
    const secret = JSON.stringify(this.#secrets.next())
    switch (this.#random.below(40)) {
      case 0:
        return `${query} # } {`.replace('{\n', `{ login(password: ${secret.slice(0, -1)}\n`)
      case 1:
        return query.replace('{\n', `{ nothing(apiKey: ${secret})`)
      case 2:
        return query.replace('{\n', `{ login(password: {a: ${secret}})`)
      default:
        // It has to be somewhere where it is known to be one.
        this.#variables['spareToken'] = JSON.parse(secret)
        return this.#random.chance(3) ? `${query} {` : query
    }
  }

  #root(): string {
    switch (this.#random.below(4)) {
      case 0:
        return `f${this.#names++}: login(${this.#text('password')}, in: ${this.#input(2)}, code: ${this.#json()})`
      case 1:
        return `f${this.#names++}: plain(data: ${this.#json()}, ${this.#plainText()})`
      case 2:
        return `f${this.#names++}: users(first: ${1 + this.#random.below(3)}) { ${this.#user(2)} }`
      default:
        return `${this.#alias()}me { ${this.#user(2)} }`
    }
  }

  #user(depth: number): string {
    const choices: readonly (() => string)[] = [
      () => 'id name about',
      () => 'balance notes data',
      () => `${this.#alias()}accessToken`,
      () => `${this.#alias()}ssn`,
      () => `session { label ${this.#alias()}token }`,
      () => `${this.#alias()}session { cards { label number } }`,
      () => `f${this.#names++}: verify(${this.#text('password')}, ${this.#plainText()})`,
    ]
    const fields = this.#random.some(choices, 2, 6).map((make) => make())
    if (depth > 0 && this.#random.chance(40)) fields.push(`... @defer { ${this.#user(depth - 1)} }`)
    return fields.join(' ')
  }

  #alias(): string {
    return this.#random.chance(60) ? `f${this.#names++}: ` : ''
  }

  #text(name: string): string {
    const secret = this.#secrets.next()
    return `${name}: ${this.#given(secret, 'String', this.#random.pick(['p', 'plain', 'password']))}`
  }

  /** Not secret by its name; it may tell one that is. */
  #plainText(): string {
    return `text: ${this.#given(told(this.#random, this.#secrets.long), 'String', 'v')}`
  }

  /** Written down, or as a variable, or as its default. */
  #given(value: unknown, type: string, name: string): string {
    const literal = literalOf(value)
    if (this.#random.chance(40)) return literal
    const variable = `${name}${this.#names++}`
    if (this.#random.chance(30) && name !== 'v' && name !== 'p' && name !== 'plain') {
      this.#definitions.push(`$${variable}: ${type} = ${literal}`)
      return `$${variable}`
    }
    this.#definitions.push(`$${variable}: ${type}`)
    this.#variables[variable] = value
    return `$${variable}`
  }

  #input(depth: number, type = 'Credentials'): string {
    if (this.#random.chance(25)) {
      const value = { password: this.#secrets.next(), deep: { list: [{ apiKey: this.#secrets.next() }] } }
      return this.#given(value, type, 'v')
    }
    const inner =
      depth === 0
        ? ''
        : `, deep: ${this.#input(depth - 1)}, list: [${this.#input(depth - 1, 'Credentials!')}]`
    return `{${this.#text('password')}, name: "plain", apiKey: {a: [${literalOf(this.#secrets.next())}]}${inner}}`
  }

  #json(): string {
    return this.#given(this.#data(2), 'JSON', 'v')
  }

  #data(depth: number): unknown {
    return secretiveData(this.#random, this.#secrets, this.#secrets.long, depth)
  }
}

/** Data of any kind, with members whose names tell that they are secret, and texts that tell secrets. */
export function secretiveData(
  random: Random,
  secrets: Secrets,
  known: readonly string[],
  depth: number,
): Readonly<Record<string, unknown>> {
  const members: readonly (() => Readonly<Record<string, unknown>>)[] = [
    () => ({ user_password: secrets.next() }),
    () => ({ creditCard: secrets.number() }),
    () => ({ cards: [{ number: secrets.next() }, secrets.next()] }),
    () => ({ json: JSON.stringify({ a: [{ clientSecret: secrets.next() }] }) }),
    () => ({ message: `it said ${JSON.stringify({ a: JSON.stringify({ apiKey: secrets.next() }) })}` }),
    () => ({
      link: `https://user:${encodeURIComponent(secrets.token())}@shop.example/a?key=${secrets.token()}`,
    }),
    () => ({ text: told(random, [...known, ...secrets.long]) }),
    () => ({ list: [told(random, [...known, ...secrets.long])] }),
    () => (depth === 0 ? {} : { inner: [secretiveData(random, secrets, known, depth - 1)] }),
  ]
  return Object.assign({ plain: 'plain' }, ...random.some(members, 1, 4).map((make) => make()))
}

/** The same JSON as other writers may write it: with other blanks, and with escapes where none are needed. */
export function writtenAnyhow(random: Random, value: unknown): string {
  const text = JSON.stringify(value)
  if (random.chance(50)) return text
  const [slashes, letters, blanks] = [random.chance(50), random.chance(50) ? 4 : 0, random.chance(50)]
  return text.replace(/"(?:[^"\\]|\\.)*"|[:,{[]/g, (token) => {
    if (!token.startsWith('"')) return blanks ? `${token}${random.pick(['', ' ', '\n\t', '\r\n  '])}` : token
    return token.replace(/\\.|[^"]/gsu, (sign) => {
      if (sign === '/') return slashes ? String.raw`\/` : sign
      if (sign.startsWith('\\') || !random.chance(letters)) return sign
      return sign.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    })
  })
}

/** As GraphQL writes it: like JSON, with names that are not quoted. */
function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, item]) => `${name}: ${literalOf(item)}`)
    .join(', ')}}`
}
