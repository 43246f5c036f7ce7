import { FED2, type Suite } from '../harness/suite.ts'

/**
 * Interfaces over several subgraphs: shared, extended, implemented in one place only, and with hierarchies.
 */
export const interfaces: Suite = {
  name: 'interfaces',
  monolith: `
    type Query { animals: [Animal!]! pet: Pet owned: [Owned] zoo: [Animal] }
    interface Animal { id: ID! name: String legs: Int sound: String }
    interface Pet implements Animal { id: ID! name: String legs: Int sound: String owner: Person }
    interface Owned { owner: Person }
    interface Chipped { chip: String }
    type Dog implements Animal & Pet & Owned & Chipped { id: ID! name: String legs: Int sound: String owner: Person chip: String breed: String }
    type Cat implements Animal & Pet & Owned { id: ID! name: String legs: Int sound: String owner: Person lives: Int! }
    type Crow implements Animal & Chipped { id: ID! name: String legs: Int sound: String chip: String wingspan: Int }
    type Boat implements Owned { hull: String owner: Person }
    type Person { id: ID! name: String phone: String }
  `,
  tables: () => {
    const person = { __typename: 'Person', id: 'p', name: 'Per', phone: '555' }
    return {
      Person: [person],
      Dog: [
        {
          __typename: 'Dog',
          id: 'd1',
          name: 'Rex',
          legs: 4,
          sound: 'woof',
          owner: person,
          chip: 'c-1',
          breed: 'pug',
        },
        {
          __typename: 'Dog',
          id: 'd2',
          name: null,
          legs: 3,
          sound: null,
          owner: null,
          chip: null,
          breed: null,
        },
      ],
      Cat: [{ __typename: 'Cat', id: 'k1', name: 'Tom', legs: 4, sound: 'meow', owner: person, lives: 9 }],
      Crow: [{ __typename: 'Crow', id: 'r1', name: 'Kra', legs: 2, sound: 'caw', chip: 'c-2', wingspan: 80 }],
      Boat: [{ __typename: 'Boat', hull: 'H-1', owner: person }],
    }
  },
  fields: {
    'Query.animals': (_row, _args, tables) => [
      tables['Dog']?.[0],
      tables['Crow']?.[0],
      tables['Cat']?.[0],
      tables['Dog']?.[1],
    ],
    'Query.pet': (_row, _args, tables) => tables['Cat']?.[0],
    'Query.owned': (_row, _args, tables) => [
      tables['Boat']?.[0],
      null,
      tables['Dog']?.[0],
      tables['Cat']?.[0],
    ],
    'Query.zoo': (_row, _args, tables) => [tables['Crow']?.[0], tables['Dog']?.[1]],
  },
  subgraphs: {
    shelter: {
      sdl: `${FED2}
        type Query { animals: [Animal!]! pet: Pet owned: [Owned] }
        interface Animal { id: ID! name: String }
        interface Pet implements Animal { id: ID! name: String owner: Person }
        interface Owned { owner: Person }
        type Dog implements Animal & Pet & Owned @key(fields: "id") { id: ID! name: String owner: Person }
        type Cat implements Animal & Pet & Owned @key(fields: "id") { id: ID! name: String owner: Person lives: Int! }
        type Crow implements Animal @key(fields: "id") { id: ID! name: String }
        type Boat implements Owned @key(fields: "hull") { hull: String owner: Person }
        type Person @key(fields: "id") { id: ID! name: String }`,
    },
    vet: {
      sdl: `${FED2}
        type Query { zoo: [Animal] }
        interface Animal { id: ID! legs: Int }
        interface Pet implements Animal { id: ID! legs: Int }
        interface Chipped { chip: String }
        type Dog implements Animal & Pet & Chipped @key(fields: "id") { id: ID! legs: Int chip: String breed: String }
        type Cat implements Animal & Pet @key(fields: "id") { id: ID! legs: Int }
        type Crow implements Animal & Chipped @key(fields: "id") { id: ID! legs: Int chip: String wingspan: Int }`,
    },
    sounds: {
      sdl: `${FED2}
        interface Animal { id: ID! sound: String }
        interface Pet implements Animal { id: ID! sound: String }
        type Dog implements Animal & Pet @key(fields: "id") { id: ID! sound: String }
        type Cat implements Animal & Pet @key(fields: "id") { id: ID! sound: String }
        type Crow implements Animal @key(fields: "id") { id: ID! sound: String }`,
    },
    phones: { sdl: `${FED2} type Person @key(fields: "id") { id: ID! phone: String }` },
  },
  operations: [
    { name: 'a field the same subgraph has for all', query: '{ animals { id name } }' },
    { name: 'interface fields of another subgraph', query: '{ animals { name legs sound } }' },
    {
      name: 'conditions on types in between',
      query: '{ animals { name ... on Dog { breed legs } ... on Crow { wingspan } ... on Cat { lives } } }',
    },
    {
      name: 'a condition on an interface the source does not know',
      query: '{ animals { ... on Chipped { chip } id } }',
    },
    {
      name: 'a condition on an interface of the interface',
      query: '{ animals { ... on Pet { owner { name phone } } } }',
    },
    {
      name: 'a sub-interface at the root',
      query: '{ pet { name legs sound owner { phone } ... on Cat { lives } } }',
    },
    {
      name: 'an interface with types that have nothing else in common',
      query: '{ owned { owner { phone } ... on Boat { hull } ... on Animal { legs } } }',
    },
    {
      name: 'a condition that is always true',
      query: '{ pet { ... on Animal { name sound } ... on Pet { legs } } }',
    },
    {
      name: 'from the side that has no names',
      query: '{ zoo { name sound ... on Pet { owner { name } } } }',
    },
    {
      name: 'the same key with different meaning per type',
      query: '{ animals { ... on Dog { x: breed } ... on Crow { x: chip } ... on Cat { x: name } } }',
    },
    {
      name: 'nested conditions that only some pass',
      query: '{ animals { ... on Chipped { ... on Dog { breed } ... on Animal { sound } } } }',
    },
    {
      name: 'type names among fields',
      query: '{ animals { __typename legs t: __typename ... on Dog { d: __typename } } }',
    },
  ],
}
