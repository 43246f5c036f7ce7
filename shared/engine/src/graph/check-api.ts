/** Checks that all types of the client's schema can be made, since that is done when they are asked for. */
import { specifiedScalarTypes } from 'graphql'
import type { ApiInput, ApiType, CompiledApi } from './compiled/compiled-api.ts'
import { SupergraphError } from './header/supergraph-error.ts'

type Kind = ApiType['kind']

const INPUT: ReadonlySet<Kind> = new Set(['scalar', 'enum', 'input'])
const OUTPUT: ReadonlySet<Kind> = new Set(['scalar', 'enum', 'object', 'interface', 'union'])
const OBJECT: ReadonlySet<Kind> = new Set(['object'])
const INTERFACE: ReadonlySet<Kind> = new Set(['interface'])
const WRAPPERS = /[[\]!]/g

/** Throws a SupergraphError if a type is named where there is none of its kind. */
export function checkApi(api: CompiledApi): void {
  const kinds = kindsOf(api.types)
  for (const type of api.types) checkApiType(type, kinds)
  for (const { name, args } of api.directives) checkInputs(`@${name}`, args, kinds)
  for (const root of [api.query, api.mutation, api.subscription])
    if (root !== undefined) check('The schema', root, OBJECT, kinds)
}

/** The kinds of all types by name, those of the specification included. */
export function kindsOf(types: readonly ApiType[]): ReadonlyMap<string, Kind> {
  const specified = specifiedScalarTypes.map(({ name }) => [name, 'scalar'] as const)
  return new Map([...types.map(({ name, kind }) => [name, kind] as const), ...specified])
}

/** Checks one type. */
export function checkApiType(type: ApiType, kinds: ReadonlyMap<string, Kind>): void {
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

function checkInputs(where: string, inputs: readonly ApiInput[], kinds: ReadonlyMap<string, Kind>): void {
  for (const { type } of inputs) check(where, type, INPUT, kinds)
}

/** `written`: as in SDL. */
function check(
  where: string,
  written: string,
  allowed: ReadonlySet<Kind>,
  kinds: ReadonlyMap<string, Kind>,
): void {
  const name = written.replace(WRAPPERS, '')
  const kind = kinds.get(name)
  if (kind !== undefined && allowed.has(kind)) return
  const found =
    kind === undefined ? 'which the schema for clients does not have' : `which is of the kind "${kind}"`
  throw new SupergraphError(
    'SUPERGRAPH_INVALID',
    `${where} names the type "${name}", ${found}; expected ${[...allowed].join(', ')}.`,
  )
}
