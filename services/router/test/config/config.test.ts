import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { LOCAL_NETWORKS, loadRouterConfig, RouterConfigError } from '../../src/config/router-config.ts'

const load = (text: string, env: Record<string, string> = {}) =>
  loadRouterConfig({ env, file: { path: 'router.yaml', text } })

function problems(text: string): readonly string[] {
  try {
    load(text)
  } catch (error) {
    if (error instanceof RouterConfigError) return error.problems
    throw error
  }
  return []
}

describe('router settings', () => {
  it('take from the file or from SUBGRAPHS_ALLOWED_NETWORKS, which wins, which addresses may be called', () => {
    const file = 'subgraphs: { allowed_networks: [public, 10.0.0.0/8, "fd12::/16"] }'
    expect(load(file).subgraphs.allowedNetworks).toEqual(['public', '10.0.0.0/8', 'fd12::/16'])
    const env = { SUBGRAPHS_ALLOWED_NETWORKS: 'loopback, 192.0.2.7' }
    expect(load(file, env).subgraphs.allowedNetworks).toEqual(['loopback', '192.0.2.7'])
    expect(load('subgraphs: { allowed_networks: [] }').subgraphs.allowedNetworks).toEqual([])
    expect(loadRouterConfig({ defaultNetworks: LOCAL_NETWORKS }).subgraphs.allowedNetworks).toEqual([
      'public',
      'private',
      'loopback',
    ])
  })

  it('take from the file or from SWITCHYARD_TRUSTED_PROXIES, which wins, whose X-Forwarded-For is believed', () => {
    const file = 'traffic: { trusted_proxies: [192.0.2.7] }'
    expect(load(file).traffic.trustedProxies).toEqual(['192.0.2.7'])
    const env = { SWITCHYARD_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.8' }
    expect(load(file, env).traffic.trustedProxies).toEqual(['10.0.0.0/8', '192.0.2.8'])
    const wrong = { SWITCHYARD_TRUSTED_PROXIES: '10.0.0.0/8,load-balancer' }
    expect(() => load(file, wrong)).toThrow(/SWITCHYARD_TRUSTED_PROXIES is .*an address or a network/)
  })

  it.each([
    [
      'localhost',
      /"subgraphs.allowed_networks.1": expected public, private, loopback, an address, or a network/,
    ],
    ['10.0.0.0/40', /expected public, private, loopback, an address, or a network such as 10.0.0.0\/8/],
    ['"::ffff:10.0.0.0/104"', /IPv4 address written as IPv6: name the IPv4 address or network itself/],
  ])('refuse %s as a network', (entry, problem) => {
    expect(() => load(`subgraphs: { allowed_networks: [public, ${entry}] }`)).toThrow(problem)
    const env = { SUBGRAPHS_ALLOWED_NETWORKS: `public,${entry.replaceAll('"', '')}` }
    expect(() => load('', env)).toThrow(/SUBGRAPHS_ALLOWED_NETWORKS is /)
  })

  it.each(['10.0.0.0/40', 'http://a.example', '*', 'a b'])('refuse "%s" as a host', (entry) => {
    expect(() => load(`subgraphs: { allowed_hosts: ["${entry}"] }`)).toThrow(
      /expected a host, \*\.domain, an address or a network/,
    )
  })

  it.each([
    ['subgraphs: { overrides: { a: { urls: ["products:4001/graphql"] } } }', 'http://products:4001/graphql'],
    [
      'authentication: { jwt: { providers: [{ name: i, jwks: [{ url: issuer.example.com/keys }], audiences: any }] } }',
      'https://issuer.example.com/keys',
    ],
    ['cors: { origins: [shop.example.com] }', 'https://shop.example.com'],
    ['cors: { origins: ["localhost:3000"] }', 'http://localhost:3000'],
  ])('say which URL lacks its scheme, and show it with one: %s', (text, meant) => {
    expect(problems(text).join('\n')).toContain(`http:// or https:// is missing; did you mean "${meant}"?`)
  })

  it('need no file: every setting has a default', () => {
    expect(loadRouterConfig()).toMatchObject({
      port: 4000,
      basePath: '',
      introspection: true,
      flags: { cookie: true, buildWait: 30_000, buildAhead: true, readyWait: 120_000 },
      cors: { origins: [], credentials: false, maxAge: 600 },
      limits: { bodySize: 5 * 1024 * 1024 },
      subgraphs: { all: { timeout: 30_000 }, allowedNetworks: ['public'], allowedHosts: null },
      pollInterval: 10_000,
      drainTimeout: 30_000,
    })
  })

  it('switch @defer on by the file or by ENGINE_ENABLE_DEFER, which wins', () => {
    const enabled = (text: string, value?: string) =>
      load(text, value === undefined ? {} : { ENGINE_ENABLE_DEFER: value }).enableDefer
    expect(enabled('')).toBe(false)
    expect(enabled('engine: { enable_defer: true }')).toBe(true)
    expect(enabled('engine: { enable_defer: true }', '')).toBe(true)
    expect(enabled('engine: { enable_defer: true }', 'false')).toBe(false)
    expect(enabled('engine: { enable_defer: true }', '0')).toBe(false)
    expect(enabled('', 'true')).toBe(true)
    expect(enabled('', '1')).toBe(true)
    expect(() => enabled('', 'yes')).toThrow(/ENGINE_ENABLE_DEFER is "yes": expected true, false, 1 or 0/)
    expect(problems('engine: { enable_defer: "true" }')).toEqual([
      expect.stringContaining('"engine.enable_defer"'),
    ])
  })

  it('take from the file or from ENGINE_DEFER_PENDING, which wins, what an announcement of deferred answers stands for', () => {
    const form = (text: string, value?: string) =>
      load(text, value === undefined ? {} : { ENGINE_DEFER_PENDING: value }).deferPending
    expect(form('')).toBe('fragment')
    expect(form('engine: { defer_pending: item }')).toBe('item')
    expect(form('engine: { defer_pending: item }', 'fragment')).toBe('fragment')
    expect(form('', 'item')).toBe('item')
    expect(() => form('', 'list')).toThrow(/ENGINE_DEFER_PENDING is "list": expected fragment or item/)
    expect(problems('engine: { defer_pending: list }')).toEqual([
      expect.stringContaining('"engine.defer_pending"'),
    ])
    expect(problems('engine: { defer_pending_by_client: { web: list } }')).toEqual([
      expect.stringContaining('"engine.defer_pending_by_client.web"'),
    ])
    expect(load('engine: { defer_pending_by_client: { web: item } }').deferPendingByClient.get('web')).toBe(
      'item',
    )
  })

  it('take dev mode from the file or from DEV_MODE, which wins', () => {
    expect(load('').devMode).toBe(false)
    expect(load('dev_mode: true').devMode).toBe(true)
    expect(load('dev_mode: true', { DEV_MODE: 'false' }).devMode).toBe(false)
    expect(load('', { DEV_MODE: 'true' }).devMode).toBe(true)
  })

  it('take the switches of request tracing from the file or from the environment, which wins', () => {
    const on = { ENGINE_ENABLE_REQUEST_TRACING: 'true', ENGINE_FORCE_UNAUTHENTICATED_REQUEST_TRACING: 'true' }
    const off = { ENGINE_ENABLE_REQUEST_TRACING: '0', ENGINE_FORCE_UNAUTHENTICATED_REQUEST_TRACING: 'false' }
    const opposite = 'engine: { enable_request_tracing: false, force_unauthenticated_request_tracing: true }'
    const switches = (text: string, env?: Record<string, string>) => {
      const { enabled, forceUnauthenticated } = load(text, env).tracing
      return [enabled, forceUnauthenticated]
    }
    expect(switches('')).toEqual([true, false])
    expect(switches(opposite)).toEqual([false, true])
    expect(switches(opposite, on)).toEqual([true, true])
    expect(switches(opposite, off)).toEqual([false, false])
    expect(() => load('', { ENGINE_FORCE_UNAUTHENTICATED_REQUEST_TRACING: 'yes' })).toThrow(
      /ENGINE_FORCE_UNAUTHENTICATED_REQUEST_TRACING/,
    )
    expect(() => load('', { ENGINE_ENABLE_REQUEST_TRACING: 'off' })).toThrow(/ENGINE_ENABLE_REQUEST_TRACING/)
  })

  it('say what traces show, with defaults that show no credentials', () => {
    const { tracing } = load('')
    expect(tracing).toMatchObject({ vendor: 'VENDOR', maxSize: 1024 * 1024 })
    expect([...tracing.allowedHeaders].toSorted()).toEqual([
      'accept',
      'apollographql-client-name',
      'apollographql-client-version',
      'cache-control',
      'content-length',
      'content-type',
      'graphql-client-name',
      'graphql-client-version',
      'user-agent',
      'x-feature-flag',
      'x-request-id',
    ])
    expect(tracing.sensitiveNames).toEqual([
      'password',
      'token',
      'secret',
      'authorization',
      'apikey',
      'card',
      'ssn',
    ])
    const open = load('tracing: { allowed_headers: ["*"], sensitive_names: [], max_size: 64KiB }').tracing
    expect(open).toMatchObject({ sensitiveNames: [], maxSize: 64 * 1024 })
    expect([...open.allowedHeaders]).toEqual(['*'])
    expect([...load('tracing: { allowed_headers: [X-Mine] }').tracing.allowedHeaders]).toEqual(['x-mine'])
  })

  it('leave room in a trace for what it is about', () => {
    expect(load('tracing: { max_size: 16KiB }').tracing.maxSize).toBe(16 * 1024)
    for (const size of ['16383', '1KiB', '0'])
      expect(() => load(`tracing: { max_size: ${size} }`)).toThrow('expected at least 16KiB')
  })

  it('refuse a name for trace headers that no header can have, or that is too long', () => {
    expect(load('tracing: { vendor: acme-2 }').tracing.vendor).toBe('acme-2')
    expect(load(`tracing: { vendor: a${'b'.repeat(30)} }`).tracing.vendor).toHaveLength(31)
    for (const vendor of [
      '""',
      '"2acme"',
      '"-a"',
      '"a b"',
      '"a_b"',
      '"é"',
      '"a\\r\\nX: y"',
      `a${'b'.repeat(31)}`,
    ])
      expect(problems(`tracing: { vendor: ${vendor} }`)).toEqual([
        'router.yaml:1: "tracing.vendor": expected a letter, then up to 30 letters, digits and -',
      ])
    expect(problems('tracing: { vendors: acme }')).toEqual([
      'router.yaml:1: unknown setting "tracing.vendors"; did you mean "tracing.vendor"?',
    ])
  })

  it('refuse to forward the token that opens traces, under whatever name and to whomever', () => {
    const rules = (rule: string, vendor = 'VENDOR') => [
      `{ tracing: { vendor: ${vendor} }, headers: { request: [ { propagate: x-a }, ${rule} ] } }`,
      `{ tracing: { vendor: ${vendor} }, headers: { subgraphs: { a: { request: [ ${rule} ] } } } }`,
    ]
    for (const rule of [
      '{ propagate: x-acme-token }',
      '{ propagate: x-b, rename: X-Acme-Token }',
      '{ set: X-ACME-TOKEN, value: v }',
    ]) {
      for (const text of rules(rule, 'acme'))
        expect(problems(text)).toEqual([
          expect.stringContaining('the header X-acme-Token is never forwarded'),
        ])
      for (const text of rules(rule)) expect(problems(text)).toEqual([])
    }
    for (const text of rules('{ propagate: x-b, default: x-acme-token }', 'acme'))
      expect(problems(text)).toEqual([])
  })

  it('keep the token of probes so that it can be compared and not printed', () => {
    const [inFile, inEnvironment] = ['token-of-the-file', 'token-of-the-environment']
    expect(load('').deferProbeToken).toBeNull()
    const file = `engine: { defer_probe_token: ${inFile} }`
    expect(load(file).deferProbeToken?.equals(inFile)).toBe(true)
    const config = load(file, { ENGINE_DEFER_PROBE_TOKEN: inEnvironment })
    expect(config.deferProbeToken?.equals(inEnvironment)).toBe(true)
    expect(config.deferProbeToken?.equals(inFile)).toBe(false)
    for (const printed of [JSON.stringify(config), inspect(config, { depth: 9, showHidden: true })]) {
      expect(printed).not.toMatch(/token-of/)
    }
  })

  it('refuse a token that can be guessed or not be sent, without repeating it', () => {
    for (const token of ['too-short', 'with spaces in the middle', 'semicolons;are;no;good']) {
      const [problem = ''] = problems(`engine: { defer_probe_token: "${token}" }`)
      expect(problem).toContain('"engine.defer_probe_token": expected 16 to 200 letters')
      expect(problem).not.toContain(token)
      const inEnvironment = () => load('', { ENGINE_DEFER_PROBE_TOKEN: token })
      expect(inEnvironment).toThrow(
        /ENGINE_DEFER_PROBE_TOKEN is set to a value that is not shown here: expected 16/,
      )
    }
  })

  it('are read from YAML, an empty section meaning its defaults', () => {
    const config = load(`
base_path: /api/
introspection: { enabled: false }
cors:
flags: { cookie: false }
subgraphs:
  timeout: 2s
  overrides: { slow: { timeout: 1m } }
headers:
  request:
    - propagate: authorization
    - { propagate: x-tenant, rename: tenant, default: none }
  subgraphs:
    prices: { request: [{ set: x-key, value: k }] }
`)
    expect(config.basePath).toBe('/api')
    expect(config.introspection).toBe(false)
    expect(config.flags.cookie).toBe(false)
    expect(config.subgraphs.all.timeout).toBe(2000)
    expect(config.subgraphs.bySubgraph.get('slow')?.timeout).toBe(60_000)
    expect(config.headers.all).toHaveLength(2)
    expect(config.headers.bySubgraph.get('prices')).toEqual([{ set: 'x-key', value: 'k' }])
  })

  it('give way to the environment', () => {
    expect(load('port: 4001', { SWITCHYARD_PORT: '4002' }).port).toBe(4002)
    expect(() => load('', { SWITCHYARD_PORT: 'four' })).toThrow(/SWITCHYARD_PORT.*whole number/)
  })

  it('refuse an unknown key with its name and line, also deep inside', () => {
    expect(problems('port: 4000\nbrut: 1\n')).toEqual(['router.yaml:2: unknown setting "brut"'])
    expect(problems('subgraphs:\n  overrides:\n    slow:\n      timeout: 1s\n      timeuot: 1s\n')).toEqual([
      'router.yaml:5: unknown setting "subgraphs.overrides.slow.timeuot"; did you mean "subgraphs.overrides.slow.timeout"?',
    ])
    expect(problems('tracer:\n  enable_defer: true\n')).toEqual(['router.yaml:1: unknown setting "tracer"'])
  })

  it.each([
    ['prot: 1', 'prot', 'port'],
    ['subgraphs: { share_inflite: false }', 'subgraphs.share_inflite', 'subgraphs.share_inflight'],
    ['limits: { maxDepth: 3 }', 'limits.maxDepth', 'limits.max_depth'],
    ['base-path: /api', 'base-path', 'base_path'],
    ['max_depth: 3', 'max_depth', 'limits.max_depth'],
    ['traffic: { poll_interval: 1s }', 'traffic.poll_interval', 'config.poll_interval'],
  ])('ask of %s whether another setting was meant', (text, unknown, meant) => {
    expect(problems(text)).toEqual([`router.yaml:1: unknown setting "${unknown}"; did you mean "${meant}"?`])
  })

  it.each([
    // Two sections have one, and nothing says which was meant.
    'timeouts: 1s',
    'enabled: true',
    '__proto__: { port: 1 }',
    'subgraphs: { constructor: 1 }',
    'tracing: { overrides: { slow: {} } }',
  ])('do not guess at %s', (text) => {
    const [problem = ''] = problems(text)
    expect(problem).toMatch(/unknown setting/)
    expect(problem).not.toMatch(/did you mean "(?:introspection|access_log|cors)/)
  })

  it('want a time limit where one subgraph gets an entry of its own', () => {
    expect(problems('subgraphs: { overrides: { slow: {} } }\n')).toEqual([
      'router.yaml:1: "subgraphs.overrides.slow": it changes nothing for this subgraph: expected a setting such as timeout: 10s',
    ])
  })

  it('make no failed call again unless they say so, and let single subgraphs differ', () => {
    expect(load('').subgraphs.all.retry).toEqual({
      maxRetries: 0,
      statuses: new Set([502, 503, 504]),
      backoff: 50,
      maxBackoff: 1000,
      budget: 0.1,
    })
    const { subgraphs } = load(`
subgraphs:
  retry: { max_retries: 2, backoff: 10ms }
  overrides: { slow: { retry: { statuses: [429], budget: 0.5 } }, late: { timeout: 1m } }
`)
    expect(subgraphs.bySubgraph.get('slow')?.retry).toEqual({
      maxRetries: 2,
      statuses: new Set([429]),
      backoff: 10,
      maxBackoff: 1000,
      budget: 0.5,
    })
    expect(subgraphs.bySubgraph.get('late')?.retry).toEqual(subgraphs.all.retry)
    expect(subgraphs.bySubgraph.get('late')).toEqual({ ...subgraphs.all, timeout: 60_000 })
    expect(subgraphs.bySubgraph.get('slow')?.timeout).toBe(subgraphs.all.timeout)
  })

  it('make no call a second time unless they say so, and let single subgraphs differ', () => {
    expect(load('').subgraphs.all.hedge).toEqual({ enabled: false, after: 100, budget: 0.05 })
    const { subgraphs } = load(`
subgraphs:
  hedge: { enabled: true, after: 80ms }
  overrides: { slow: { hedge: { after: 1s, budget: 0.5 } }, late: { timeout: 1m } }
`)
    expect(subgraphs.bySubgraph.get('slow')?.hedge).toEqual({ enabled: true, after: 1000, budget: 0.5 })
    expect(subgraphs.bySubgraph.get('late')?.hedge).toEqual(subgraphs.all.hedge)
  })

  it.each(['after: 0ms', 'after: 5', 'budget: 0', 'budget: 0.6', 'enabled: 1'])(
    'refuse %s for second calls, for all subgraphs and for one',
    (setting) => {
      expect(problems(`subgraphs: { hedge: { ${setting} } }`)).toHaveLength(1)
      expect(problems(`subgraphs: { overrides: { slow: { hedge: { ${setting} } } } }`)).toHaveLength(1)
    },
  )

  it('limit the calls a second of single subgraphs, if they say so', () => {
    const { subgraphs } = load('subgraphs: { overrides: { partner: { max_rate: 0.5 } } }')
    expect(subgraphs.bySubgraph.get('partner')?.slots.maxRate).toBe(0.5)
    expect(subgraphs.all.slots.maxRate).toBeNull()
    for (const rate of ['0', '-1', 'fast', '2000000'])
      expect(problems(`subgraphs: { overrides: { partner: { max_rate: ${rate} } } }`)).toEqual([
        'router.yaml:1: "subgraphs.overrides.partner.max_rate": expected a number of calls a second, from 0.1 to 1000000',
      ])
  })

  it.each(['max_retries: 11', 'max_retries: -1', 'budget: 0', 'budget: 2', 'statuses: [200]', 'backoff: 5'])(
    'refuse %s for retries, for all subgraphs and for one',
    (setting) => {
      expect(problems(`subgraphs: { retry: { ${setting} } }`)).toHaveLength(1)
      expect(problems(`subgraphs: { overrides: { slow: { retry: { ${setting} } } } }`)).toHaveLength(1)
    },
  )

  it('call all subgraphs whatever fails unless they say so, and let single subgraphs differ', () => {
    const { subgraphs } = load(`
subgraphs:
  overrides: { slow: { circuit_breaker: { enabled: true, window: 1m, probes: 1 } } }
`)
    expect(subgraphs.all.circuitBreaker).toEqual({
      enabled: false,
      failureRate: 0.5,
      minCalls: 20,
      window: 10_000,
      openFor: 5000,
      probes: 3,
    })
    expect(subgraphs.bySubgraph.get('slow')?.circuitBreaker).toEqual({
      ...subgraphs.all.circuitBreaker,
      enabled: true,
      window: 60_000,
      probes: 1,
    })
  })

  it.each([
    'failure_rate: 0',
    'failure_rate: 1.1',
    'min_calls: 0',
    'window: 0s',
    'open_for: 0ms',
    'probes: 0',
  ])('refuse %s for circuit breakers, for all subgraphs and for one', (setting) => {
    const breaker = `circuit_breaker: { ${setting} }`
    expect(problems(`subgraphs: { ${breaker} }`)).toHaveLength(1)
    expect(problems(`subgraphs: { overrides: { slow: { ${breaker} } } }`)).toHaveLength(1)
  })

  it('bound planning, and refuse bounds under which nothing could be planned', () => {
    expect(loadRouterConfig().planning).toEqual({
      maxSteps: 200_000,
      threads: 2,
      timeLimit: 500,
      budget: 200,
      sharedFields: true,
      prefer: 'load',
    })
    const settings =
      'planning: { threads: 1, max_steps: 5, time_limit: 2s, budget: 1h, shared_fields: false, prefer: latency }'
    expect(load(settings).planning).toEqual({
      maxSteps: 5,
      threads: 1,
      timeLimit: 2000,
      budget: 3_600_000,
      sharedFields: false,
      prefer: 'latency',
    })
    for (const [key, value] of [
      ['budget', '0ms'],
      ['time_limit', '0s'],
      ['threads', '0'],
      ['max_steps', '0'],
    ])
      expect(problems(`planning: { ${key}: ${value} }`)).toEqual([
        expect.stringContaining(`router.yaml:1: "planning.${key}"`),
      ])
  })

  it('name labels of progressive overrides, but not those that are drawn', () => {
    const labels = (list: string) => `progressive_override: { active_labels: ${list} }`
    expect(load(labels('[beta, Team-a/v1.2:x_y]')).overrideLabels.alwaysActive).toEqual(
      new Set(['beta', 'Team-a/v1.2:x_y']),
    )
    expect(problems(labels('[beta, percent(10)]'))).toEqual([
      'router.yaml:1: "progressive_override.active_labels.1": labels such as percent(10) go by their percentage and cannot be named here; change the percentage in the schema',
    ])
    for (const label of ['""', '"1st"', '"two words"', '5', 'null'])
      expect(problems(labels(`[${label}]`))).toHaveLength(1)
    expect(problems(labels('beta'))).toHaveLength(1)
  })

  it('name where a key of progressive overrides is read from', () => {
    const keyed = (list: string) => `progressive_override: { key: ${list} }`
    const sources = '[{ header: X-User }, { cookie: visitor }, address]'
    expect(load(keyed(sources)).overrideLabels.key).toEqual([
      { header: 'X-User' },
      { cookie: 'visitor' },
      'address',
    ])
    expect(problems(keyed('[address, { claim: sub }]'))).toEqual([
      'router.yaml:1: "progressive_override.key.1": no tokens are accepted without a provider: expected one in authentication.jwt.providers',
    ])
    for (const source of ['client', 'sub', '{ cookie: "a b" }', '{ header: "" }', '{}'])
      expect(problems(keyed(`[${source}]`))).toHaveLength(1)
    expect(problems(keyed(`[${'address, '.repeat(9)}]`))).toHaveLength(1)
  })

  it('name every problem at once', () => {
    expect(problems('port: no\nsubgraphs: { timeout: 5 }\n')).toHaveLength(2)
  })

  it('take only true and false as booleans', () => {
    for (const value of ['yes', '1', '"true"', 'on']) {
      expect(problems(`introspection: { enabled: ${value} }`)).toHaveLength(1)
    }
  })

  it('refuse YAML that does not parse, with the line', () => {
    expect(problems('port: 4000\nhost: [\n')[0]).toMatch(/^router\.yaml:\d: /)
    expect(problems('port: 1\nport: 2\n')[0]).toMatch(/^router\.yaml:2: .*unique/)
  })

  it.each(['host', 'connection', 'Content-Length', 'transfer-encoding', 'accept-encoding', 'te'])(
    'refuse a rule that forwards %s',
    (name) => {
      const [problem] = problems(`headers:\n  request:\n    - propagate: ${name}\n`)
      expect(problem).toMatch(/^router\.yaml:3: .*never forward/)
      expect(problems(`headers:\n  request:\n    - {propagate: x-a, rename: ${name}}\n`)).toHaveLength(1)
      expect(problems(`headers:\n  request:\n    - {set: ${name}, value: x}\n`)).toHaveLength(1)
    },
  )

  it('refuse credentials for every origin', () => {
    expect(problems('cors: { origins: ["*"], credentials: true }')).toHaveLength(1)
  })
})
