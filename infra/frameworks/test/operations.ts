/** Queries over the whole shop, each with the answer that its data gives, worked out by hand. */
import type { StitchingLimitId } from '@switchyard/second-opinion'

export type Operation = {
  /** What a user could say of it. */
  readonly name: string
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly data: unknown
  readonly errors?: readonly ExpectedError[]
  /** Why the stitched gateway answers differently. */
  readonly limit?: StitchingLimitId
}

export type ExpectedError = {
  readonly message: string
  readonly path: readonly (string | number)[]
  readonly extensions: Readonly<Record<string, unknown>>
}

const B1 = { __typename: 'Book', id: 'b1', title: 'Kite Weather' }
const G1 = { __typename: 'Gadget', id: 'g1', title: 'Pocket Lathe' }
const COUNTING = {
  message: 'The stock of "b3" is being counted.',
  extensions: { code: 'COUNTING', hours: 2, serviceName: 'stock' },
}

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'an interface is answered with its fields and those of the type at hand',
    query:
      '{ item(id: "b1") { __typename id title price { amount currency } ... on Book { weight language } } }',
    data: { item: { ...B1, price: { amount: 24.5, currency: 'EUR' }, weight: 410, language: 'EN' } },
  },
  {
    name: 'a list has null where there is nothing, and keeps its order',
    query: 'query ($ids: [ID!]!) { items(ids: $ids) { __typename id title } }',
    variables: { ids: ['g1', 'nothing', 'b1'] },
    data: { items: [G1, null, B1] },
  },
  {
    name: 'users that do not exist are null in their list',
    query: '{ users(ids: ["u3", "u404", "u1"]) { name role } }',
    data: { users: [{ name: 'Chi', role: 'READER' }, null, { name: 'Ada', role: 'STAFF' }] },
  },
  {
    name: 'a union is answered by the fragments for its members',
    query: '{ search(term: "a") { __typename ... on Book { title } ... on Gadget { volts } } }',
    data: {
      search: [
        { __typename: 'Book', title: 'Kite Weather' },
        { __typename: 'Book', title: 'Salt Roads' },
        { __typename: 'Gadget', volts: 12 },
        { __typename: 'Gadget', volts: null },
      ],
    },
  },
  {
    name: 'an Int is a valid ID and Float, one value a valid list, and null is not the default',
    query: 'query ($i: ConvertInput!) { convert(input: $i) { id whole part text tags } }',
    variables: { i: { id: 7, whole: 3, part: 2, text: null, tags: 'one' } },
    data: { convert: { id: '7', whole: 3, part: 2, text: null, tags: ['one'] } },
  },
  {
    name: 'an absent input field takes its default, and numbers keep their exponent and sign',
    query: '{ convert(input: { id: "x", whole: -2147483648, part: 1e21 }) { id whole part text tags } }',
    data: { convert: { id: 'x', whole: -2147483648, part: 1e21, text: 'none', tags: null } },
  },
  {
    name: 'one operation is answered by all five',
    query: `{
      me { name reviews { stars item { title ... on Book { inStock shippingCost { amount } } } } }
      warehouse(key: { country: "NO" }) { city carriers { name } }
    }`,
    data: {
      me: {
        name: 'Ada',
        reviews: [{ stars: 5, item: { title: 'Kite Weather', inStock: 4, shippingCost: { amount: 4.1 } } }],
      },
      warehouse: { city: 'Bergen', carriers: [{ name: 'Posten' }, { name: 'Swift' }] },
    },
    limit: 'interface-objects',
  },
  {
    name: 'a nested key leads from Strawberry to Apollo Server',
    query: `{ stocked(atLeast: 2) { __typename
      ... on Book { id title } ... on Gadget { inStock title maker { code name } } } }`,
    data: {
      stocked: [
        B1,
        {
          __typename: 'Gadget',
          inStock: 9,
          title: 'Pocket Lathe',
          maker: { code: 'acme', name: 'Acme Works' },
        },
        {
          __typename: 'Gadget',
          inStock: 2,
          title: 'Night Lamp',
          maker: { code: 'volt', name: 'Volt & Sons' },
        },
      ],
    },
  },
  {
    name: 'a nested key leads from Apollo Server to Strawberry',
    query: '{ items(ids: ["g1", "g2"]) { id ... on Gadget { inStock volts } } }',
    data: {
      items: [
        { id: 'g1', inStock: 9, volts: 12 },
        { id: 'g2', inStock: 2, volts: null },
      ],
    },
  },
  {
    name: 'a composite key leads from Strawberry to Mercurius',
    query: '{ warehouses { country number city carriers { __typename name } } }',
    data: {
      warehouses: [
        {
          country: 'NO',
          number: 1,
          city: 'Bergen',
          carriers: [
            { __typename: 'Postal', name: 'Posten' },
            { __typename: 'Courier', name: 'Swift' },
          ],
        },
        { country: 'NO', number: 2, city: 'Bodø', carriers: [] },
        { country: 'PT', number: 1, city: 'Porto', carriers: [{ __typename: 'Courier', name: 'Swift' }] },
      ],
    },
  },
  {
    name: 'an input object with a default is passed on, and what is not found is null',
    query: `query ($key: WarehouseKey!) { first: warehouse(key: $key) { city }
      none: warehouse(key: { country: "NO", number: 9 }) { city } }`,
    variables: { key: { country: 'PT' } },
    data: { first: { city: 'Porto' }, none: null },
  },
  {
    name: '@requires of Mercurius gets fields of Apollo Server, with arguments and aliases',
    query: `query ($dear: Float!) { books { id
      cheap: shippingCost { amount currency } dear: shippingCost(perKilo: $dear) { amount } } }`,
    variables: { dear: 100 },
    data: {
      books: [
        { id: 'b1', cheap: { amount: 4.1, currency: 'EUR' }, dear: { amount: 41 } },
        { id: 'b2', cheap: { amount: 12, currency: 'NOK' }, dear: { amount: 120 } },
        { id: 'b3', cheap: null, dear: null },
      ],
    },
  },
  {
    name: '@requires of Strawberry gets a nested value',
    query: `{ items(ids: ["b1", "b2"]) { ... on Book { discounted { amount currency }
      half: discounted(percent: 50) { amount } price { amount } } } }`,
    data: {
      items: [
        { discounted: { amount: 22.05, currency: 'EUR' }, half: { amount: 12.25 }, price: { amount: 24.5 } },
        { discounted: { amount: 10.8, currency: 'NOK' }, half: { amount: 6 }, price: { amount: 12 } },
      ],
    },
  },
  {
    name: '@requires of Pothos gets a field that was not asked for',
    query: '{ books(first: 2) { spine } }',
    data: { books: [{ spine: 'b1 · KITE WEATHER' }, { spine: 'b2 · SALT ROADS' }] },
  },
  {
    name: '@requires of gqlgen gets an object, and null where there is none',
    query: '{ users(ids: ["u1", "u2"]) { signature } }',
    data: { users: [{ signature: '<ada@example.org> from Oslo' }, { signature: '<bo@example.org>' }] },
  },
  {
    name: '@requires in three frameworks meet at one object',
    query:
      '{ item(id: "b2") { ... on Book { spine discounted { amount } shippingCost { amount } inStock } } }',
    data: {
      item: {
        spine: 'b2 · SALT ROADS',
        discounted: { amount: 10.8 },
        shippingCost: { amount: 12 },
        inStock: 0,
      },
    },
  },
  {
    name: 'a provided field is answered beside others that are not',
    query: '{ latestReviews(first: 3) { id author { name role } } }',
    data: {
      latestReviews: [
        { id: 'r3', author: null },
        { id: 'r2', author: { name: 'Bo', role: 'READER' } },
        { id: 'r1', author: { name: 'Ada', role: 'STAFF' } },
      ],
    },
  },
  {
    name: 'an interface object of gqlgen adds to every implementation',
    query: '{ items(ids: ["b1", "g1", "g2"]) { title averageStars reviews { stars mood } } }',
    data: {
      items: [
        {
          title: 'Kite Weather',
          averageStars: 4.5,
          reviews: [
            { stars: 5, mood: 'HAPPY' },
            { stars: 4, mood: 'CALM' },
          ],
        },
        { title: 'Pocket Lathe', averageStars: 2, reviews: [{ stars: 2, mood: null }] },
        { title: 'Night Lamp', averageStars: null, reviews: [] },
      ],
    },
    limit: 'interface-objects',
  },
  {
    name: 'the type of an interface object comes from the subgraph that knows it',
    query: '{ latestReviews { id item { __typename id title ... on Gadget { volts } } } }',
    data: {
      latestReviews: [
        { id: 'r3', item: B1 },
        { id: 'r2', item: { ...G1, volts: 12 } },
      ],
    },
  },
  {
    name: 'an interface without a key leads to its items by their own keys',
    query: '{ me { wishlist { __typename id title ... on Book { weight } ... on Gadget { model } } } }',
    data: {
      me: {
        wishlist: [
          { ...G1, model: 7 },
          { __typename: 'Book', id: 'b2', title: 'Salt Roads', weight: 1200 },
        ],
      },
    },
  },
  {
    name: 'a union of Pothos leads to fields of Apollo Server and Strawberry',
    query: `{ users(ids: ["u1", "u2", "u3"]) { favourite { __typename
      ... on Book { title inStock } ... on Gadget { maker { name } inStock } } } }`,
    data: {
      users: [
        { favourite: { __typename: 'Book', title: 'Kite Weather', inStock: 4 } },
        { favourite: { __typename: 'Gadget', maker: { name: 'Acme Works' }, inStock: 9 } },
        { favourite: null },
      ],
    },
  },
  {
    name: 'a union of gqlgen leads to fields of Pothos',
    query: '{ activity { __typename ... on Review { id stars } ... on User { id name role } } }',
    data: {
      activity: [
        { __typename: 'Review', id: 'r1', stars: 5 },
        { __typename: 'User', id: 'u2', name: 'Bo', role: 'READER' },
      ],
    },
  },
  {
    name: 'a union of Mercurius has both members, and null',
    query: `{ a: tracking(parcel: "p1") { ...T } b: tracking(parcel: "p2") { ...T } c: tracking(parcel: "p9") { ...T } }
      fragment T on Tracking { __typename ... on Parcel { id book { title } } ... on Lost { reason } }`,
    data: {
      a: { __typename: 'Parcel', id: 'p1', book: { title: 'Kite Weather' } },
      b: { __typename: 'Lost', reason: 'It fell off the boat.' },
      c: null,
    },
  },
  {
    name: 'an interface of Mercurius has fields by type',
    query: '{ carriers { name ... on Postal { stampless } ... on Courier { phone } } }',
    data: {
      carriers: [
        { name: 'Posten', stampless: true },
        { name: 'Swift', phone: '+47 555' },
      ],
    },
  },
  {
    name: 'enum values go in and come out',
    query:
      'query ($roles: [Role!]) { directory(filter: { roles: $roles }) { id role } books(language: NB) { id language } }',
    variables: { roles: ['READER'] },
    data: {
      directory: [
        { id: 'u2', role: 'READER' },
        { id: 'u3', role: 'READER' },
      ],
      books: [{ id: 'b2', language: 'NB' }],
    },
  },
  {
    name: 'a custom scalar goes in and comes out, of three frameworks',
    query: `query ($date: Date) { directory(filter: { bornBefore: $date }) { born reviews { posted } }
      items(ids: ["b1"]) { ... on Book { restocked } } }`,
    variables: { date: '1990-01-01' },
    data: {
      directory: [{ born: '1915-12-10', reviews: [{ posted: '2026-03-01' }] }],
      items: [{ restocked: '2026-01-31' }],
    },
  },
  {
    name: 'a JSON scalar is passed on as it is',
    query: '{ item(id: "b1") { ... on Book { attributes } } }',
    data: { item: { attributes: { id: 'b1', sizes: [1, 2.5, null], nested: { fits: true } } } },
  },
  {
    name: 'a null argument is not the same as none',
    query:
      '{ all: books(language: null) { id } one: books(first: 1) { id } everybody: directory(filter: null) { id } }',
    data: {
      all: [{ id: 'b1' }, { id: 'b2' }, { id: 'b3' }],
      one: [{ id: 'b1' }],
      everybody: [{ id: 'u1' }, { id: 'u2' }, { id: 'u3' }],
    },
  },
  {
    name: '@skip and @include leave out what they say',
    query: `query ($yes: Boolean!, $no: Boolean!) { me { name @skip(if: $yes) email @include(if: $yes)
      ... @include(if: $no) { signature } reviews @skip(if: $no) { id } } }`,
    variables: { yes: true, no: false },
    data: { me: { email: 'ada@example.org', reviews: [{ id: 'r1' }] } },
  },
  {
    name: 'one field under two aliases, and an alias that is the name of another field',
    query:
      '{ a: item(id: "b1") { title } b: item(id: "g1") { title id } me { r: reviewCount n: name name: email } }',
    data: {
      a: { title: 'Kite Weather' },
      b: { title: 'Pocket Lathe', id: 'g1' },
      me: { r: 1, n: 'Ada', name: 'ada@example.org' },
    },
  },
  {
    name: 'named fragments are spread over subgraphs',
    query: `{ me { ...Who reviews { ...What } } }
      fragment Who on User { name address { street city } }
      fragment What on Review { body item { ...Thing } }
      fragment Thing on Item { title price { ...M } }
      fragment M on Money { currency amount }`,
    data: {
      me: {
        name: 'Ada',
        address: { street: 'Storgata 1', city: 'Oslo' },
        reviews: [
          {
            body: 'Bring a kite.',
            item: { title: 'Kite Weather', price: { currency: 'EUR', amount: 24.5 } },
          },
        ],
      },
    },
    limit: 'interface-objects',
  },
  {
    name: 'text with quotes, symbols and characters of other alphabets arrives whole',
    query: '{ review(id: "r2") { body } warehouses { city } }',
    data: {
      review: { body: 'Too small for "large" pockets. ✂' },
      warehouses: [{ city: 'Bergen' }, { city: 'Bodø' }, { city: 'Porto' }],
    },
  },
  {
    name: 'a value type is answered by whichever subgraph is at hand',
    query: '{ item(id: "g2") { price { amount currency __typename } } me { address { __typename city } } }',
    data: {
      item: { price: { amount: 30.25, currency: 'EUR', __typename: 'Money' } },
      me: { address: { __typename: 'Address', city: 'Oslo' } },
    },
  },
  {
    name: 'a walk through every subgraph and back',
    query: `{ warehouses { books { title
      reviews { author { name favourite { ... on Book { parcels { carrier { name } } } } } } } } }`,
    data: {
      warehouses: [
        { books: [kiteWeather(), saltRoads()] },
        { books: [] },
        { books: [kiteWeather(), untold()] },
      ],
    },
    limit: 'interface-objects',
  },
  {
    name: 'an operation without a field of any subgraph is answered',
    query: '{ __typename }',
    data: { __typename: 'Query' },
  },
  {
    name: 'what is inaccessible, and what federation needs, is not in the schema that clients see',
    query: `{ warehouse: __type(name: "Warehouse") { fields { name } } entity: __type(name: "_Entity") { name }
      query: __type(name: "Query") { fields { name } } any: __type(name: "_Any") { name } }`,
    data: {
      warehouse: { fields: names('country number carriers city books') },
      entity: null,
      query: {
        fields: names(
          'directory me user users item items books search convert secret review latestReviews activity carriers tracking warehouses warehouse stocked',
        ),
      },
      any: null,
    },
  },
  {
    name: 'an error of Apollo Server has its place and its extensions',
    query: '{ secret me { name } }',
    data: { secret: null, me: { name: 'Ada' } },
    errors: [
      {
        message: 'The secret is kept.',
        path: ['secret'],
        extensions: { code: 'SECRET_KEPT', level: 3, serviceName: 'catalog' },
      },
    ],
  },
  {
    name: 'an error of Strawberry for one entity leaves the others alone',
    query: '{ books { id restocked } }',
    data: {
      books: [
        { id: 'b1', restocked: '2026-01-31' },
        { id: 'b2', restocked: null },
        { id: 'b3', restocked: null },
      ],
    },
    errors: [{ ...COUNTING, path: ['books', 2] }],
    limit: 'error-paths',
  },
  {
    name: 'a null where none may be takes the nearest object that may be null with it',
    query: '{ items(ids: ["b1", "b3"]) { id ... on Book { inStock } } }',
    data: { items: [{ id: 'b1', inStock: 4 }, null] },
    errors: [{ ...COUNTING, path: ['items', 1] }],
    limit: 'error-paths',
  },
  {
    name: 'an error of Strawberry at several places is told at each',
    query: '{ x: item(id: "b3") { ... on Book { restocked title } } y: books { restocked } }',
    data: {
      x: { restocked: null, title: 'Untold' },
      y: [{ restocked: '2026-01-31' }, { restocked: null }, { restocked: null }],
    },
    errors: [
      { ...COUNTING, path: ['x'] },
      { ...COUNTING, path: ['y', 2] },
    ],
    limit: 'error-paths',
  },
  {
    name: 'an entity that its subgraph does not know is null without an error',
    query:
      '{ review(id: "r3") { stars author { name } } tracking(parcel: "p1") { ... on Parcel { book { inStock } } } }',
    data: { review: { stars: 4, author: null }, tracking: { book: { inStock: 4 } } },
  },
]

function kiteWeather() {
  const author = { name: 'Ada', favourite: { parcels: [{ carrier: { name: 'Swift' } }] } }
  return { title: 'Kite Weather', reviews: [{ author }, { author: null }] }
}

function saltRoads() {
  return { title: 'Salt Roads', reviews: [] }
}

function untold() {
  return { title: 'Untold', reviews: [] }
}

function names(list: string): readonly { readonly name: string }[] {
  return list.split(' ').map((name) => ({ name }))
}
