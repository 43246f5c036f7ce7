/** The merged types as clients see them. */
import type { MergedGraph, MergedInput, MergedType } from '../merge/merged.ts'
import { isFieldsType } from '../merge/merged.ts'
import type { SampleType, SampleTypes } from './sample-operation.ts'

/** Looks up types without what is hidden from clients. */
export function sampleTypes({ types }: MergedGraph): SampleTypes {
  return (name) => {
    const type = types.get(name)
    return type === undefined ? undefined : sampleType(type)
  }
}

function sampleType(type: MergedType): SampleType {
  if (isFieldsType(type))
    return {
      kind: type.kind,
      fields: type.fields.map((field) => ({ name: field.name, args: visible(field.arguments) })),
    }
  if (type.kind === 'enum')
    return { kind: 'enum', values: type.values.filter(({ applied }) => !applied.isInaccessible) }
  if (type.kind === 'input')
    return { kind: 'input', fields: visible(type.fields), isOneOf: type.applied.isOneOf }
  return { kind: type.kind }
}

function visible(inputs: readonly MergedInput[]) {
  return inputs
    .filter(({ applied }) => !applied.isInaccessible)
    .map(({ name, type, defaultValue }) => ({ name, type, default: defaultValue ?? undefined }))
}
