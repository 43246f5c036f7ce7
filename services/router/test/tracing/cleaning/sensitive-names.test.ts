import { describe, expect, it } from 'vitest'
import { sensitiveNames } from '../../../src/tracing/cleaning/sensitive-names.ts'

const { isSensitive, mayBeIn } = sensitiveNames([
  'password',
  'token',
  'secret',
  'authorization',
  'apikey',
  'card',
  'ssn',
])

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
  ])('hide %s', (name) => {
    expect(isSensitive(name)).toBe(true)
    expect(mayBeIn(`{"${name}":1}`)).toBe(true)
  })

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
    expect(sensitiveNames(['Pin_Code']).isSensitive('userPinCode')).toBe(true)
    expect(sensitiveNames(['pincode']).isSensitive('pin-codes')).toBe(true)
    expect(sensitiveNames([]).isSensitive('password')).toBe(false)
    expect(sensitiveNames(['---']).isSensitive('anything')).toBe(false)
  })

  it('are told apart from texts that have none of their letters in a row', () => {
    expect(mayBeIn('{"user":{"x-API_key":1}}')).toBe(true)
    expect(mayBeIn('{"user":{"name":"Ann","id":"7"}}')).toBe(false)
  })
})
