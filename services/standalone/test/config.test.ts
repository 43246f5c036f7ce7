import { describe, expect, it } from 'vitest'
import { loadStandaloneConfig } from '../src/config.ts'

describe('the environment of up', () => {
  it('has defaults', () => {
    expect(loadStandaloneConfig({})).toEqual({
      dataDir: '.switchyard',
      host: '127.0.0.1',
      registryPort: 4100,
      routerPort: 4000,
      signIn: {},
      usageDays: 30,
      composition: { cpuBudgetMs: 30_000, memoryMb: 2048 },
      output: 'text',
    })
  })

  it('names a graph whose own name may hold slashes', () => {
    expect(loadStandaloneConfig({ SWITCHYARD_GRAPH: 'team-1/shop/web' }).graph).toEqual({
      namespace: 'team-1',
      graph: 'shop/web',
    })
  })

  it('names an identity provider with the variables of a registry', () => {
    const provider = {
      SWITCHYARD_OIDC_ISSUER: 'https://id.example',
      SWITCHYARD_OIDC_CLIENT_ID: 'studio',
      SWITCHYARD_OIDC_ROLES: '{"developers":["deploy:default"]}',
    }
    const { signIn } = loadStandaloneConfig({ ...provider, SWITCHYARD_STUDIO_URL: 'https://studio.example/' })
    expect(signIn).toMatchObject({
      studioUrl: 'https://studio.example',
      openIdConnect: { issuer: 'https://id.example', clientId: 'studio', clientSecret: null },
    })
    expect(() => loadStandaloneConfig({ SWITCHYARD_OIDC_ISSUER: 'https://id.example' })).toThrow(
      /SWITCHYARD_OIDC_ROLES/,
    )
  })

  it('is refused with every variable that is wrong', () => {
    const wrong = { SWITCHYARD_GRAPH: 'shop', SWITCHYARD_ROUTER_PORT: '70000', SWITCHYARD_OUTPUT: 'xml' }
    expect(() => loadStandaloneConfig(wrong)).toThrow(
      /ROUTER_PORT.*0 to 65535.*GRAPH.*<namespace>\/<name>.*OUTPUT.*text or json/s,
    )
  })
})
