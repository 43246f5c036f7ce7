/** Changing, looking at and deleting what is in a registry. The steps of a scenario build on each other. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ExecutionConfigFile } from '@switchyard/contracts'
import { PATIENTLY } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type Run, runCommand, type RunOptions } from './run-command.ts'
import { type StartedUp, startUp } from './start-up.ts'

const SCHEMAS = {
  'products.graphql':
    'type Query { product: Product }\ntype Product @key(fields: "id") { id: ID! name: String }\n',
  'stock.graphql': 'type Query { depot: Int }\ntype Product @key(fields: "id") { id: ID! inStock: Int }\n',
  'stock-next.graphql':
    'type Query { depot: Int }\ntype Product @key(fields: "id") { id: ID! inStock: Int shelf: String }\n',
  'clash.graphql': 'type Query { depot: Int product: Int }\n',
}
const URL_OPTION = '--routing-url http://127.0.0.1:9/graphql'

let up: StartedUp
beforeAll(async () => {
  up = await startUp()
  for (const [name, sdl] of Object.entries(SCHEMAS)) await writeFile(join(up.folder, name), sdl)
  await succeed('graph create shop --label-matcher team=shop')
  await succeed(`subgraph publish a/products@eu --schema products.graphql ${URL_OPTION} --label team=shop`)
  await succeed(`subgraph publish stock --schema stock.graphql ${URL_OPTION} --label team=shop`)
  await succeed(`fs publish stock-next --schema stock-next.graphql --subgraph stock ${URL_OPTION}`)
  await succeed('ff create new/shelves --fs stock-next --label team=shop --enabled --require-live --wait 300')
})
afterAll(() => up[Symbol.asyncDispose]())

function run(line: string, options: RunOptions = {}): Promise<Run> {
  const env = { SWITCHYARD_REGISTRY_URL: up.registryUrl }
  return runCommand(line.split(' '), { cwd: up.folder, env, ...options })
}
async function succeed(line: string): Promise<Run> {
  const result = await run(line)
  expect(result, line).toMatchObject({ exitCode: 0 })
  return result
}
async function resultOf(line: string): Promise<unknown> {
  return (await succeed(`${line} --json`)).json()['result']
}

describe('looking at things', () => {
  it('shows a graph with its flags and who serves it', async () => {
    const { stdout, stderr } = await succeed('graph get shop')
    expect(stderr).toBe('')
    expect(stdout.split('\n')).toEqual([
      'name:           shop',
      'namespace:      default',
      'label matchers: team=shop',
      expect.stringMatching(/^public URL: {5}http:\/\/127\.0\.0\.1:\d+\/graphql$/),
      'base:           composed',
      expect.stringMatching(/^revision: {7}\d+$/),
      'routers:        1/1 serve it',
      'subgraphs:',
      '  a/products@eu',
      '  stock',
      'feature flags:',
      '  new/shelves: served',
      '',
    ])
    expect((await succeed('graph get shop --json')).json()).toMatchObject({
      ok: true,
      result: { name: 'shop', featureFlags: [{ name: 'new/shelves', state: 'served' }] },
      compositions: [{ featureFlag: null }, { featureFlag: 'new/shelves' }],
      routers: { serving: 1, total: 1 },
    })
  })

  it('shows subgraphs and feature subgraphs, each by its kind', async () => {
    expect((await succeed('subgraph get stock')).stdout).toMatch(
      /kind: +subgraph\n[^]*feature subgraphs:\n {2}stock-next\nfederated graphs:\n {2}shop\n$/,
    )
    expect((await succeed('fs get stock-next')).stdout).toMatch(
      /kind: +feature subgraph\n[^]*replaces: +stock\nfeature flags:\n {2}new\/shelves\n/,
    )
    expect(await run('fs get stock')).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('use "switchyard subgraph get"'),
    })
  })

  it('prints a published schema as it was published', async () => {
    expect((await succeed('subgraph get stock --schema')).stdout).toBe(SCHEMAS['stock.graphql'])
    expect(await resultOf('fs get stock-next --schema')).toMatchObject({ sdl: SCHEMAS['stock-next.graphql'] })
  })

  it('shows a flag in every graph, and what each of its compositions lacks', async () => {
    expect((await succeed('ff get new/shelves')).stdout).toMatch(
      /state: +new\n[^]*federated graphs:\n {2}shop: served\n$/,
    )
    expect((await run('fs publish stock-next --schema clash.graphql')).exitCode).toBe(4)
    const { stdout } = await succeed('ff get new/shelves')
    expect(stdout).toMatch(/ {2}shop: not served: /)
    expect(stdout).toMatch(
      /error: shop with flag new\/shelves does not compose; requests that name the flag get the base graph\./,
    )
    // The lines of schemas that are not on this machine, too.
    expect(stdout).toContain('a/products@eu:1:')
    expect(stdout).toContain('type Query { product: Product }')
    expect((await succeed('ff get new/shelves --json')).json()).toMatchObject({
      ok: true,
      compositions: [
        {
          graph: 'shop',
          featureFlag: 'new/shelves',
          status: 'failed',
          errors: [{ code: expect.any(String) }],
        },
      ],
    })
    await succeed('fs publish stock-next --schema stock-next.graphql')
  })

  it.each([
    'graph get',
    'subgraph get',
    'fs get',
    'ff get',
    'config history',
    'config fetch',
    'graph update --unset-label-matchers',
    'subgraph update --unset-labels',
    'ff update --unset-labels',
    'config release',
  ])('says that there is no such thing: %s nobody', async (line) => {
    const [group = '', verb = '', ...options] = line.split(' ')
    const command = [group, verb, 'nobody', ...options].join(' ')
    expect(await run(command)).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(/^error: .*"nobody"/),
    })
    expect((await run(`${command} --json`)).json()).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
  })
})

describe('deleting where nobody can be asked', () => {
  it.each([
    ['subgraph delete nobody', /There is no subgraph "nobody"/],
    ['ff delete nobody', /There is no feature flag "nobody"/],
    ['namespace delete nowhere', /There is no namespace "nowhere"|namespace "nowhere"/],
  ])('says first what is not there: %s', async (line, says) => {
    expect(await run(line)).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringMatching(says) })
  })

  it('names --force for what is there', async () => {
    expect(await run('graph delete shop')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('say --force'),
    })
  })
})

describe('fetching a graph', () => {
  it('writes every file of it, and names with "/" stay inside the folder', async () => {
    const { stdout } = await succeed('graph fetch shop --out files')
    const names = [
      'config.json',
      'subgraphs/a%2Fproducts%40eu.graphql',
      'subgraphs/stock-next.graphql',
      'subgraphs/stock.graphql',
      'supergraph.graphql',
      'supergraphs/new%2Fshelves.graphql',
    ]
    expect(stdout).toMatch(/^Federated graph "shop" is in files: 6 files\.\n/)
    expect(await filesIn('files')).toEqual(names)
    expect(await readFile(join(up.folder, 'files/subgraphs/a%2Fproducts%40eu.graphql'), 'utf8')).toBe(
      SCHEMAS['products.graphql'],
    )
    const config = ExecutionConfigFile.parse(
      JSON.parse(await readFile(join(up.folder, 'files/config.json'), 'utf8')),
    )
    expect(await readFile(join(up.folder, 'files/supergraph.graphql'), 'utf8')).toBe(
      config.base.supergraphSdl,
    )
    expect(await readFile(join(up.folder, 'files/supergraphs/new%2Fshelves.graphql'), 'utf8')).toBe(
      config.featureFlags['new/shelves']?.supergraphSdl,
    )
    // What was fetched is what `plan` takes.
    await writeFile(join(up.folder, 'query.graphql'), '{ depot }')
    await succeed('plan --execution-config files/config.json --query query.graphql --flag new/shelves')
  })

  it('gives names that differ only in case files that no file system takes for one', async () => {
    await succeed('namespace create cased')
    await succeed('graph create g -n cased')
    for (const [index, name] of ['Users', 'users', 'US/ers', 'alone', 'Alone-not'].entries()) {
      await writeFile(join(up.folder, 'one.graphql'), `type Query { field${index}: Int }\n`)
      await succeed(`subgraph publish ${name} --schema one.graphql ${URL_OPTION} -n cased`)
    }
    await vi.waitFor(async () => {
      const { base } = ExecutionConfigFile.parse(
        JSON.parse((await succeed('config fetch g -n cased')).stdout),
      )
      expect(base.subgraphs).toHaveLength(5)
    }, PATIENTLY)
    await succeed('graph fetch g --out cased -n cased')
    expect(await filesIn('cased')).toEqual([
      'config.json',
      'subgraphs/%55sers.graphql',
      'subgraphs/Alone-not.graphql',
      'subgraphs/US%2Fers.graphql',
      'subgraphs/alone.graphql',
      'subgraphs/users.graphql',
      'supergraph.graphql',
    ])
    expect(await readFile(join(up.folder, 'cased/subgraphs/%55sers.graphql'), 'utf8')).toContain('field0')
    await succeed('namespace delete cased --force')
  })

  it('leaves what is the same alone, and replaces what differs only with --force', async () => {
    expect((await succeed('graph fetch shop --out files')).stdout).toContain('6 files, 6 of them unchanged')
    await writeFile(join(up.folder, 'files/supergraph.graphql'), 'mine')
    const refused = await run('graph fetch shop --out files')
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toMatch(
      /nothing was written\. --force replaces them\.\n {2}supergraph\.graphql\n$/,
    )
    expect(await readFile(join(up.folder, 'files/supergraph.graphql'), 'utf8')).toBe('mine')
    expect(await resultOf('graph fetch shop --out files --force')).toMatchObject({
      written: ['supergraph.graphql'],
    })
  })

  it('writes nothing through a link out of the folder, or where a file is in the way', async () => {
    await mkdir(join(up.folder, 'outside'))
    await mkdir(join(up.folder, 'linked'))
    await symlink(join(up.folder, 'outside'), join(up.folder, 'linked/subgraphs'))
    const refused = await run('graph fetch shop --out linked --force')
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain('linked/subgraphs is a link out of the folder; nothing was written')
    expect(await readdir(join(up.folder, 'outside'))).toEqual([])
    const inTheWay = await run('graph fetch shop --out products.graphql')
    expect(inTheWay).toMatchObject({ exitCode: 2, stdout: '' })
    expect(inTheWay.stderr).toMatch(/^error: products\.graphql cannot be made a folder: .* is no folder\n$/)
  })

  it.runIf(existsSync('/proc/self'))('ends where no folder can be made', async () => {
    const refused = await run('graph fetch shop --out /proc/no-such')
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain('/proc is there but takes no new folders')
  })
})

describe('revisions', () => {
  it('are listed newest first, with the one that is served', async () => {
    const { stdout } = await succeed('config history shop')
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    const revisions = rows.flatMap(([revision]) => (revision === '' ? [] : [Number(revision)]))
    expect(revisions).toEqual([...revisions].toSorted((a, b) => b - a))
    expect(revisions.at(-1)).toBe(1)
    const states = rows.flatMap(([revision, state]) => (revision === '' ? [] : [state]))
    expect(states).toEqual(['served', ...states.slice(1).map(() => '-')])
    expect((await succeed('config history shop --limit 1')).stdout.split('\n')).toHaveLength(2)
  })

  it('can be gone back to, and let go', async () => {
    const back = await succeed('config rollback shop --to 1 --force --require-live')
    expect(back.stdout).toMatch(/^Federated graph "shop" is held on revision 1\.\n/)
    expect(back.stdout).toContain('live on 1/1 routers')
    // What is composed is the same; what is served is not.
    expect(back.stdout).not.toContain('unchanged')
    expect((await succeed('graph list')).stdout).toMatch(/\d+ \(held on 1\)\n$/)
    expect((await succeed('config history shop')).stdout).toMatch(
      /^\d+\tserved\t\S+\trolled back to revision 1\tbootstrap\t-\t[^]*\n1\tpinned\t/,
    )
    expect(await resultOf('config rollback shop --to 1 --force')).toMatchObject({ changed: false })
    expect(await run('config rollback shop --to 999 --force')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('999'),
    })
    expect((await succeed('config release shop')).stdout).toContain('follows the newest revision again')
    expect(await resultOf('config release shop')).toMatchObject({ changed: false })
    expect((await succeed('graph get shop')).stdout).toMatch(/feature flags:\n {2}new\/shelves: served/)
  })

  it('say which command made each of them, with whose key and why, and print foreign text safely', async () => {
    const created = await resultOf('api-key create release-bot --scope deploy:default')
    const { key } = z.object({ key: z.string() }).parse(created)
    const { id } = z.object({ id: z.string() }).parse(created)
    const env = { SWITCHYARD_REGISTRY_URL: up.registryUrl, SWITCHYARD_API_KEY: key }
    const reason = 'too slow\u001b[31m\nfor \u202eus'
    const words = ['ff', 'disable', 'new/shelves', '--reason', reason]
    expect(await runCommand(words, { cwd: up.folder, env })).toMatchObject({ exitCode: 0 })
    const newest = { what: 'feature flag "new/shelves" disabled', by: `release-bot (key:${id})` }
    await vi.waitFor(async () => {
      const [row = ''] = (await succeed('config history shop')).stdout.split('\n')
      expect(row.split('\t').slice(3)).toEqual([newest.what, newest.by, 'too slow[31m for us', '-'])
    }, PATIENTLY)
    expect(await resultOf('config history shop --limit 1')).toMatchObject({
      revisions: [
        {
          reason: 'removal',
          changes: [{ actor: `key:${id}`, apiKey: 'release-bot', reason, summary: newest.what }],
          changeCount: 1,
        },
      ],
    })
    const table = (await run('config history shop', { terminal: true, columns: 200 })).stdout
    expect(table).toMatch(/WHAT +BY +WHY +FEATURE FLAGS/)
    expect(table).not.toContain('\u202e')
    await succeed('ff enable new/shelves')
  })

  it('keep reasons of 500 characters and no longer ones', async () => {
    const line = 'ff enable new/shelves --reason'
    expect(await run(`${line} ${'x'.repeat(500)}`)).toMatchObject({ exitCode: 0 })
    const refused = await run(`${line} ${'x'.repeat(501)}`)
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('the one given has 501') })
  })

  it('can be fetched in the form of a file', async () => {
    const first = ExecutionConfigFile.parse(
      JSON.parse((await succeed('config fetch shop --revision 1')).stdout),
    )
    expect(first.base.subgraphs.map(({ name }) => name)).toEqual(['a/products@eu'])
    expect(first.featureFlags).toEqual({})
    const newest = ExecutionConfigFile.parse(await resultOf('config fetch shop'))
    expect(Object.keys(newest.featureFlags)).toEqual(['new/shelves'])
    const result = await resultOf('config fetch shop --flag new/shelves --out fetched.json')
    expect(result).toEqual({ out: 'fetched.json', featureFlags: ['new/shelves'] })
    expect(JSON.parse(await readFile(join(up.folder, 'fetched.json'), 'utf8'))).toEqual(newest)
    expect((await run('config fetch shop --revision 999')).exitCode).toBe(1)
  })
})

describe('changing things', () => {
  it('moves subgraphs between graphs by their labels', async () => {
    await succeed('graph create depot --label-matcher team=depot')
    const moved = await succeed('subgraph update stock --label team=depot')
    expect(moved.stdout).toMatch(/Subgraph "stock" was updated\.\n {2}depot +composed\n {2}shop +composed\n/)
    // A command waits for the revision of a graph only where a router follows it; nobody follows depot.
    await vi.waitFor(
      async () =>
        expect((await succeed('graph list')).stdout).toMatch(
          /^depot\tteam=depot\tcomposed\tstock\t\d+\nshop\tteam=shop\tcomposed\ta\/products@eu\t\d+\n$/,
        ),
      PATIENTLY,
    )
    expect(await resultOf('subgraph update stock --label team=depot')).toMatchObject({ changed: false })
    await succeed('subgraph update stock --label team=shop')
  })

  it('replaces matchers, or removes them with a warning when nothing is left', async () => {
    await succeed('graph update depot --label-matcher team=shop,team=depot')
    expect((await succeed('graph get depot')).stdout).toContain('label matchers: team=depot,team=shop\n')
    const emptied = await succeed('graph update depot --unset-label-matchers')
    expect(emptied.stdout).toMatch(/ {2}depot +nothing to compose yet\n/)
    expect(emptied.stderr).toMatch(/^warning: /)
  })

  it('changes routing URLs without composing anew what stays the same', async () => {
    await succeed('subgraph update stock --routing-url http://127.0.0.1:8/graphql')
    await succeed('graph update depot --public-url https://depot.example.com/graphql')
    expect((await succeed('graph get depot')).stdout).toContain('https://depot.example.com/graphql')
    await succeed('graph update depot --unset-public-url')
    expect(await resultOf('graph get depot')).toMatchObject({ publicUrl: null })
    await succeed('fs update stock-next --routing-url http://127.0.0.1:8/graphql')
    expect((await succeed('fs list')).stdout).toBe(
      'stock-next\tstock\tpublished\thttp://127.0.0.1:8/graphql\n',
    )
    expect(await run('fs update stock --routing-url http://127.0.0.1:8/graphql')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('use "switchyard subgraph update"'),
    })
  })

  it('replaces the labels and members of a flag, and removes its labels', async () => {
    await succeed('ff update new/shelves --unset-labels')
    expect((await succeed('ff list')).stdout).toMatch(/^new\/shelves\tnew\tnot since [^\t]+\t-\tstock-next\t/)
    const back = await succeed('ff update new/shelves --label team=shop --fs stock-next')
    expect(back.stdout).toMatch(/shop with flag new\/shelves {2}composed, as known from before\n/)
    expect(await resultOf('ff update new/shelves --label team=shop')).toMatchObject({ changed: false })
    const refused = await run('ff update new/shelves --fs stock nobody')
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr.match(/"nobody"/g)).toHaveLength(1)
  })

  it('does not count an older failure against a command, and says so', async () => {
    expect((await run('fs publish stock-next --schema clash.graphql')).exitCode).toBe(4)
    const later = await run('subgraph publish a/products@eu --schema products.graphql --json')
    expect(later.json()).toMatchObject({ ok: true, result: { changed: false } })
    const other = await run('subgraph update a/products@eu --label team=shop x=1')
    expect(other).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('still fails as before, not because of this command'),
    })
    await succeed('fs publish stock-next --schema stock-next.graphql')
  })

  const WRONG: readonly (readonly [string, RegExp])[] = [
    ['graph update shop', /changes nothing without --label-matcher, --unset-label-matchers/],
    [
      'graph update shop --label-matcher a=1 --unset-label-matchers',
      /--label-matcher and --unset-label-matchers contradict each other/,
    ],
    ['graph update shop --public-url https://a/ --unset-public-url', /contradict each other/],
    ['graph update shop --public-url https://*/', /no valid public URL/],
    ['subgraph update stock', /none was given/],
    ['subgraph update stock --label a=1 --unset-labels', /contradict each other/],
    ['subgraph update stock --routing-url ftp://a', /no valid routing URL/],
    ['fs update stock-next', /required option '--routing-url <url>' not specified/],
    ['fs update stock-next --routing-url http://a --label a=1', /A feature subgraph has no labels/],
    ['ff update new/shelves', /none was given/],
    ['ff update new/shelves --label a=1 --unset-labels', /contradict each other/],
    ['config rollback shop --force', /required option '--to <revision>' not specified/],
    ['config rollback shop --to 0 --force', /--to takes a number from 1 on, not "0"/],
    ['config rollback shop --to x --force', /--to takes a number from 1 on, not "x"/],
    ['ff enable new/shelves --reason=', /--reason takes a text of 1 to 500 characters/],
    ['config history shop --limit -1', /argument missing|--limit takes a number/],
    ['config fetch shop --revision 1.5', /--revision takes a number/],
    ['graph fetch shop', /required option '--out <dir>' not specified/],
    ['ff enable new/shelves --wait soon', /number of seconds from 1 to 9999/],
  ]
  it.each(WRONG)('exits 2 for a line that cannot be meant: %s', async (line, says) => {
    const wrong = await run(line)
    expect(wrong).toMatchObject({ exitCode: 2, stdout: '' })
    expect(wrong.stderr).toMatch(says)
    expect((await run(`${line} --json`)).json()).toMatchObject({
      ok: false,
      error: { code: 'COMMAND_LINE_INVALID' },
    })
  })
})

describe('directives that say who may see a field', () => {
  const GUARDED = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.11", import: [{ name: "@authenticated", as: "@auth" }])
type Query {
  secret: Int @auth
}
`
  const PUBLISH = `subgraph publish vault -n guarded --schema vault.graphql ${URL_OPTION}`
  const WARNING = 'hint[AUTHORIZATION_NOT_ENFORCED]: [vault] @auth is not enforced by the router'

  it('compose without a warning, since routers enforce them', async () => {
    await writeFile(join(up.folder, 'vault.graphql'), GUARDED)
    await succeed('namespace create guarded')
    await succeed('graph create safe -n guarded')
    const published = await succeed(PUBLISH)
    expect(published.stderr).not.toContain('AUTHORIZATION')
    const checked = await run('subgraph check vault -n guarded --schema vault.graphql')
    expect(checked).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('is this one already') })
  })

  it('compose with a warning where the graph allows that nobody enforces them, and every answer repeats it', async () => {
    const allowed = await succeed('graph update safe -n guarded --allow-unenforced-authorization')
    expect(allowed.stdout).toMatch(/safe +composed/)
    expect(allowed.stderr).toContain(WARNING)
    expect((await succeed('graph get safe -n guarded')).stdout).toMatch(
      /unenforced authorization: allowed\n[^]*hint\[AUTHORIZATION_NOT_ENFORCED\]: /,
    )
    await succeed(`fs publish vault-next -n guarded --schema vault.graphql --subgraph vault ${URL_OPTION}`)
    for (const line of [
      'ff create open -n guarded --fs vault-next --enabled',
      'subgraph publish other -n guarded --schema stock.graphql --routing-url http://127.0.0.1:9/graphql',
      'subgraph check other -n guarded --delete',
      'ff diff open -n guarded',
      'ff get open -n guarded',
    ]) {
      const { stdout, stderr } = await run(line)
      expect(`${stdout}${stderr}`, line).toContain('AUTHORIZATION_NOT_ENFORCED')
    }
    const listed = await succeed('graph list -n guarded --json')
    expect(listed.json()).toMatchObject({ result: { graphs: [{ allowUnenforcedAuthorization: true }] } })
  })

  it('are enforced again when the graph does not allow it any more', async () => {
    const enforced = await run('graph update safe -n guarded --refuse-unenforced-authorization --json')
    expect(enforced.exitCode).toBe(0)
    expect(enforced.json()).toMatchObject({
      compositions: [
        { featureFlag: null, status: 'composed', hints: [] },
        { featureFlag: 'open', status: 'composed' },
      ],
    })
    expect((await succeed('graph get safe -n guarded --json')).json()).toMatchObject({
      result: { allowUnenforcedAuthorization: false },
    })
  })

  it.each(['graph update shop --allow-unenforced-authorization --refuse-unenforced-authorization'])(
    'need a command line that can be meant: %s',
    async (line) => {
      expect(await run(line)).toMatchObject({ exitCode: 2, stdout: '' })
    },
  )
})

describe('subscriptions', () => {
  it('are accepted, with a hint at once that routers serve them only where that is switched on', async () => {
    await writeFile(
      join(up.folder, 'news.graphql'),
      'type Query { news: Int }\ntype Subscription { latest: Int }\n',
    )
    await succeed('namespace create live')
    await succeed('graph create paper -n live')
    const line = `subgraph publish news -n live --schema news.graphql ${URL_OPTION}`
    const published = await succeed(line)
    expect(published.stderr).toContain(
      `hint[SUBSCRIPTIONS_NOT_SERVED]: [news] Subscriptions are served only by routers with subscriptions.enabled`,
    )
    expect(published.stderr).toContain('  --> news.graphql:2:6 (subgraph news)')
    await writeFile(
      join(up.folder, 'news.graphql'),
      'type Query { news: Int }\ntype Subscription { latest: Int next: Int }\n',
    )
    expect((await succeed(`${line} --json`)).json()).toMatchObject({
      compositions: [{ status: 'composed', hints: [{ code: 'SUBSCRIPTIONS_NOT_SERVED' }] }],
    })
  })
})

describe('deleting things', () => {
  it('takes along what depends on it, and says so', async () => {
    await succeed('ff delete new/shelves --force')
    expect(await run('ff delete new/shelves --force')).toMatchObject({ exitCode: 1 })
    await succeed('ff create again --fs stock-next --label team=shop --enabled')
    await succeed('fs delete stock-next --force')
    expect((await succeed('ff get again')).stdout).toMatch(/feature subgraphs: +-\n/)
    const gone = await succeed('subgraph delete stock --force --require-live')
    expect(gone.stdout).toMatch(/Subgraph "stock" was deleted\.[^]*shop +composed[^]*live on 1\/1 routers/)
    expect((await succeed('subgraph list')).stdout).toMatch(/^a\/products@eu\t/)
  })

  it('deletes namespaces but the one that always exists', async () => {
    await succeed('namespace create temporary')
    await succeed('graph create g -n temporary')
    for (const name of ['temporary', 'guarded', 'live']) {
      expect((await succeed(`namespace delete ${name} --force`)).stdout).toContain(
        'was deleted with everything in it',
      )
    }
    expect((await succeed('namespace list')).stdout).toBe('default\n')
    const refused = await run('namespace delete default --force --json')
    expect(refused.exitCode).toBe(1)
    expect(refused.json()).toMatchObject({ ok: false, error: { code: 'NAMESPACE_PROTECTED' } })
  })

  it('stops serving a graph that is deleted', async () => {
    expect((await succeed('graph delete shop --force')).stdout).toContain(
      'Federated graph "shop" was deleted.',
    )
    await vi.waitFor(
      async () => expect((await succeed('router list')).stdout).toContain('\tgraph-deleted\t'),
      PATIENTLY,
    )
  })
})

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(up.folder, folder), { recursive: true, withFileTypes: true })
  const root = join(up.folder, folder)
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted()
}
