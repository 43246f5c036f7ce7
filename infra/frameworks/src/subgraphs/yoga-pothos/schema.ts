/** The subgraph `accounts`, code first, as the documentation of Pothos' federation plugin shows one. */
import SchemaBuilder from '@pothos/core'
import DirectivePlugin from '@pothos/plugin-directives'
import FederationPlugin from '@pothos/plugin-federation'
import { readShopData, type UserRow } from '../../shop-data.ts'

type Entity = { readonly id: string }
type ItemStub = Entity & { readonly type: 'Book' | 'Gadget' }

const { items, users: rows } = readShopData()
const users: UserRow[] = [...rows]
const userOf = (id: string): UserRow | null => users.find((user) => user.id === id) ?? null
const stubOf = (id: string): ItemStub | null => {
  const item = items.find((row) => row.id === id)
  return item === undefined ? null : { id, type: item.type }
}

const builder = new SchemaBuilder<{ Scalars: { Date: { Input: string; Output: string } } }>({
  plugins: [DirectivePlugin, FederationPlugin],
  // The form that printSubgraphSchema of @apollo/subgraph 2.15 reads: without it the printed schema is no
  // GraphQL.
  directives: { useGraphQLToolsUnorderedDirectives: true },
})

builder.scalarType('Date', { serialize: String, parseValue: String })
const Role = builder.enumType('Role', { values: ['STAFF', 'READER'] as const })

const Address = builder.objectRef<NonNullable<UserRow['address']>>('Address').implement({
  shareable: true,
  fields: (t) => ({ street: t.exposeString('street'), city: t.exposeString('city', { nullable: false }) }),
})

const Item = builder.interfaceRef<ItemStub>('Item').implement({
  fields: (t) => ({ id: t.exposeID('id', { nullable: false }) }),
  resolveType: ({ type }) => type,
})
const Book = builder
  .externalRef('Book', builder.selection<Entity>('id'), (entity) => ({
    // With it come the values that fields require.
    ...entity,
    type: 'Book' as const,
  }))
  .implement({
    interfaces: [Item],
    externalFields: (t) => ({ title: t.string({ nullable: false }) }),
    fields: (t) => ({
      id: t.exposeID('id', { nullable: false }),
      spine: t.string({
        nullable: false,
        requires: builder.selection<{ title: string }>('title'),
        resolve: ({ id, title }) => `${id} · ${title.toUpperCase()}`,
      }),
    }),
  })
const Gadget = builder
  .externalRef('Gadget', builder.selection<Entity>('id'), ({ id }) => ({ id, type: 'Gadget' as const }))
  .implement({
    interfaces: [Item],
    fields: (t) => ({ id: t.exposeID('id', { nullable: false }) }),
  })
const Subject = builder.unionType('Subject', {
  types: [Book, Gadget],
  resolveType: ({ type }) => type,
})

const User = builder.objectRef<UserRow & { readonly reviewCount?: number }>('User').implement({
  fields: (t) => ({
    id: t.exposeID('id', { nullable: false }),
    name: t.exposeString('name', { nullable: false, tag: ['personal'] }),
    email: t.exposeString('email', { nullable: false }),
    born: t.field({ type: 'Date', resolve: ({ born }) => born }),
    role: t.field({ type: Role, nullable: false, resolve: ({ role }) => role }),
    address: t.field({ type: Address, resolve: ({ address }) => address }),
    passwordHint: t.string({ inaccessible: true, resolve: () => 'the usual' }),
    favourite: t.field({
      type: Subject,
      resolve: ({ favourite }) => (favourite === null ? null : stubOf(favourite)),
    }),
    wishlist: t.field({
      type: [Item],
      nullable: { list: false, items: false },
      resolve: ({ wishlist }) => wishlist.map(stubOf).filter((item) => item !== null),
    }),
  }),
})
builder.asEntity(User, {
  key: [builder.selection<Entity>('id'), builder.selection<{ email: string }>('email')],
  resolveReference: (key) =>
    users.find((user) => ('email' in key ? user.email === key.email : user.id === key.id)) ?? null,
})

const UserFilter = builder.inputType('UserFilter', {
  fields: (t) => ({
    roles: t.field({ type: [Role] }),
    bornBefore: t.field({ type: 'Date' }),
    namePrefix: t.string({ defaultValue: '' }),
  }),
})

builder.queryType({
  fields: (t) => ({
    me: t.field({ type: User, resolve: () => userOf('u1') }),
    user: t.field({
      type: User,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }) => userOf(id),
    }),
    users: t.field({
      type: [User],
      nullable: { list: false, items: true },
      args: { ids: t.arg.idList({ required: true }) },
      resolve: (_, { ids }) => ids.map((id) => userOf(id)),
    }),
    directory: t.field({
      type: [User],
      nullable: { list: false, items: false },
      args: { filter: t.arg({ type: UserFilter }) },
      resolve: (_, { filter }) =>
        users.filter(
          ({ role, born, name }) =>
            (filter?.roles == null || filter.roles.includes(role)) &&
            (filter?.bornBefore == null || (born !== null && born < filter.bornBefore)) &&
            name.startsWith(filter?.namePrefix ?? ''),
        ),
    }),
  }),
})

builder.mutationType({
  fields: (t) => ({
    renameUser: t.field({
      type: User,
      nullable: false,
      args: { id: t.arg.id({ required: true }), name: t.arg.string({ required: true }) },
      resolve: (_, { id, name }) => {
        const index = users.findIndex((user) => user.id === id)
        const user = users[index]
        if (user === undefined) throw new Error(`There is no user "${id}".`)
        return (users[index] = { ...user, name })
      },
    }),
  }),
})

export const schema = builder.toSubGraphSchema({})
