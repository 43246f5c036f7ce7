/** The kinds of operations (https://spec.graphql.org/draft/#OperationType). */
export type OperationKind = 'query' | 'mutation' | 'subscription'
