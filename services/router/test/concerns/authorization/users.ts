/** Random users: what each may see, told as claims for routers, and as a model of access rules knows it. */
import type { Holder } from '@switchyard/corpus'

/** The section `authorization` of the settings: the policies that rules of the corpus name. */
export const AUTHORIZATION = {
  scopes_claim: 'access.scopes',
  policies: {
    p: { claim: 'groups', contains: 'p' },
    q: {
      any: [
        { claim: 'groups', contains: 'q' },
        { claim: 'level', equals: 3 },
      ],
    },
    r: {
      all: [
        { claim: 'groups', contains: 'r' },
        { claim: ['x.y', 'z'], equals: true },
      ],
    },
  },
}

export const USERS = {
  nobody: { claims: null, scopes: [], policies: [] },
  reader: { claims: { access: { scopes: 'a' }, groups: ['q'] }, scopes: ['a'], policies: ['q'] },
  writer: {
    claims: { access: { scopes: ['a', 'b'] }, groups: ['p', 'r'] },
    scopes: ['a', 'b'],
    policies: ['p'],
  },
  boss: { claims: { access: { scopes: 'c' }, groups: ['p'], level: 3 }, scopes: ['c'], policies: ['p', 'q'] },
  stranger: {
    claims: { access: { scopes: ['a', 7] }, groups: 'p q r', level: '3' },
    scopes: [],
    policies: [],
  },
  root: {
    claims: { access: { scopes: 'a b c' }, groups: ['p', 'r'], 'x.y': { z: true } },
    scopes: ['a', 'b', 'c'],
    policies: ['p', 'r'],
  },
} as const
export type User = keyof typeof USERS

export const USER_NAMES = Object.keys(USERS) as readonly User[]

export function holderOf(user: User): Holder {
  const { claims, scopes, policies } = USERS[user]
  return {
    isAuthenticated: claims !== null,
    scopes: new Set<string>(scopes),
    policies: new Set<string>(policies),
  }
}
