import { describe, expect, it } from 'vitest'
import { loadConfig } from '../src/config.ts'

describe('the environment of up', () => {
  it('has defaults', () => {
    expect(loadConfig({})).toEqual({
      dataDir: '.switchyard',
      host: '127.0.0.1',
      registryPort: 4100,
      routerPort: 4000,
      composition: { cpuBudgetMs: 30_000, memoryMb: 2048 },
      output: 'text',
    })
  })

  it('names a graph whose own name may hold slashes', () => {
    expect(loadConfig({ SWITCHYARD_GRAPH: 'team-1/shop/web' }).graph).toEqual({
      namespace: 'team-1',
      graph: 'shop/web',
    })
  })

  it('is refused with every variable that is wrong', () => {
    const wrong = { SWITCHYARD_GRAPH: 'shop', SWITCHYARD_ROUTER_PORT: '70000', SWITCHYARD_OUTPUT: 'xml' }
    expect(() => loadConfig(wrong)).toThrow(
      /ROUTER_PORT.*0 to 65535.*GRAPH.*<namespace>\/<name>.*OUTPUT.*text or json/s,
    )
  })
})
