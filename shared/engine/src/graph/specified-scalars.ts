/** The scalars that GraphQL itself defines. */
import { specifiedScalarTypes } from 'graphql'

export const SPECIFIED_SCALARS: ReadonlySet<string> = new Set(specifiedScalarTypes.map(({ name }) => name))
