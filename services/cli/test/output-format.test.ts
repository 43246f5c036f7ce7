import { describe, expect, it } from 'vitest'
import { runCommand } from './run-command.ts'
import { readWorkflowCommands } from './workflow-commands.ts'
import { createFolder } from './workspace.ts'

const BAD = { 'sub/bad.graphql': 'type Query {\n  a: [Int\n}\n' }
/** No registry: everything here is decided before it is asked. */
const REGISTRY = { SWITCHYARD_API_KEY: 'swy_a_b' }

describe('commands that report on schemas', () => {
  const READING = ['subgraph publish x', 'fs publish x', 'subgraph check x', 'fs check x']

  it.each(READING)('%s exits 1 and points into a file that is no schema', async (command) => {
    const cwd = await createFolder(BAD)
    const words = [...command.split(' '), '--schema', 'sub/bad.graphql']
    const text = await runCommand(words, { cwd, env: REGISTRY })
    expect(text).toMatchObject({ exitCode: 1, stdout: '' })
    expect(text.stderr).toMatch(/sub\/bad\.graphql:3:1: Syntax Error/)

    const github = await runCommand([...words, '--output', 'github'], { cwd, env: REGISTRY })
    expect(github.exitCode).toBe(1)
    expect(readWorkflowCommands(github.stdout)).toEqual([
      {
        command: 'error',
        properties: { file: 'sub/bad.graphql', line: '3', col: '1', endColumn: '2', title: 'SCHEMA_INVALID' },
        message: expect.stringMatching(/^Syntax Error/),
      },
    ])

    for (const asked of [['--output', 'json'], ['--output=json'], ['--json'], ['-j']]) {
      const json = await runCommand([...words, ...asked], { cwd, env: REGISTRY })
      expect(json).toMatchObject({ exitCode: 1, stderr: '' })
      expect(json.json()).toMatchObject({
        ok: false,
        error: { code: 'SCHEMA_INVALID', locations: [{ file: 'sub/bad.graphql', line: 3, column: 1 }] },
      })
    }
  })

  it.each(READING)('%s exits 2 when the file is missing, and says so to GitHub', async (command) => {
    const cwd = await createFolder({})
    const words = [...command.split(' '), '--schema', 'none.graphql', '--output', 'github']
    const run = await runCommand(words, { cwd, env: REGISTRY })
    expect(run.exitCode).toBe(2)
    expect(readWorkflowCommands(run.stdout)).toEqual([
      {
        command: 'error',
        properties: { title: 'FILE_UNUSABLE' },
        message: 'The schema file none.graphql does not exist.',
      },
    ])
  })

  it.each([...READING, 'ff diff x', 'router compose --input a --out b'])(
    '%s refuses an output that it does not know',
    async (command) => {
      const cwd = await createFolder(BAD)
      const schema = command.includes('publish') ? ['--schema', 'sub/bad.graphql'] : []
      const run = await runCommand([...command.split(' '), ...schema, '--output', 'xml'], {
        cwd,
        env: REGISTRY,
      })
      expect(run.exitCode).toBe(2)
      expect(run.stderr).toContain('--output takes one of text, json, github, not "xml".')
    },
  )
})

describe('the words of a check', () => {
  const WRONG: readonly (readonly [line: string, says: RegExp])[] = [
    ['subgraph check x', /Either --schema <file> or --delete/],
    ['subgraph check x --schema ok.graphql --delete', /Either --schema <file> or --delete/],
    ['subgraph check x --delete --label a=1', /for what does not exist yet/],
    ['fs check x --delete --subgraph y', /for what does not exist yet/],
    ['fs check x --schema ok.graphql --label a=1', /A feature subgraph has no labels/],
    ['subgraph check x --schema ok.graphql --label nonsense', /"nonsense" is no valid label/],
    ['subgraph check', /missing required argument/],
    ['ff diff a--b', /no valid name of a feature flag/],
  ]
  it.each(WRONG)('are refused when they cannot be meant: %s', async (line, says) => {
    const cwd = await createFolder({ 'ok.graphql': 'type Query { a: Int }' })
    const run = await runCommand(line.split(' '), { cwd, env: REGISTRY })
    expect(run).toMatchObject({ exitCode: 2, stdout: '' })
    expect(run.stderr).toMatch(says)
  })

  it.each(['subgraph check', 'fs check', 'feature-flag diff'])('of %s are explained', async (command) => {
    const run = await runCommand([...command.split(' '), '--help'])
    expect(run).toMatchObject({ exitCode: 0, stderr: '' })
    expect(run.stdout).toMatch(/--output <format>/)
    expect(run.stdout).toMatch(/Examples:\n {2}\$ switchyard [a-z]/)
  })
})
