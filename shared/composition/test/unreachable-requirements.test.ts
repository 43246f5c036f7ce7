/** Fields that cannot be resolved because of what they require: the message says why that cannot be had. */
import { describe, expect, it } from 'vitest'
import { type ErrorSet, F } from './errors/error-set.ts'
import { byText, placesOf, readMarks } from './errors/marks.ts'
import { explainFields, unreachableFieldsOf } from './unreachable-findings.ts'

type RequirementSet = Pick<ErrorSet, 'name' | 'subgraphs' | 'labels'> & {
  /** The field whose error is looked at. */
  readonly field: string
  readonly says: readonly string[]
}

const ENTITY = 'type Query { ‹t›: T } type T @key(fields: "id") { id: ID! }'

const SETS: readonly RequirementSet[] = [
  {
    name: 'two fields require each other',
    field: 'T.x',
    subgraphs: {
      a: `${F} type Query { ‹t›: T } type T @key(fields: "id") { id: ID! y: Int @external ‹x›: Int @requires(fields: "‹y›") }`,
      b: `${F} type ‹T› @key(fields: "id") { id: ID! ‹x›: Int @external y: Int @requires(fields: "‹x›") }`,
    },
    labels: [
      'the path comes to here',
      'resolved here',
      'cannot be fetched',
      'the path can go on to here',
      '@external here',
      'cannot be fetched',
    ],
    says: [
      '- from subgraph "a": "T.x" requires "T.y", which cannot be fetched without "T.x" itself. One of the fields of this circle has to be resolved without @requires.',
      '- from subgraph "b": "T.x" is @external there.',
    ],
  },
  {
    name: 'three fields require each other',
    field: 'T.x',
    subgraphs: {
      a: `${F} ${ENTITY}`,
      b: `${F} type ‹T› @key(fields: "id") { id: ID! y: Int @external ‹x›: Int @requires(fields: "‹y›") }`,
      c: `${F} type ‹T› @key(fields: "id") { id: ID! z: Int @external y: Int @requires(fields: "‹z›") }`,
      d: `${F} type ‹T› @key(fields: "id") { id: ID! ‹x›: Int @external z: Int @requires(fields: "‹x›") }`,
    },
    labels: [
      'the path comes to here',
      'the path can go on to here',
      'resolved here',
      'cannot be fetched',
      'the path can go on to here',
      'cannot be fetched',
      'the path can go on to here',
      '@external here',
      'cannot be fetched',
    ],
    says: [
      '- from subgraph "a": no subgraph that can be reached resolves "T.x".',
      '- from subgraph "b": "T.x" requires "T.y", which requires "T.z", which cannot be fetched without "T.x" itself. One of the fields of this circle has to be resolved without @requires.',
      '- from subgraph "c": no subgraph that can be reached resolves "T.x".',
      '- from subgraph "d": "T.x" is @external there.',
    ],
  },
  {
    name: 'a field requires one of a circle',
    field: 'T.f',
    subgraphs: {
      a: `${F} ${ENTITY}`,
      b: `${F} type ‹T› @key(fields: "id") { id: ID! x: Int @external y: Int @requires(fields: "‹x›") }`,
      c: `${F} type ‹T› @key(fields: "id") { id: ID! y: Int @external x: Int @requires(fields: "‹y›") }`,
      d: `${F} type ‹T› @key(fields: "id") { id: ID! x: Int @external ‹f›: Int @requires(fields: "‹x›") }`,
    },
    labels: [
      'the path comes to here',
      'the path can go on to here',
      'cannot be fetched',
      'the path can go on to here',
      'cannot be fetched',
      'the path can go on to here',
      'resolved here',
      'cannot be fetched',
    ],
    says: [
      '- from subgraph "a": no subgraph that can be reached resolves "T.f".',
      '- from subgraph "b": no subgraph that can be reached resolves "T.f".',
      '- from subgraph "c": "T.x" requires "T.y", which cannot be fetched without "T.x" itself. One of the fields of this circle has to be resolved without @requires.',
      '- from subgraph "d": "T.f" requires "T.x", which cannot be fetched for it.',
    ],
  },
  {
    name: 'a field requires itself, of another object',
    field: 'T.x',
    subgraphs: {
      a: `${F} type Query { ‹t›: T } type T @key(fields: "id") { id: ID! u: T }`,
      b: `${F} type ‹T› @key(fields: "id") { id: ID! u: T @external ‹x›: Int @requires(fields: "u { ‹x› }") }`,
    },
    labels: ['the path comes to here', 'the path can go on to here', 'resolved here', 'cannot be fetched'],
    says: [
      '- from subgraph "a": no subgraph that can be reached resolves "T.x".',
      '- from subgraph "b": "T.x" requires "T.x", which cannot be fetched without "T.x" itself. One of the fields of this circle has to be resolved without @requires.',
    ],
  },
  {
    name: 'a field of a circle is also resolved elsewhere, where no key leads to',
    field: 'T.x',
    subgraphs: {
      a: `${F} type Query { ‹t›: T } type T @key(fields: "id") { id: ID! y: Int @external ‹x›: Int @requires(fields: "‹y›") }`,
      b: `${F} type ‹T› @key(fields: "id") { id: ID! ‹x›: Int @external y: Int @shareable @requires(fields: "‹x›") }`,
      c: `${F} type T { ‹y›: Int @shareable }`,
    },
    labels: [
      'the path comes to here',
      'resolved here',
      'cannot be fetched',
      'the path can go on to here',
      '@external here',
      'cannot be fetched',
      '"T" has no @key here',
    ],
    says: [
      '- from subgraph "a": "T.x" requires "T.y", which cannot be fetched for it.',
      '- from subgraph "a": subgraph "c" has "T.y", but no @key on "T" to be entered by.',
      '- from subgraph "b": "T.x" is @external there.',
      '- from subgraph "b": "T.y" requires "T.x", which cannot be fetched for it.',
      '- from subgraph "b": subgraph "c" has "T.y", but no @key on "T" to be entered by.',
    ],
  },
  {
    name: 'the subgraph of the required field has no key',
    field: 'T.x',
    subgraphs: {
      a: `${F} ${ENTITY}`,
      b: `${F} type ‹T› @key(fields: "id") { id: ID! r: Int @external ‹x›: Int @requires(fields: "‹r›") }`,
      c: `${F} type T { ‹r›: Int }`,
    },
    labels: [
      'the path comes to here',
      'the path can go on to here',
      'resolved here',
      'cannot be fetched',
      '"T" has no @key here',
    ],
    says: [
      '- from subgraph "a": subgraph "c" has "T.r", but no @key on "T" to be entered by.',
      '- from subgraph "b": "T.x" requires "T.r", which cannot be fetched for it.',
      '- from subgraph "b": subgraph "c" has "T.r", but no @key on "T" to be entered by.',
    ],
  },
  {
    name: 'the subgraph of the required field only names it in a further subgraph',
    field: 'T.x',
    subgraphs: {
      a: `${F} type Query { ‹t›: T } type T @key(fields: "id") { id: ID! ‹r›: Int @external p: T @provides(fields: "r") }`,
      b: `${F} type ‹T› @key(fields: "id") { id: ID! r: Int @external ‹x›: Int @requires(fields: "‹r›") }`,
      c: `${F} type T ‹@key(fields: "id", resolvable: false)› { id: ID! r: Int }`,
    },
    labels: [
      'the path comes to here',
      '@external here',
      'the path can go on to here',
      'resolved here',
      'cannot be fetched',
      'not resolvable',
    ],
    says: [
      '- from subgraph "a": "T.r" is @external there.',
      '- from subgraph "a": the @key(fields: "id") of subgraph "c" is "resolvable: false".',
      '- from subgraph "b": "T.x" requires "T.r", which cannot be fetched for it.',
      '- from subgraph "b": the @key(fields: "id") of subgraph "c" is "resolvable: false".',
    ],
  },
  {
    name: 'the required field is below an object',
    field: 'T.x',
    subgraphs: {
      a: `${F} ${ENTITY}`,
      b: `${F} type ‹T› @key(fields: "id") { id: ID! r: R @external ‹x›: Int @requires(fields: "r { p ‹q› }") } type R { p: Int @external q: Int @external }`,
      c: `${F} type T @key(fields: "id") { id: ID! r: R } type ‹R› { p: Int }`,
      d: `${F} type R { ‹q›: Int }`,
    },
    labels: [
      'the path comes to here',
      'the path can go on to here',
      'resolved here',
      'cannot be fetched',
      'the path can go on to here',
      '"R" has no @key here',
    ],
    says: [
      '- from subgraph "a": no subgraph that can be reached resolves "T.x".',
      '- from subgraph "b": "T.x" requires "R.q", which cannot be fetched for it.',
      '- from subgraph "c": subgraph "d" has "R.q", but no @key on "R" to be entered by.',
    ],
  },
]

describe('an unreachable field', () => {
  it.each(SETS)('is told with the reasons of what it requires: $name', (set) => {
    const { sdls, marks } = readMarks(set)
    const error = errorOf(set.field, sdls)
    expect(error.message.split('\n').slice(1)).toEqual(set.says)
    expect([...placesOf(error)].sort(byText)).toEqual([...marks].sort(byText))
    expect(error.reasons?.map(({ subgraph, reason }) => `- from subgraph "${subgraph}": ${reason}.`)).toEqual(
      set.says,
    )
  })

  it('is told with few reasons, however many fields require each other', () => {
    const count = 200
    const links = Array.from({ length: count }, (_, at) => {
      const next = (at + 1) % count
      return [
        `s${String(at)}`,
        `${F} type T @key(fields: "id") { id: ID! f${String(next)}: Int @external f${String(at)}: Int @requires(fields: "f${String(next)}") }`,
      ] as const
    })
    const sdls = {
      a: `${F} type Query { t: T } type T @key(fields: "id") { id: ID! }`,
      ...Object.fromEntries(links),
    }
    const fields = unreachableFieldsOf(sdls)
    expect(fields).toHaveLength(count)
    const errors = explainFields(fields, sdls)
    for (const { reasons, locations } of errors) {
      expect(reasons?.length).toBeLessThanOrEqual(20)
      expect(locations.length).toBeLessThanOrEqual(200)
    }
  })
})

function errorOf(field: string, sdls: Readonly<Record<string, string>>) {
  const fields = unreachableFieldsOf(sdls)
  const index = fields.findIndex((one) => `${one.field.type}.${one.field.name}` === field)
  return explainFields(fields, sdls)[index] ?? expect.fail(`${field} can be reached`)
}
