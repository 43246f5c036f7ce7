import { find, type Suite } from '../harness/suite.ts'

/** The first federation: no @link, entities extended with external keys, everything shareable. */
export const federation1: Suite = {
  name: 'federation 1',
  monolith: `
    type Query { me: Member meals: [Meal!]! menu: [Meal] }
    type Member { id: ID! login: String! alias: String ate: [Bite!]! taste: String }
    type Bite { id: ID! stars: Int by: Member meal: Meal }
    type Meal { dish: String! house: House! price: Int kcal: Int bites: [Bite!] heavy: Boolean spice: String! }
    type House { name: String! stars: Int }
  `,
  tables: () => {
    const house = { __typename: 'House', name: 'Fjord', stars: 2 }
    return {
      Member: [
        { __typename: 'Member', id: '1', login: 'kim', alias: 'K' },
        { __typename: 'Member', id: '2', login: 'max', alias: null },
      ],
      Bite: [
        { __typename: 'Bite', id: 'b1', stars: 5, by: '1', meal: 'soup' },
        { __typename: 'Bite', id: 'b2', stars: 2, by: '2', meal: 'soup' },
        { __typename: 'Bite', id: 'b3', stars: null, by: '1', meal: 'stew' },
      ],
      Meal: [
        { __typename: 'Meal', dish: 'soup', house, price: 9, kcal: 300, spice: 'dill' },
        { __typename: 'Meal', dish: 'stew', house, price: 14, kcal: 900, spice: new Error('no spice') },
      ],
    }
  },
  fields: {
    'Query.me': (_row, _args, tables) => tables['Member']?.[0],
    'Query.meals': (_row, _args, tables) => tables['Meal'],
    'Query.menu': (_row, _args, tables) => [...(tables['Meal'] ?? []), null],
    'Member.ate': (row, _args, tables) => tables['Bite']?.filter(({ by }) => by === row['id']),
    'Bite.by': (row, _args, tables) => find(tables['Member'], 'id', row['by']),
    'Bite.meal': (row, _args, tables) => find(tables['Meal'], 'dish', row['meal']),
    'Meal.bites': (row, _args, tables) => tables['Bite']?.filter(({ meal }) => meal === row['dish']),
  },
  computed: {
    'Meal.heavy': { compute: ({ kcal, price }) => Number(kcal) > 500 && Number(price) > 10 },
    'Member.taste': { compute: ({ login }) => `${String(login)} likes salt` },
  },
  subgraphs: {
    members: {
      sdl: `
        type Query { me: Member }
        type Member @key(fields: "id") { id: ID! login: String! alias: String }`,
    },
    kitchen: {
      sdl: `
        extend type Query { meals: [Meal!]! menu: [Meal] }
        type Meal @key(fields: "dish house { name }") { dish: String! house: House! price: Int kcal: Int }
        type House { name: String! stars: Int }`,
    },
    bites: {
      sdl: `
        type Bite @key(fields: "id") { id: ID! stars: Int by: Member @provides(fields: "login") meal: Meal }
        extend type Member @key(fields: "id") {
          id: ID! @external
          login: String! @external
          ate: [Bite!]!
          taste: String @requires(fields: "login")
        }
        type Meal @extends @key(fields: "dish house { name }") {
          dish: String! @external
          house: House! @external
          kcal: Int @external
          price: Int @external
          bites: [Bite!]
          spice: String!
          heavy: Boolean @requires(fields: "kcal price")
        }
        type House { name: String! }`,
    },
  },
  operations: [
    { name: 'the extended field', query: '{ me { login ate { stars } } }' },
    {
      name: 'an external key field selected in the extending subgraph',
      query: '{ me { ate { by { id } } } }',
    },
    { name: 'a provided field', query: '{ me { ate { by { login } } } }' },
    { name: 'beside a provided field', query: '{ me { ate { by { login alias } } } }' },
    { name: 'a requirement from the root of the owner', query: '{ me { taste } }' },
    { name: 'a requirement on a composite key', query: '{ meals { heavy bites { stars } } }' },
    { name: 'from the extension back to the owner', query: '{ me { ate { meal { price heavy } } } }' },
    { name: 'a list with null', query: '{ menu { dish heavy house { name stars } } }' },
    {
      name: 'nested back and forth',
      query: '{ meals { bites { by { taste ate { meal { dish house { stars } } } } } } }',
    },
    { name: 'aliases', query: '{ me { id: login login: id bites: ate { stars: id by { login: taste } } } }' },
    {
      name: 'fragments',
      query:
        '{ meals { ...M bites { by { ... on Member { login } } } } } fragment M on Meal { heavy house { ... { stars } } }',
    },
    {
      name: 'conditions',
      query:
        'query ($t: Boolean = false) { me { login taste @include(if: $t) ate @skip(if: $t) { meal { heavy @include(if: $t) dish } } } }',
    },
    { name: 'a non-null error of the extension', query: '{ menu { dish spice price } }', errors: 'exact' },
    {
      name: 'a non-null error below an extension',
      query: '{ me { ate { id meal { spice } } } }',
      errors: 'exact',
    },
  ],
}
