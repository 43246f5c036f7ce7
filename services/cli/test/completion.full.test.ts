/** Completion: what may come next, and bash itself asking for it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bareEnvironment, programFile } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from './run-command.ts'
import { type StartedUp, startUp } from './start-up.ts'
import { createFolder } from './workspace.ts'

const MAIN = programFile('services/cli/src/main.ts')
/** Asked with no registry. */
async function offers(line: string, env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const run = await runCommand(['__complete', '--', ...line.split(' ')], { env, cwd: await createFolder({}) })
  expect(run).toMatchObject({ exitCode: 0, stderr: '' })
  return run.stdout.split('\n').flatMap((text) => (text === '' ? [] : [text.split('\t')[0] ?? '']))
}

describe('what may come next', () => {
  it.each([
    [
      '',
      expect.arrayContaining([
        'namespace',
        'federated-graph',
        'feature-flag',
        'router',
        'completion',
        'help',
      ]),
    ],
    ['name', ['namespace']],
    // An alias, for who began to type it.
    ['gr', ['graph']],
    ['ff', ['ff']],
    ['graph ', ['create', 'update', 'delete', 'list', 'get', 'fetch']],
    ['graph up', ['update']],
    ['nonsense ', []],
    ['graph nonsense ', []],
    ['graph update shop --l', ['--label-matcher']],
    [
      'graph update shop --',
      expect.arrayContaining([
        '--unset-label-matchers',
        '--namespace',
        '--json',
        '--wait',
        '--no-wait',
        '--help',
      ]),
    ],
    ['graph list -', expect.arrayContaining(['--namespace', '--json'])],
    ['graph list --json --j', []],
    ['graph list ', expect.arrayContaining(['--namespace', '--json'])],
    // Known, so that its refusal can say why; nobody should be led to it.
    ['fs create x --lab', []],
    ['completion ', ['bash', 'zsh', 'fish']],
    ['completion z', ['zsh']],
    ['subgraph publish x --schema ', [':file']],
    ['subgraph publish x --schema=', [':file']],
    ['subgraph publish x --output ', expect.arrayContaining(['text', 'json', 'github'])],
    ['subgraph publish x --output=gi', ['--output=github']],
    ['graph fetch shop --out ', [':folder']],
    ['graph list --data-dir ', [':folder']],
    // A list goes on until the next option.
    ['ff create x --label a=1 b=2 --fs', []],
    ['ff create x --label a=1 --f', ['--feature-subgraphs']],
    ['graph create ', []],
    ['help ', []],
  ])('after "%s"', async (line, expected) => {
    expect(await offers(line)).toEqual(expected)
  })

  it('says what each candidate does', async () => {
    const run = await runCommand(['__complete', '--', 'graph', 'cr'])
    expect(run.stdout).toBe('create\tcreate a federated graph\n')
  })

  it('offers no names when the registry does not answer, and keeps silent', async () => {
    const env = { SWITCHYARD_REGISTRY_URL: 'http://127.0.0.1:1', SWITCHYARD_API_KEY: 'swy_a_b' }
    expect(await offers('graph get ', env)).toEqual([])
  })
})

describe('in a shell, with a registry', () => {
  let up: StartedUp
  beforeAll(async () => {
    up = await startUp()
    await writeFile(join(up.folder, 'some file.graphql'), 'type Query { a: Int }\n')
    await writeFile(join(up.folder, 'products.graphql'), 'type Query { a: Int }\n')
    for (const line of [
      'graph create shop',
      'graph create team/admin@eu',
      'subgraph create products --routing-url http://a',
      'fs create products-next --subgraph products --routing-url http://a',
      'ff create new-pricing --fs products-next',
      'rollout create new-pricing --graph shop',
      'namespace create staging',
      'graph create elsewhere -n staging',
    ]) {
      const env = { SWITCHYARD_REGISTRY_URL: up.registryUrl }
      const run = await runCommand([...line.split(' '), '--no-wait'], { cwd: up.folder, env })
      expect(run, line).toMatchObject({ exitCode: 0 })
    }
  })
  afterAll(() => up[Symbol.asyncDispose]())

  /**
   * What Tab offers at the end of `line`, asked as bash asks: it calls the function that `complete -F` names.
   */
  async function tab(line: string): Promise<readonly string[]> {
    const script = `
switchyard() { "${process.execPath}" --disable-warning=ExperimentalWarning "${MAIN}" "$@"; }
source <(switchyard completion bash) || exit 9
complete -p switchyard >/dev/null || exit 8
COMP_LINE=$1 COMP_POINT=\${#1}
_switchyard
printf '%s\\n' "\${COMPREPLY[@]}"`
    const child = spawn('bash', ['--norc', '--noprofile', '-c', script, 'bash', line], {
      cwd: up.folder,
      env: bareEnvironment({ SWITCHYARD_REGISTRY_URL: up.registryUrl }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    await once(child, 'close')
    expect({
      code: child.exitCode,
      stderr: stderr.replace(/^.*compopt: not currently executing.*\n/gm, ''),
    }).toEqual({ code: 0, stderr: '' })
    return stdout.split('\n').filter((text) => text !== '')
  }

  it.each([
    ['switchyard feat', ['feature-subgraph', 'feature-flag']],
    ['switchyard graph upd', ['update']],
    ['switchyard graph get ', ['shop', 'team/admin@eu']],
    ['switchyard graph get s', ['shop']],
    // Bash takes "@" for the end of a word, and replaces what follows it.
    ['switchyard graph get team/admin@', ['eu']],
    ['switchyard graph get -n staging ', ['elsewhere']],
    ['switchyard graph list --namespace ', ['default', 'staging']],
    ['switchyard graph list --namespace=st', ['staging']],
    ['switchyard fs publish x --subgraph ', ['products']],
    ['switchyard subgraph get ', ['products', 'products-next']],
    ['switchyard fs get ', ['products-next']],
    ['switchyard ff create f --fs ', ['products-next']],
    ['switchyard ff create f --fs products-next ', ['products-next']],
    ['switchyard ff enable ', ['new-pricing']],
    ['switchyard rollout get ', ['new-pricing']],
    ['switchyard rollout create x --mode ', ['serve', 'shadow']],
    ['switchyard subgraph publish products --schema p', ['products.graphql']],
    ['switchyard subgraph publish products --schema some', ['some file.graphql']],
    ['switchyard subgraph publish products --schema=prod', ['products.graphql']],
  ])('bash completes "%s"', async (line, expected) => {
    expect(await tab(line)).toEqual(expected)
  })

  it.each(['zsh', 'fish'])('%s gets a script that asks for the words so far', async (shell) => {
    const { stdout, exitCode } = await runCommand(['completion', shell])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/switchyard __complete -- .*words\[2/)
    expect(stdout).toContain(':folder')
  })

  it('refuses another shell by name', async () => {
    const run = await runCommand(['completion', 'tcsh'])
    expect(run).toMatchObject({ exitCode: 2, stdout: '' })
    expect(run.stderr).toBe('error: There is no completion for "tcsh"; there is one for bash, zsh, fish.\n')
  })
})
