import { describe, expect, it } from 'vitest'
import { sensitiveNames } from '../../../src/tracing/redaction/sensitive-names.ts'

const isSensitive = sensitiveNames(['password', 'token', 'secret', 'authorization', 'apikey', 'card', 'ssn'])

describe('sensitive names', () => {
  it.each([
    'password',
    'PASSWORD',
    'pass_word',
    'userPassword',
    'passwordHash',
    'password2',
    'passwords',
    'old-password',
    'accessToken',
    'access_token',
    'ACCESS_TOKEN',
    'accesstoken',
    'refreshtokens',
    'tokens',
    'apiKey',
    'APIKey',
    'api_key',
    'X-API-Key',
    'xApiKeys',
    'clientSecret',
    'cardNumber',
    'creditCard',
    'ssn',
    'SSNs',
    'userSSN',
    'proxy-authorization',
  ])('hide %s', (name) => expect(isSensitive(name)).toBe(true))

  it.each([
    'tokenizer',
    'tokenize',
    'secretary',
    'cardinality',
    'discard',
    'postcards',
    'business',
    'passName',
    'businessName',
    'id',
    '',
    '__typename',
    'keyApi',
    'passwor',
  ])('leave %s', (name) => expect(isSensitive(name)).toBe(false))

  it('are compared with what is listed however that is written', () => {
    expect(sensitiveNames(['Pin_Code'])('userPinCode')).toBe(true)
    expect(sensitiveNames(['pincode'])('pin-codes')).toBe(true)
    expect(sensitiveNames([])('password')).toBe(false)
    expect(sensitiveNames(['---'])('anything')).toBe(false)
  })

  it('stay right for more names than are remembered', () => {
    for (let n = 0; n < 30_000; n++) expect(isSensitive(`field${n}`)).toBe(false)
    expect(isSensitive('token')).toBe(true)
  })
})
