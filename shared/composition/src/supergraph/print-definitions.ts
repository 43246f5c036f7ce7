/** Writes one merged definition as SDL. */
import { print } from 'graphql'
import type {
  FieldJoin,
  MergedDirective,
  MergedEnum,
  MergedField,
  MergedFieldsType,
  MergedHead,
  MergedInput,
  MergedInputType,
  MergedType,
  MergedUnion,
  Presence,
} from '../merge/merged.ts'
import { printApplied } from './print-applied.ts'

/** The values of `join__Graph` by the position of their subgraph. */
export type GraphValues = readonly string[]

/** Writes the definition of a type. */
export function printType(type: MergedType, values: GraphValues): string {
  if (type.kind === 'input') return printInputType(type, values)
  if (type.kind === 'enum') return printEnum(type, values)
  if (type.kind === 'union') return printUnion(type, values)
  if (type.kind !== 'scalar') return printFieldsType(type, values)
  return `${head(type, '')}scalar ${type.name}${lines(presences(type.at, values), type)}`
}

/** Writes the definition of a directive. */
export function printDirective({
  name,
  arguments: inputs,
  isRepeatable,
  locations,
}: MergedDirective): string {
  const repeatable = isRepeatable ? ' repeatable' : ''
  return `directive @${name}${printArguments(inputs, '')}${repeatable} on ${locations.join(' | ')}`
}

function printFieldsType(type: MergedFieldsType, values: GraphValues): string {
  const joins = [
    ...type.presence.map((one) => printPresence(one, values)),
    ...type.implementations.map(
      ({ at, interface: name }) => `@join__implements(graph: ${values[at] ?? ''}, interface: "${name}")`,
    ),
  ]
  const keyword = type.kind === 'object' ? 'type' : 'interface'
  const interfaces = type.interfaces.length > 0 ? ` implements ${type.interfaces.join(' & ')}` : ''
  const fields = type.fields.map((field) => printField(field, values))
  return `${head(type, '')}${keyword} ${type.name}${interfaces}${lines(joins, type)}\n${block(fields)}`
}

function printPresence(
  { at, key, isExtension, isResolvable, isInterfaceObject }: Presence,
  values: GraphValues,
): string {
  const more = [
    key === null ? '' : `, key: ${JSON.stringify(key)}`,
    isExtension ? ', extension: true' : '',
    isResolvable ? '' : ', resolvable: false',
    isInterfaceObject ? ', isInterfaceObject: true' : '',
  ]
  return `@join__type(graph: ${values[at] ?? ''}${more.join('')})`
}

function printField(field: MergedField, values: GraphValues): string {
  const joins = field.isThroughInterface
    ? ['@join__field']
    : field.joins.map((join) => printJoin(join, values))
  const directives = [...joins, ...printApplied(field.applied)]
  return `${head(field, '  ')}  ${field.name}${printArguments(field.arguments, '  ')}: ${field.type}${spaced(directives)}`
}

function printJoin(join: FieldJoin, values: GraphValues): string {
  const text = (name: string, value: string | null) =>
    value === null ? '' : `, ${name}: ${JSON.stringify(value)}`
  const flag = (name: string, value: boolean) => (value ? `, ${name}: true` : '')
  const more = [
    text('requires', join.requires),
    text('provides', join.provides),
    text('type', join.type),
    flag('external', join.isExternal),
    text('override', join.override),
    flag('usedOverridden', join.isUsedOverridden),
    text('overrideLabel', join.overrideLabel),
  ]
  return `@join__field(graph: ${values[join.at] ?? ''}${more.join('')})`
}

function printArguments(inputs: readonly MergedInput[], indent: string): string {
  if (inputs.length === 0) return ''
  if (inputs.every(({ description }) => description === null))
    return `(${inputs.map((one) => printInput(one, '', [])).join(', ')})`
  const texts = inputs.map((one) => printInput(one, `${indent}  `, []))
  return `(\n${texts.join('\n')}\n${indent})`
}

function printInput(input: MergedInput, indent: string, joins: readonly string[]): string {
  const value = input.defaultValue === null ? '' : ` = ${print(input.defaultValue)}`
  const directives = spaced([...joins, ...printApplied(input.applied)])
  return `${head(input, indent)}${indent}${input.name}: ${input.type}${value}${directives}`
}

function printInputType(type: MergedInputType, values: GraphValues): string {
  const fields = type.fields.map((field) =>
    printInput(
      field,
      '  ',
      field.joins.map(
        ({ at, type: own }) =>
          `@join__field(graph: ${values[at] ?? ''}${own === null ? '' : `, type: ${JSON.stringify(own)}`})`,
      ),
    ),
  )
  return `${head(type, '')}input ${type.name}${lines(presences(type.at, values), type)}\n${block(fields)}`
}

function printEnum(type: MergedEnum, values: GraphValues): string {
  const texts = type.values.map((value) => {
    const joins = value.at.map((at) => `@join__enumValue(graph: ${values[at] ?? ''})`)
    return `${head(value, '  ')}  ${value.name}${spaced([...joins, ...printApplied(value.applied)])}`
  })
  return `${head(type, '')}enum ${type.name}${lines(presences(type.at, values), type)}\n${block(texts)}`
}

function printUnion(type: MergedUnion, values: GraphValues): string {
  const joins = type.members.flatMap(({ name, at }) =>
    at.map((one) => `@join__unionMember(graph: ${values[one] ?? ''}, member: "${name}")`),
  )
  const members = type.members.map(({ name }) => name).join(' | ')
  return `${head(type, '')}union ${type.name}${lines([...presences(type.at, values), ...joins], type)}\n = ${members}`
}

function presences(at: readonly number[], values: GraphValues): readonly string[] {
  return at.map((one) => `@join__type(graph: ${values[one] ?? ''})`)
}

function lines(joins: readonly string[], { applied }: MergedHead): string {
  return [...joins, ...printApplied(applied)].map((one) => `\n  ${one}`).join('')
}

function spaced(directives: readonly string[]): string {
  return directives.map((one) => ` ${one}`).join('')
}

function block(members: readonly string[]): string {
  return members.length === 0 ? '' : `{\n${members.join('\n')}\n}`
}

function head({ description }: MergedHead, indent: string): string {
  return description === null ? '' : `${indent}${JSON.stringify(description)}\n`
}
