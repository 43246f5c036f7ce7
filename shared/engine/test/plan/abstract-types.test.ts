import { describe, expect, it } from 'vitest'
import { fetches, planIn, worldOf } from './support/planned.ts'

const media = worldOf({
  films: `
    type Query { feed: [Item] films: [Film] }
    interface Item { id: ID! title: String }
    type Film implements Item @key(fields: "id") { id: ID! title: String minutes: Int }
    type Song implements Item @key(fields: "id") { id: ID! title: String }`,
  songs: `type Song @key(fields: "id") { id: ID! bars: Int }`,
  stats: `
    type Film @key(fields: "id") { id: ID! views: Int }
    type Song @key(fields: "id") { id: ID! views: Int }`,
})

describe('interfaces and unions', () => {
  it('keeps a field on the interface when every type has it there', () => {
    expect(fetches(media, '{ feed { title } }')).toEqual(['0 films {feed{__typename title}}'])
  })

  it('asks for different types of one list in one visit', () => {
    const query = '{ feed { title ... on Film { views } ... on Song { views bars } } }'
    expect(fetches(media, query)).toEqual([
      '0 films {feed{__typename id title}}',
      '1 songs after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Song{bars}}}',
      '2 stats after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Film{views} ...on Song{views}}}',
    ])
  })

  it('asks for keys of those types only that need them', () => {
    expect(fetches(media, '{ feed { ... on Song { bars } } }')[0]).toBe(
      '0 films {feed{__typename ...on Song{id}}}',
    )
  })

  it('lists each possible type in exactly one case of the response', () => {
    const plan = planIn(media.graph, '{ feed { title ... on Song { bars } } }')
    const [field] = plan.shape.cases[0]?.fields ?? []
    const item = field?.kind === 'field' && field.node.kind === 'list' ? field.node.item : null
    const types = item?.kind === 'object' ? item.cases.flatMap((entry) => entry.types ?? []) : []
    const names = types.map((type) => media.graph.compiled.types[type]?.name)
    expect(names.toSorted()).toEqual(['Film', 'Song'])
  })

  it('takes a field from where its objects come from for all types, if what is below is fetched once by that', () => {
    const world = worldOf({
      a: `
        type Query { items: [Item] }
        interface Item { parts: [Part] }
        type Book implements Item @key(fields: "id") { id: ID! parts: [Part] @shareable }
        type Disc implements Item @key(fields: "id") { id: ID! parts: [Part] @shareable }
        type Part @key(fields: "id") { id: ID! }`,
      // Alone, discs cost one request less here: one for all that is wanted of their parts.
      b: `
        type Disc @key(fields: "id") { id: ID! parts: [Part] @shareable }
        type Part @key(fields: "id", resolvable: false) { id: ID! weight: Int @shareable height: Int @shareable }`,
      c: 'type Part @key(fields: "id") { id: ID! weight: Int @shareable }',
      d: 'type Part @key(fields: "id") { id: ID! height: Int @shareable }',
    })
    expect(fetches(world, '{ items { parts { weight height } } }')).toEqual([
      '0 a {items{__typename parts{id}}}',
      '1 c after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Part{weight}}}',
      '2 d after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Part{height}}}',
    ])
  })

  it('decides client conditions by the supergraph, not by what a subgraph says it implements', () => {
    const world = worldOf({
      a: 'type Query { ovens: [Oven] } type Oven @key(fields: "id") { id: ID! }',
      b: 'interface Node { id: ID! } type Oven implements Node @key(fields: "id") { id: ID! heat: Int }',
    })
    expect(fetches(world, '{ ovens { ... on Node { id } } }')).toEqual(['0 a {ovens{id}}'])
  })

  it('selects only the members that all possible sources of a union know', () => {
    const world = worldOf({
      a: 'union M = Book | Song type Query { m: M @shareable } type Book { title: String @shareable } type Song { title: String }',
      b: 'union M = Book | Film type Query { m: M @shareable } type Book { title: String @shareable } type Film { title: String }',
    })
    const query = '{ m { ... on Book { title } ... on Song { title } ... on Film { title } } }'
    expect(fetches(world, query)).toEqual(['0 a {m{__typename ...on Book{title}}}'])
  })

  it('selects every member where only one subgraph can answer', () => {
    const world = worldOf({
      a: 'union M = Book | Song type Query { only: M @shareable } type Book { title: String @shareable } type Song { title: String }',
      b: 'union M = Book | Film type Query { other: M } type Book { title: String @shareable } type Film { title: String }',
    })
    const query = '{ only { ... on Book { title } ... on Song { title } ... on Film { title } } }'
    expect(fetches(world, query)).toEqual(['0 a {only{__typename ...on Book{title} ...on Song{title}}}'])
  })

  it('gives fields of sibling types an alias when their types differ in that subgraph', () => {
    const world = worldOf({
      a: 'type Query { a: [U] } union U = X | Y type X { v: Int! @shareable } type Y { v: Int }',
      b: 'type X { v: Int @shareable }',
    })
    expect(fetches(world, '{ a { ... on X { v } ... on Y { v } } }')).toEqual([
      '0 a {a{__typename ...on X{v} ...on Y{_s0:v}}}',
    ])
  })
})

const library = worldOf({
  library: `
    type Query { media: [Media!]! }
    interface Media @key(fields: "id") { id: ID! title: String }
    type Film implements Media @key(fields: "id") { id: ID! title: String minutes: Int }
    type Album implements Media @key(fields: "id") { id: ID! title: String tracks: Int }`,
  rental: `
    type Query { rented: [Media] }
    type Media @interfaceObject @key(fields: "id") { id: ID! price: Int }`,
})

describe('interface objects', () => {
  it('are entered under the name of the interface', () => {
    const plan = planIn(library.graph, '{ media { title price } }')
    const part = plan.fetches[1]?.parts[0]
    const cases = part?.kind === 'entities' ? part.inputs[0]?.cases : []
    expect(cases?.map((entry) => entry.typename)).toEqual(['Media'])
    expect(fetches(library, '{ media { title price } }')).toEqual([
      '0 library {media{__typename id title}}',
      '1 rental after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Media{price}}}',
    ])
  })

  it('are not asked for runtime types they do not know', () => {
    expect(fetches(library, '{ rented { price } }')).toEqual(['0 rental {rented{price}}'])
    expect(fetches(library, '{ rented { __typename price } }')).toEqual([
      '0 rental {rented{id price}}',
      '1 library after 0 query($r0:[_Any!]!){_entities(representations:$r0){__typename}}',
    ])
  })

  it('need the runtime type for type conditions', () => {
    expect(fetches(library, '{ rented { price ... on Film { minutes } } }')).toEqual([
      '0 rental {rented{id price}}',
      '1 library after 0 query($r0:[_Any!]!){_entities(representations:$r0){__typename ...on Film{minutes}}}',
    ])
  })

  it('can be left before the runtime type is known, with a case for the unknown type', () => {
    const plan = planIn(library.graph, '{ rented { title } }')
    const part = plan.fetches[1]?.parts[0]
    const types = part?.kind === 'entities' ? (part.inputs[0]?.cases[0]?.types ?? []) : []
    expect(types).toContain(library.graph.typeByName.get('Media'))
  })
})
