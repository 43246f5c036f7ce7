import { execFileSync } from 'node:child_process'
import type { TraceInput } from '@switchyard/request-trace'
import { describe, expect, it } from 'vitest'
import { curlOf } from '../../src/model/curl.ts'
import { HOSTILE } from '../fixtures/shop.ts'

const INPUT: TraceInput = {
  method: 'POST',
  url: 'http://reviews.internal:4001/graphql',
  headers: { 'content-type': 'application/json', 'content-length': '12' },
  body: { query: '{a}', variables: { name: "O'Hara" } },
}

/** What a shell hands to curl, word by word. */
function wordsOf(command: string): readonly string[] {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}\n`
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
}

describe('copy as curl', () => {
  it('is a command that sends the same request', () => {
    expect(curlOf(INPUT)).toBe(`curl --globoff --url 'http://reviews.internal:4001/graphql' \\
  --header 'content-type: application/json' \\
  --data-raw '{"query":"{a}","variables":{"name":"O'\\''Hara"}}'`)
    expect(wordsOf(curlOf(INPUT)).at(-1)).toBe(JSON.stringify(INPUT.body))
  })

  it('says that something is redacted', () => {
    const command = curlOf({ ...INPUT, headers: { authorization: '[redacted]' } })
    expect(command.split('\n')[0]).toBe(
      '# The trace does not hold what is [redacted]: put the real values in.',
    )
    expect(wordsOf(command)).toContain('authorization: [redacted]')
    expect(curlOf(INPUT)).not.toContain('#')
  })

  it('names the method of anything but POST', () => {
    expect(wordsOf(curlOf({ ...INPUT, method: 'GET', body: null }))).toEqual([
      '--globoff',
      '--url',
      INPUT.url,
      '--request',
      'GET',
      '--header',
      'content-type: application/json',
    ])
  })

  it('repeats a header that has several values', () => {
    const words = wordsOf(curlOf({ ...INPUT, headers: { 'x-a': ['1', '2'] } }))
    expect(words.filter((word) => word.startsWith('x-a'))).toEqual(['x-a: 1', 'x-a: 2'])
  })

  it.each([
    ...HOSTILE,
    '\u202emordnilap \u{e0041}',
    '$(touch /tmp/harmed)',
    '`touch /tmp/harmed`',
    '\n--output\n/tmp/harmed\n',
    "'\n;ls",
  ])('stays one command with one address whatever the trace holds: %j', (text) => {
    const command = curlOf({
      method: text,
      url: `http://a/${text}`,
      headers: { [text]: text, 'x-b': text },
      body: { query: text },
    })
    const words = wordsOf(command)
    expect(words.filter((word) => word.startsWith('-'))).toEqual([
      '--globoff',
      '--url',
      '--header',
      '--data-raw',
    ])
    expect(JSON.parse(words.at(-1) ?? '')).toEqual({ query: text.replace('\ud800', '\ud800') })
    expect(command.replaceAll(' \\\n', '')).not.toMatch(/[^\P{C}\n]/u)
  })

  it('asks no file and no other program', () => {
    for (const url of ['file:///etc/passwd', 'javascript:alert(1)', '-o/tmp/harmed', 'gopher://a']) {
      expect(wordsOf(curlOf({ ...INPUT, url }))[2]).toBe('http://not-an-http-url.invalid/')
    }
  })
})
