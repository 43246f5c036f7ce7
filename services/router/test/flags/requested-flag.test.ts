import { describe, expect, it } from 'vitest'
import { requestedFlag } from '../../src/flags/requested-flag.ts'

const none = { from: 'none' }
const header = (name: string) => ({ from: 'header', name })
const cookie = (name: string) => ({ from: 'cookie', name })

describe('the flag a request asks for', () => {
  it.each([
    [{}, none],
    [{ 'x-feature-flag': 'a' }, header('a')],
    [{ 'x-feature-flag': '  a\t' }, header('a')],
    [{ 'x-feature-flag': 'a', cookie: 'feature_flag=b' }, header('a')],
    [{ 'x-feature-flag': 'a, b' }, header('a')],
    [{ 'x-feature-flag': '', cookie: 'feature_flag=b' }, cookie('b')],
    [{ 'x-feature-flag': '  ', cookie: 'feature_flag=b' }, cookie('b')],
    [{ 'x-feature-flag': ',a' }, none],
    [{ cookie: 'feature_flag=b' }, cookie('b')],
    [{ cookie: 'x=1;feature_flag=b; y=2' }, cookie('b')],
    [{ cookie: 'feature_flag=first; feature_flag=second' }, cookie('first')],
    [{ cookie: 'feature_flag=; feature_flag=second' }, none],
    [{ cookie: 'feature_flag="b"' }, cookie('b')],
    [{ cookie: 'feature_flag=%62%20' }, cookie('b')],
    [{ cookie: 'feature_flag=%2562' }, cookie('%62')],
    [{ cookie: 'feature_flag=%E0%A4%A' }, cookie('%E0%A4%A')],
    [{ cookie: 'Feature_Flag=b' }, none],
    [{ cookie: 'feature_flag' }, none],
    [{ cookie: 'xfeature_flag=b' }, none],
  ])('%j → %j', (headers, expected) => {
    expect(requestedFlag(headers, true)).toEqual(expected)
  })

  it('never comes from a cookie when cookies are switched off', () => {
    expect(requestedFlag({ cookie: 'feature_flag=b' }, false)).toEqual(none)
    expect(requestedFlag({ 'x-feature-flag': 'a', cookie: 'feature_flag=b' }, false)).toEqual(header('a'))
  })
})
