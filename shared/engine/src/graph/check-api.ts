/** Checks that all types of the client's schema can be made, since that is done when they are asked for. */
import { type Definitions, definitionsByName } from './api-types.ts'
import type { ApiInput, ApiType, CompiledApi } from './compiled/compiled-api.ts'
import { SupergraphError } from './header/supergraph-error.ts'
import { namedTypeIn } from './header/type-text.ts'
import { SPECIFIED_SCALARS } from './specified-scalars.ts'

type Kind = ApiType['kind']

const INPUT: ReadonlySet<Kind> = new Set(['scalar', 'enum', 'input'])
const OUTPUT: ReadonlySet<Kind> = new Set(['scalar', 'enum', 'object', 'interface', 'union'])
const OBJECT: ReadonlySet<Kind> = new Set(['object'])
const INTERFACE: ReadonlySet<Kind> = new Set(['interface'])

/** Throws a SupergraphError if a type is named where there is none of its kind. */
export function checkApi(api: CompiledApi): void {
  const kinds = kindsIn(definitionsByName(api.types))
  for (const type of api.types) checkApiType(type, kinds)
  for (const { name, args } of api.directives) checkInputs(`@${name}`, args, kinds)
  for (const root of [api.query, api.mutation, api.subscription])
    if (root !== undefined) check('The schema', root, OBJECT, kinds)
}

/** Looks up the kind of a type by its name, of those of the specification as well. */
export type Kinds = (name: string) => Kind | undefined

export function kindsIn(definitions: Definitions): Kinds {
  return (name) => definitions.get(name)?.kind ?? (SPECIFIED_SCALARS.has(name) ? 'scalar' : undefined)
}

/** Checks one type. */
export function checkApiType(type: ApiType, kinds: Kinds): void {
  switch (type.kind) {
    case 'object':
    case 'interface':
      for (const name of type.interfaces) check(type.name, name, INTERFACE, kinds)
      for (const field of type.fields) {
        const where = `${type.name}.${field.name}`
        check(where, field.type, OUTPUT, kinds)
        checkInputs(where, field.args, kinds)
      }
      return
    case 'union':
      for (const name of type.types) check(type.name, name, OBJECT, kinds)
      return
    case 'input':
      checkInputs(type.name, type.fields, kinds)
      return
    default:
  }
}

function checkInputs(where: string, inputs: readonly ApiInput[], kinds: Kinds): void {
  for (const { type } of inputs) check(where, type, INPUT, kinds)
}

/** `written`: as in SDL. */
function check(where: string, written: string, allowed: ReadonlySet<Kind>, kinds: Kinds): void {
  const name = namedTypeIn(written)
  const kind = kinds(name)
  if (kind !== undefined && allowed.has(kind)) return
  const found =
    kind === undefined ? 'which the schema for clients does not have' : `which is of the kind "${kind}"`
  throw new SupergraphError(
    'SUPERGRAPH_INVALID',
    `${where} names the type "${name}", ${found}; expected ${[...allowed].join(', ')}.`,
  )
}
