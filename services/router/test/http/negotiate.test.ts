import { describe, expect, it } from 'vitest'
import { negotiate } from '../../src/http/negotiate.ts'

const JSON_TYPE = 'application/json'
const GRAPHQL = 'application/graphql-response+json'

describe('the media type of an answer', () => {
  it.each([
    [undefined, JSON_TYPE],
    ['', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/*', JSON_TYPE],
    [JSON_TYPE, JSON_TYPE],
    [GRAPHQL, GRAPHQL],
    ['APPLICATION/GraphQL-Response+JSON', GRAPHQL],
    [`${GRAPHQL},${JSON_TYPE};q=0.9`, GRAPHQL],
    [`${JSON_TYPE},${GRAPHQL};q=0.9`, JSON_TYPE],
    [`${GRAPHQL};q=0, */*`, JSON_TYPE],
    [`${JSON_TYPE};q=0, */*`, GRAPHQL],
    [`${JSON_TYPE}; charset=utf-8`, JSON_TYPE],
    [`${JSON_TYPE}; charset=latin1`, null],
    ['multipart/mixed', JSON_TYPE],
    ['multipart/mixed;incrementalSpec=v0.2, text/html', JSON_TYPE],
    ['text/html, */*;q=0.1', JSON_TYPE],
    ['text/html', null],
    ['image/*', null],
    ['*/*;q=0', null],
    ['text/html;x="a,application/json"', null],
    ['garbage', JSON_TYPE],
  ])('for Accept %j is %j', (accept, expected) => {
    expect(negotiate(accept)).toBe(expected)
  })
})
