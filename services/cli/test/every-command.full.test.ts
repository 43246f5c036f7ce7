/** What holds for every command of the program, found by walking its tree. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CliOption } from '../src/command/command-tree.ts'
import { everyCommand } from './command-tree.ts'
import { type Run, runCommand } from './run-command.ts'

const COMMANDS = await everyCommand()
const Failure = z.strictObject({
  ok: z.literal(false),
  error: z.object({ type: z.string(), title: z.string(), code: z.string(), detail: z.string() }),
})
const Help = z.strictObject({
  ok: z.literal(true),
  result: z.object({ help: z.string() }),
  compositions: z.array(z.unknown()).length(0),
  routers: z.object({ serving: z.literal(0), total: z.literal(0) }),
})

function run(words: readonly string[], options: Parameters<typeof runCommand>[1] = {}): Promise<Run> {
  return runCommand(words, { env: { SWITCHYARD_API_KEY: 'swy_a_b' }, ...options })
}

/** For tests that run at once: a hook of `onTestFinished` may be called when another of them has finished. */
async function folderWith(files: Readonly<Record<string, string>>) {
  const folder = await temporaryDirectory()
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text)
  return folder
}

it('there are as many commands as people expect', () => {
  expect(COMMANDS.length).toBeGreaterThan(40)
  expect(new Set(COMMANDS.map(({ path }) => path)).size).toBe(COMMANDS.length)
})

describe.each(COMMANDS)('$path', ({ path, command }) => {
  const words = path.split(' ')

  it('says what it does, shows examples of itself, and has help under every name', async () => {
    expect(command.description()).toMatch(/^[a-z].{8,}[^.]$/s)
    expect(command.examples.length).toBeGreaterThan(0)
    const group = command.parent
    const names =
      group?.parent == null
        ? [words]
        : [group.name(), ...group.aliases()].map((name) => [...words.slice(0, -2), name, ...words.slice(-1)])
    for (const example of command.examples) {
      expect(
        names.some((name) => `${example} `.startsWith(`${name.join(' ')} `)),
        example,
      ).toBe(true)
    }
    for (const name of names) {
      const asked = await run([...name, '--help'])
      expect(asked).toMatchObject({ exitCode: 0, stderr: '' })
      expect(asked.stdout).toMatch(new RegExp(`^Usage: switchyard ${path} \\[options\\]`))
      expect(asked.stdout).toMatch(/\nExamples:\n {2}\$ switchyard [a-z_]/)
      expect((await run(['help', ...name])).stdout).toBe(asked.stdout)
    }
  })

  it('describes every option', () => {
    for (const option of command.options) expect(option.description, option.flags).toMatch(/^\S.+[^.]$/s)
  })

  it('takes --json, also for its help', async () => {
    expect(command.options.some(({ long }) => long === '--json')).toBe(true)
    const help = await run([...words, '--help', '--json'])
    expect(help).toMatchObject({ exitCode: 0, stderr: '' })
    expect(Help.parse(help.json()).result.help).toBe((await run([...words, '--help'])).stdout.trimEnd())
  })

  it('answers an unknown option with exit 2: words on stderr, or one JSON document on stdout', async () => {
    const text = await run([...words, '--no-such-option'])
    expect(text).toMatchObject({ exitCode: 2, stdout: '', became: null })
    expect(text.stderr).toMatch(/^error: unknown option '--no-such-option'\n/)
    const json = await run([...words, '--no-such-option', '--json'])
    expect(json).toMatchObject({ exitCode: 2, stderr: '' })
    expect(Failure.parse(json.json()).error.code).toBe('COMMAND_LINE_INVALID')
  })

  if (command.registeredArguments.some(({ required }) => required)) {
    it('answers a missing argument with exit 2', async () => {
      const text = await run(words)
      expect(text).toMatchObject({ exitCode: 2, stdout: '', became: null })
      expect(text.stderr).toMatch(/^error: (?:missing required argument|required option)/)
      const json = await run([...words, '-j'])
      expect(json).toMatchObject({ exitCode: 2, stderr: '' })
      expect(Failure.parse(json.json()).error.code).toBe('COMMAND_LINE_INVALID')
    })
  }
})

describe('commands that ask before they delete', () => {
  const ASKING_FIRST = COMMANDS.filter(({ command }) =>
    command.options.some(
      ({ long, helpGroupHeading }) => long === '--force' && helpGroupHeading === 'Shared options:',
    ),
  )
  // In parallel, since each looks for the registry several times before it gives up.
  it.concurrent.each(ASKING_FIRST)(
    '$path asks nothing where nobody can answer, and names --force',
    async ({ path, command }) => {
      const options = command.options
        .filter((option) => option instanceof CliOption && option.needed)
        .flatMap(({ long }) => [long ?? '', '1'])
      // Of a file it asks only before it deletes.
      const prune = command.options.some(({ long }) => long === '--prune') ? ['--prune'] : []
      await using folder = await folderWith({ x: 'version: 1\n' })
      const cwd = folder.path
      const line = [...path.split(' '), 'x', ...options, ...prune, '--registry-url', 'http://127.0.0.1:1']
      const [refused, json] = await Promise.all([
        run(line, { cwd }),
        run([...line, '--json'], { cwd, terminal: true, typed: 'y' }),
      ])
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
      expect(refused.stderr).toMatch(
        /^error: There is no terminal to ask on, so nothing was changed: say --force/,
      )
      expect(json).toMatchObject({ exitCode: 2, stderr: '' })
      expect(Failure.parse(json.json()).error.detail).toContain('--force')
    },
  )
})

describe('commands that ask the registry', () => {
  const ASKING = COMMANDS.filter(({ command }) =>
    command.options.some(({ long }) => long === '--data-dir'),
  ).filter(({ path }) => path !== 'up')
  // In parallel, since each waits for its retries.
  it.concurrent.each(ASKING)(
    '$path exits 3 when there is none, and says that nothing was changed',
    async ({ path, command }) => {
      await using folder = await folderWith({
        'a.graphql': 'type Query { a: Int }\n',
        'in.ndjson': '{}\n',
        x: 'version: 1\n',
      })
      const cwd = folder.path
      const values: Readonly<Record<string, string>> = {
        '--schema': 'a.graphql',
        '--routing-url': 'http://a',
        '--out': 'out',
        '--to': '1',
        '--scope': 'read',
        '--steps': '10,100',
        '--every': '1d',
      }
      const options = command.options
        .filter(
          (option) =>
            (option instanceof CliOption && option.needed) ||
            (path === 'registry export' && option.long === '--out'),
        )
        .flatMap(({ long }) => [long ?? '', values[long ?? ''] ?? 'x'])
      const some = command.options.flatMap(({ long }) =>
        ['--unset-labels', '--unset-where', '--unset-preview-hosts'].includes(long ?? '') ? [long ?? ''] : [],
      )
      const preview = /^preview (?:create|update)$/.test(path)
        ? ['--subgraph', 'a', '--routing-url', 'http://a']
        : []
      const matchers = path === 'federated-graph update' ? ['--unset-label-matchers'] : []
      const force = command.options.some(({ long }) => long === '--force') ? ['--force'] : []
      const schema =
        command.options.some(({ long, required }) => long === '--schema' && required) && options.length === 0
          ? ['--schema', 'a.graphql']
          : []
      const argument =
        command.registeredArguments.length === 0 ? [] : [path === 'registry import' ? 'in.ndjson' : 'x']
      if (path === 'config diff') argument.push('1', 'latest')
      const line = [
        ...path.split(' '),
        ...argument,
        ...options,
        ...some,
        ...preview,
        ...matchers,
        ...force,
        ...schema,
      ]
      const env = { SWITCHYARD_REGISTRY_URL: 'http://127.0.0.1:1', SWITCHYARD_API_KEY: 'swy_a_b' }
      const [text, json] = await Promise.all([
        runCommand(line, { cwd, env }),
        runCommand([...line, '--json'], { cwd, env }),
      ])
      expect(text, line.join(' ')).toMatchObject({ exitCode: 3, stdout: '' })
      expect(text.stderr).toMatch(
        /(?:^|\n)error: The registry at \S+ cannot be reached: .*Nothing was changed\. Is SWITCHYARD_REGISTRY_URL right\?/,
      )
      expect(Failure.parse(json.json()).error.code).toBe('REGISTRY_UNREACHABLE')
    },
  )
})
