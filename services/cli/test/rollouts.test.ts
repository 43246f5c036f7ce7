/** `switchyard rollout` against a real registry and a real router. The steps build on each other. */
import { RolloutView } from '@switchyard/contracts'
import { parseTrace, type Trace } from '@switchyard/request-trace'
import { PATIENTLY } from '@switchyard/testkit'
import { rolloutLines, whyChosen } from '@switchyard/trace-viewer/rollout-lines'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { Run, RunOptions } from './run-command.ts'
import { StockShop } from './stock-shop.ts'

let shop: StockShop
beforeAll(async () => {
  shop = await StockShop.start()
})
afterAll(() => shop[Symbol.asyncDispose]())

const run = (line: string, options: RunOptions = {}): Promise<Run> => shop.run(line, options)
const succeed = (line: string): Promise<Run> => shop.succeed(line)
const Explained = z.object({
  result: z.object({
    rollouts: z.array(
      z.object({ key: z.object({ source: z.string(), text: z.string(), bucket: z.int() }).nullable() }),
    ),
  }),
})
const Shown = RolloutView.omit({ routers: true })

async function rolloutOf(name: string): Promise<z.infer<typeof Shown>> {
  return Shown.parse((await succeed(`rollout get ${name} --json`)).json()['result'])
}

type Described = readonly [
  claims: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>>,
  cookies: Readonly<Record<string, string>>,
]

/** Requests that differ in what rollouts read of them. */
const REQUESTS: readonly Described[] = [
  [{ sub: 'u1', plan: 'pro' }, {}, {}],
  [{ sub: 'u1', plan: ['free', 'team'] }, {}, {}],
  [{ sub: 7, plan: 'team' }, {}, {}],
  [{ sub: ['u1'], plan: 'pro' }, {}, {}],
  [{ plan: 'pro' }, {}, {}],
  [{ plan: null, sub: ' ' }, {}, {}],
  [{}, {}, {}],
  [{ roles: ['editor', 7, true] }, { 'X-Region': 'eu-west' }, { visitor: 'a1' }],
  [{ roles: 'editor' }, { 'X-Region': 'eu', 'X-User': 'ann' }, {}],
  [{ roles: 'editor' }, { 'X-Region': 'eu', 'X-User': 'ben' }, { visitor: 'x y;z' }],
  [{ roles: 'editor' }, { 'X-Region': 'eu', 'X-User': 'ben' }, { visitor: 'ü"q' }],
  [{ roles: 'editor' }, { 'X-Region': 'eu' }, { beta: '', visitor: 'a1' }],
  [{ roles: 'editor' }, { 'X-Region': 'eu' }, {}],
  [{ roles: { name: 'editor' } }, { 'X-Region': 'us' }, { visitor: 'a1' }],
]

async function tracedAs(standIn: object, token: string): Promise<Trace> {
  const response = await fetch(shop.up.routerUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-vendor-trace': 'true',
      'x-vendor-token': token,
      'x-vendor-trace-as': Buffer.from(JSON.stringify(standIn)).toString('base64'),
    },
    body: '{"query":"{ __typename }"}',
  })
  return parseTrace(await response.json())
}

/** Takes away what a trace may not show: values of properties, and what conditions compare with. */
function withoutValues(line: string): string {
  return line
    .replace(/^( {3}\S+ (?:not )?(?:equals|in|starts_with|ends_with|semver)) .*?: /, '$1 …: ')
    .replace(/it has (?!none\)$|no value\)$).*\)$/, 'it has …)')
    .replace(/(bucket \d+ of \S+) .* is/, '$1 … is')
    .replace(/^(\d+\. .*: (?:passed over|not for this request), .*?) \(.*\)$/, '$1')
}

describe('switchyard rollout', () => {
  it('creates one, and says how many routers have it', async () => {
    const created = await succeed(
      "rollout create new-stock --graph shop --percent 5 --key claim:sub --where 'claim:plan in pro,team' 'client_version not semver <2' --require-live --wait 300",
    )
    expect(created.stdout.split('\n')).toEqual([
      'Rollout "new-stock" was created: 5 percent of its audience get feature flag "new-stock" in federated graph "shop".',
      'live on 1/1 routers',
      expect.stringMatching(
        /^Estimated for each router: about 0\.1 MB of memory for feature flag "new-stock" of federated graph "shop", and \d+ ms of computing time when it is compiled \(it has \d definitions that base does not have\)\.$/,
      ),
      '',
    ])
    expect(await rolloutOf('new-stock')).toMatchObject({
      flag: 'new-stock',
      where: [
        { on: 'claim:plan', in: ['pro', 'team'] },
        { on: 'client_version', not: { semver: '<2' } },
      ],
      key: ['claim:sub'],
      salt: expect.stringMatching(/^new-stock-[0-9a-f]{16}$/),
    })
  })

  it('shows one with its audience in words, and what became of it', async () => {
    const { stdout } = await succeed('rollout get new-stock')
    expect(stdout.split('\n')).toEqual([
      'name:             new-stock',
      'namespace:        default',
      'federated graph:  shop',
      'feature flag:     new-stock',
      'flag state:       served',
      'percent:          5',
      'audience:',
      '  claim:plan in pro,team',
      '  client_version not semver <2',
      'key:              claim:sub',
      expect.stringMatching(/^salt: {13}new-stock-/),
      'mode:             serve',
      'place:            1',
      'expires:          never',
      'state:            live',
      'routers:          1/1 serve it',
      'requests in 24 h:',
      '  shop: 0',
      '',
    ])
  })

  it('lists them in the order in which requests try them', async () => {
    const staff = await succeed('rollout create staff --graph shop --flag new-stock --percent 100 --json')
    expect(staff.json()['result']).toMatchObject({
      flagCosts: [
        {
          graph: 'shop',
          featureFlag: 'new-stock',
          estimate: { compiled: 'changes', bytes: expect.any(Number), cpuMs: expect.any(Number) },
        },
      ],
    })
    const beta = await succeed('rollout create beta --graph shop --flag off --before staff')
    expect(beta.stdout).toContain(
      'What feature flag "off" of federated graph "shop" costs a router is not known: routers were given no composition of it yet, or it is too large to be read as a whole.\n',
    )
    await vi.waitFor(async () => {
      const rows = (await succeed('rollout list')).stdout.trimEnd().split('\n')
      expect(rows.map((row) => row.split('\t'))).toEqual([
        [
          'shop',
          'new-stock',
          'new-stock',
          'served',
          'serve',
          '5',
          'claim:plan in pro,team; client_version not semver <2',
          'claim:sub',
          'live',
          '1/1',
        ],
        [
          'shop',
          'beta',
          'off',
          'not served: the flag is disabled',
          'serve',
          '0',
          'everybody',
          '-',
          'live',
          '1/1',
        ],
        ['shop', 'staff', 'new-stock', 'served', 'serve', '100', 'everybody', '-', 'live', '1/1'],
      ])
    }, PATIENTLY)
    await succeed('rollout update new-stock --last')
    expect((await succeed('rollout list --graph shop --json')).json()).toMatchObject({
      result: { rollouts: [{ name: 'beta' }, { name: 'staff' }, { name: 'new-stock' }] },
    })
    expect((await run('rollout list --graph none', { terminal: true })).stdout).toBe(
      'No rollouts of federated graph "none" in namespace "default".\n',
    )
  })

  it('explains which are looked at for a request, and why each does or does not hold', async () => {
    const line = `rollout explain shop --claims '{"sub":"u1","plan":"pro"}' --client-version 3.1`
    expect((await succeed(line)).stdout).toBe(
      `1. beta (flag off, 0 percent): passed over, since routers do not have its flag (not served: the flag is disabled)
2. staff (flag new-stock, 100 percent): inside, as is everybody of its audience
3. new-stock (flag new-stock, 5 percent): is not looked at, since one before it decides
The request gets feature flag "new-stock", by rollout "staff".
`,
    )
    await succeed('rollout update new-stock --before staff')
    const decided = await succeed(line)
    const { result } = Explained.parse((await succeed(`${line} --json`)).json())
    const [, rollout] = result.rollouts
    expect(rollout?.key).toMatchObject({ source: 'claim:sub', text: 'u1' })
    const bucket = rollout?.key?.bucket ?? 0
    const side = bucket < 500 ? 'inside' : 'outside'
    expect(decided.stdout.split('\n').slice(1, 4)).toEqual([
      `2. new-stock (flag new-stock, 5 percent): ${side}: bucket ${bucket} of claim:sub "u1" is ${bucket < 500 ? '' : 'not '}below 500`,
      '   claim:plan in pro,team: holds (it has "pro")',
      '   client_version not semver <2: holds (it has "3.1")',
    ])
    const other = await succeed(`rollout explain new-stock --claims '{"plan":["free","basic"]}'`)
    expect(other.stdout).toContain('2. new-stock (flag new-stock, 5 percent): not for this request, since a')
    expect(other.stdout).toContain('   claim:plan in pro,team: does not hold (it has "free", "basic")\n')
    expect(other.stdout).toContain('   client_version not semver <2: holds (it has none)\n')
    const keyless = await succeed(`rollout explain shop --claims '{"plan":"pro"}'`)
    expect(keyless.stdout).toContain('not for this request, which has no key (claim:sub)\n')
    const named = await succeed(`${line} --cookie feature_flag=new-stock`)
    expect(named.stdout).toBe('The request names feature flag "new-stock", so no rollout decides about it.\n')
    expect((await run('rollout explain shopp')).stderr).toContain('Did you mean "shop"?')
    expect(await run('rollout explain shop --claims sub')).toMatchObject({ exitCode: 2 })
    expect(await run('rollout explain shop --cookie sub')).toMatchObject({ exitCode: 2 })
    await succeed('rollout update new-stock --last')
  })

  it('explains in the words of a trace in which somebody stands in', async () => {
    await succeed('rollout update new-stock --before staff')
    const more =
      "--where 'header:X-Region starts_with eu' 'claim:roles equals editor' 'cookie:beta not exists'"
    await succeed(
      `rollout create region --graph shop --flag new-stock --percent 50 --key cookie:visitor header:X-User ${more} --before staff --require-live --wait 300`,
    )
    const token = (await succeed('router trace-token shop')).stdout.trim()
    const outcomes = new Set<string>()
    for (const [claims, headers, cookies] of REQUESTS) {
      const words = [
        `--claims '${JSON.stringify(claims)}'`,
        ...Object.entries(headers).map(([name, value]) => `--header '${name}: ${value}'`),
        ...Object.entries(cookies).map(([name, value]) => `--cookie '${name}=${value}'`),
      ]
      const { stdout } = await succeed(`rollout explain shop ${words.join(' ')}`)
      const explained = stdout.trimEnd().split('\n')
      const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      const trace = await tracedAs({ claims, headers: { ...headers, Cookie: cookie.join('; ') } }, token)
      const lines = rolloutLines(trace)
      const told = lines.flatMap(({ line, conditions }, index) => [
        `${index + 1}. ${line}`,
        ...conditions.map((condition) => `   ${condition}`),
      ])
      expect([...told, whyChosen(trace)].map(withoutValues)).toEqual(
        explained.filter((line) => !line.endsWith('since one before it decides')).map(withoutValues),
      )
      for (const { outcome } of trace.rollouts ?? []) outcomes.add(outcome)
    }
    expect([...outcomes].toSorted()).toEqual([
      'control',
      'inside',
      'no-key',
      'other-audience',
      'unknown-flag',
    ])
    await succeed('rollout delete region --force')
    await succeed('rollout update new-stock --last')
  })

  it('changes what is named, and keeps the rest', async () => {
    const before = await rolloutOf('new-stock')
    await succeed('rollout update new-stock --percent 25.5 --unset-where --expires 2099-01-01T00:00:00+01:00')
    expect(await rolloutOf('new-stock')).toMatchObject({
      ...before,
      state: expect.any(String),
      where: [],
      percent: 25.5,
      inForce: 25.5,
      expires: '2098-12-31T23:00:00.000Z',
    })
    await succeed('rollout update new-stock --unset-expires')
    expect(await rolloutOf('new-stock')).toMatchObject({ expires: null })
    const again = await succeed('rollout update new-stock --percent 25.5 --require-live')
    expect(again.stdout).toContain('is like this already')
    expect(again.stdout).toContain('live on 1/1 routers')
  })

  it('aborts, resumes and completes one, and keeps the percentage that was set', async () => {
    await succeed("rollout abort new-stock --reason 'errors in checkout'")
    expect((await succeed('rollout get new-stock')).stdout).toContain('0 (aborted, was 25.5)\n')
    expect((await run('rollout update new-stock --percent 30')).stderr).toContain('Resume it first')
    await succeed('rollout resume new-stock')
    expect((await run('rollout update new-stock --unset-key')).stderr).toContain('percent of whom?')
    await succeed('rollout update new-stock --percent 100 --unset-key')
    expect(await rolloutOf('new-stock')).toMatchObject({ key: [], percent: 100 })
    await succeed('rollout update new-stock --percent 25.5 --key claim:sub')
    await succeed('rollout complete new-stock')
    expect((await succeed('rollout get new-stock')).stdout).toContain('100 (completed, was 25.5)\n')
    expect((await succeed('audit --limit 10')).stdout).toContain('errors in checkout')
  })

  it('puts one on a ramp, pauses it, and shows where it is', async () => {
    await succeed('rollout resume new-stock')
    const begun = await succeed(
      'rollout ramp new-stock --steps 1,25,100 --every 30m --guard errors=+1pt,p99=1.3x --stop errors=20%',
    )
    expect(begun.stdout).toContain('1 percent of its audience are inside, the first of 3 steps')
    const { stdout } = await succeed('rollout get new-stock')
    expect(stdout).toMatch(/^ramp: +1, 25, 100: step 1 of 3 \(running, ends 20.*Z\)$/m)
    expect(stdout).toMatch(/^guards: +errors=\+1pt,p99=1\.3x$/m)
    expect(stdout).toMatch(/^emergency stop: +errors=20%$/m)
    expect((await run('rollout update new-stock --percent 30')).stderr).toContain('Pause the ramp first')
    await succeed("rollout pause new-stock --reason 'release freeze'")
    expect((await succeed('rollout get new-stock')).stdout).toContain('step 1 of 3 (paused)')
    await succeed('rollout resume new-stock')
    await succeed('rollout abort new-stock')
    expect((await succeed('rollout get new-stock')).stdout).toContain('step 1 of 3 (aborted)')
    const forgeable = await run('rollout ramp beta --steps 5,100 --every 1d')
    expect(forgeable).toMatchObject({ exitCode: 1 })
    expect(forgeable.stderr).toContain('The rollout has no key')
  })

  it('goes on to the next step, and ends a ramp at its last one', async () => {
    await succeed('rollout resume new-stock')
    await succeed('rollout ramp new-stock --steps 1,100 --every 30m')
    expect((await run('rollout end-ramp new-stock')).exitCode).toBe(1)
    await succeed("rollout advance new-stock --reason 'in a hurry'")
    expect((await succeed('rollout get new-stock')).stdout).toContain('step 2 of 2 (running')
    expect((await run('rollout advance new-stock')).exitCode).toBe(1)
    await succeed('rollout end-ramp new-stock')
    expect((await succeed('rollout get new-stock')).stdout).toContain('step 2 of 2 (ended')
    expect((await succeed('audit --limit 10')).stdout).toContain('in a hurry')
    await succeed('rollout abort new-stock')
  })

  it('asks before it deletes one', async () => {
    const refused = await run('rollout delete beta')
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain('its salt goes with it')
    expect(refused.stderr).toContain('that it decides now (all of them get base) go on to the next rollout')
    expect((await run('rollout delete betta', { terminal: true })).stderr).toContain('Did you mean "beta"?')
    await succeed('rollout delete beta --force')
    const flag = await run('ff delete new-stock')
    expect(flag.stderr).toContain('deleted with it, rollouts: new-stock, staff')
    expect((await run('namespace delete default')).stderr).toContain('rollouts: new-stock, staff')
  })

  it('is told as expired when it is over', async () => {
    const soon = new Date(Date.now() + 500).toISOString()
    await succeed(`rollout update staff --expires ${soon}`)
    await vi.waitFor(
      async () => expect((await succeed('rollout get staff')).stdout).toContain('0 (expired, was 100)\n'),
      PATIENTLY,
    )
  })

  it.each([
    ['create x --graph shop --percent 101', 'a number from 0 to 100'],
    ['create x --graph shop --percent 5%', 'not "5%"'],
    ["create x --graph shop --where 'claim:plan is pro'", '"is" is no test (did you mean in?)'],
    ['create x --graph shop --key sub', '"sub" is no key: expected claim:<path>'],
    ['create x --graph shop --mode dark', '--mode takes serve or shadow'],
    ['create x --graph shop --expires 2020-01-01T00:00:00Z', 'is over'],
    ['create x --graph shop --expires soon', 'takes a duration such as 90s'],
    ['create x', "'--graph <name>' not specified"],
    ['ramp x --steps 5,1 --every 1d', 'in ascending order'],
    ['ramp x --steps 5 --every soon', 'a duration from 1s to 30d'],
    ['ramp x --steps 5 --every 1d --guard errors=1', '"errors=1" is no guard'],
    ['ramp x --steps 5 --every 1d --stop errors=0%', 'at 1% or more'],
    ['update x', 'none was given'],
    ["update x --unset-where --where 'client exists'", 'contradict each other'],
    ['update x --unset-key --key claim:sub', 'contradict each other'],
    ['update x --last --before y', 'contradict each other'],
  ])('refuses %j before it asks the registry', async (line, says) => {
    const refused = await run(`rollout ${line}`)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain(says)
  })
})
