/**
 * Thousands of mistakes cost no more than the reading of each: the work is linear in the schemas and their
 * errors.
 */
import { compose } from '@switchyard/composition'
import { describe, expect, it } from 'vitest'

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable"])'

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index)
}

describe('the places of many errors', () => {
  it('are told of the first thousand; the others are counted and named', () => {
    const sdl = `${LINK} type Query { ${numbers(1200)
      .map((index) => `f${index}: Int`)
      .join(' ')} }`
    const result = compose({
      subgraphs: ['one', 'two'].map((name) => ({ name, routingUrl: `http://${name}.test/`, sdl })),
    })

    if (result.kind !== 'failed') throw new Error('it composed')
    expect(result.errors).toHaveLength(1200)
    expect(result.errors.filter(({ locations }) => locations.length === 2)).toHaveLength(1000)
    expect(result.errors[1199]).toMatchObject({ code: 'INVALID_FIELD_SHARING', locations: [] })
  })

  it('are told for as long as their text is not endless: a path of a thousand steps is printed a thousand times', () => {
    const chain = (more: string): string =>
      numbers(600)
        .map((index) => `type T${index} @shareable { n: T${(index + 1) % 600} ${more} }`)
        .join(' ')
    const result = compose({
      subgraphs: [
        { name: 'one', routingUrl: 'http://one.test/', sdl: `${LINK} type Query { a: T0 } ${chain('')}` },
        {
          name: 'two',
          routingUrl: 'http://two.test/',
          sdl: `${LINK} type Query { b: T0 } ${chain('x: Int')}`,
        },
      ],
    })

    if (result.kind !== 'failed') throw new Error('it composed')
    expect(result.errors).toHaveLength(600)
    expect(result.errors[0]?.path).toHaveLength(2)
    expect(result.errors[0]?.locations).not.toEqual([])
    expect(result.errors[599]?.path).toBeUndefined()
    expect(result.errors[599]?.message.length).toBeLessThanOrEqual(2003)
  })
})
