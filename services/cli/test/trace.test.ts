import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from './run-command.ts'
import { createFolder } from './workspace.ts'

const NOT_LOADED = { single_flight_used: false, single_flight_shared_response: false, load_skipped: false }
const TRACE = {
  version: '1',
  info: { trace_start_time: '2026-01-01T00:00:00Z', trace_start_unix: 1_767_225_600 },
  composition: { feature_flag: null, reason: 'none', artifact: 'a'.repeat(64), revision: 1 },
  fetches: {
    kind: 'Sequence',
    children: [
      {
        kind: 'Single',
        fetch: { kind: 'Single', path: '', source_id: 's', source_name: 'stock', trace: NOT_LOADED },
      },
    ],
  },
  request: {
    method: 'POST',
    url: 'http://localhost/graphql',
    headers: {},
    body: { query: 'query Stock { depot }', operationName: 'Stock', variables: null },
  },
}

function part(value: object): string {
  return `--graphql\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(value)}\r\n`
}

describe('trace open', () => {
  it('writes one page that needs nothing else', async () => {
    const cwd = await createFolder({
      'trace.json': JSON.stringify({ data: {}, extensions: { trace: TRACE } }),
    })
    const run = await runCommand(['trace', 'open', 'trace.json', '--out', 'trace.html'], { cwd })
    expect(run).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: 'trace.html is written. Open it in a browser.\n',
    })
    const page = await readFile(join(cwd, 'trace.html'), 'utf8')
    expect(page).toContain('<title>Stock · trace</title>')
    expect(page).not.toMatch(/\b(?:src|href)=/)
  })

  it('quotes the errors of the response, of all its parts', async () => {
    const cwd = await createFolder({
      'a.txt': `${part({ data: {}, errors: [{ message: 'first', path: ['a', 0, 'b'] }], hasNext: true })}${part(
        {
          incremental: [{ id: '1', data: {}, errors: [{ message: '</script> second' }] }],
          completed: [{ id: '2', errors: [{ message: 'third' }, { message: 4 }] }],
          hasNext: false,
          extensions: { trace: TRACE },
        },
      )}--graphql--\r\n`,
    })
    expect(await runCommand(['trace', 'open', 'a.txt', '--out', 'a.html'], { cwd })).toMatchObject({
      exitCode: 0,
    })
    expect(await readFile(join(cwd, 'a.html'), 'utf8')).toContain(
      '"errors":[{"message":"first","path":"a.0.b"},{"message":"\\u003c/script\\u003e second","path":null},{"message":"third","path":null}]',
    )
  })

  it('takes the complete trace of a deferred response, and a second one to compare', async () => {
    const cwd = await createFolder({
      'a.txt': `${part({ data: {}, hasNext: true })}${part({ hasNext: false, extensions: { trace: TRACE } })}--graphql--\r\n`,
      'b.json': JSON.stringify(TRACE),
    })
    const words = ['trace', 'open', 'a.txt', '--compare', 'b.json', '--out', 'both.html', '--json']
    const run = await runCommand(words, { cwd })
    expect(run.json()).toMatchObject({ ok: true, result: { out: 'both.html', fetches: [1, 1] } })
    expect(await readFile(join(cwd, 'both.html'), 'utf8')).toContain('"compareTitle":"b.json"')
  })

  it('does not replace a trace by its page', async () => {
    const text = JSON.stringify(TRACE)
    const cwd = await createFolder({ 'a.json': text, 'b.json': text })
    for (const out of ['a.json', './b.json']) {
      const words = ['trace', 'open', 'a.json', '--compare', 'b.json', '--out', out]
      const run = await runCommand(words, { cwd })
      expect(run.exitCode).toBe(2)
      expect(run.stderr).toContain(`${out} is the trace itself: --out would replace it.`)
    }
    expect(await readFile(join(cwd, 'a.json'), 'utf8')).toBe(text)
    expect(await readFile(join(cwd, 'b.json'), 'utf8')).toBe(text)
  })

  it('says what is wrong with a file that holds no trace, and leaves the page that is there', async () => {
    const cwd = await createFolder({
      'wrong.json': JSON.stringify({ ...TRACE, version: '7' }),
      'none.json': '{"data":{}}',
      'trace.html': 'kept',
    })
    const wrong = await runCommand(['trace', 'open', 'wrong.json', '--out', 'trace.html'], { cwd })
    expect(wrong).toMatchObject({ exitCode: 1, stdout: '' })
    expect(wrong.stderr).toContain('wrong.json holds no trace. This is no trace of version "1".')
    expect(wrong.stderr).toContain('version: Invalid input: expected "1"')
    const none = await runCommand(['trace', 'open', 'none.json', '--out', 'trace.html', '--json'], { cwd })
    expect(none.json()).toMatchObject({ ok: false, error: { code: 'TRACE_INVALID' } })
    expect(await readFile(join(cwd, 'trace.html'), 'utf8')).toBe('kept')
  })
})
