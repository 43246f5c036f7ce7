import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { traceDocument } from '../src/index.ts'
import * as shop from './fixtures/shop.ts'

function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start) + start.length
  return text.slice(from, text.indexOf(end, from))
}

describe('the page of a trace', () => {
  const trace = shop.hostileShop()
  const page = traceDocument(trace, { title: '</title><script>harm()</script>' })

  it('holds the trace as it is', () => {
    const data: unknown = JSON.parse(between(page, 'id="trace-data">', '</script>'))
    expect(data).toMatchObject({ trace: JSON.parse(JSON.stringify(trace)) })
  })

  it('has one script and one style of its own, whatever is in the trace', () => {
    expect(page.match(/<script\b/g)).toHaveLength(2)
    expect(page.match(/<\/script>/g)).toHaveLength(2)
    expect(page.match(/<style\b/g)).toHaveLength(1)
    expect(page).not.toMatch(/<!--|[\u2028\u2029]/)
    expect(page).toContain('<title>&lt;/title&gt;&lt;script&gt;harm()&lt;/script&gt; · trace</title>')
  })

  it('permits these two by their hashes, and nothing else', () => {
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(between(page, 'http-equiv="Content-Security-Policy" content="', '">')).toBe(
      [
        "default-src 'none'",
        `script-src ${hash(between(page, '<script>', '</script>'))}`,
        `style-src ${hash(between(page, '<style>', '</style>'))}`,
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; '),
    )
  })

  it('is the same for the same trace', () => {
    expect(traceDocument(shop.plainShop())).toBe(traceDocument(shop.plainShop()))
  })

  it('names no address to load from', () => {
    const script = between(page, '<script>', '</script>')
    expect(script).not.toMatch(
      /\b(?:import|fetch|eval)\(|XMLHttpRequest|WebSocket|sendBeacon|innerHTML|https?:\/\/(?!not-an-http-url\.invalid)/,
    )
    expect(traceDocument(shop.plainShop())).not.toMatch(/\s(?:src|href)=/)
  })
})
