/** Errors between subgraphs about what one of them hides, and another, or the same one, needs. */
import type { SdlLocation } from '../contract/composition-result.ts'
import { defaults, NO_DEFAULT, requiring } from './input-values.ts'
import { C, directives, firstName, marked, names, type Rule, type Scope, typeReferences } from './rule.ts'

/** The rules for messages about `@inaccessible`. */
export const INACCESSIBLE_RULES: readonly Rule[] = [
  {
    code: 'IMPLEMENTED_BY_INACCESSIBLE',
    pattern: new RegExp(`^Field ${C} is @inaccessible but implements the interface field ${C}`),
    places: (scope, field = '', implemented = '') => [
      ...directives(marked(scope, field, 'inaccessible'), field, 'inaccessible'),
      ...names(scope, implemented),
    ],
  },
  {
    code: 'ONLY_INACCESSIBLE_CHILDREN',
    pattern: new RegExp(`^Type ${C}`),
    places: (scope, type = '') => firstNames(scope, type),
  },
  {
    code: 'REFERENCED_INACCESSIBLE',
    pattern: new RegExp(`^Type ${C} is @inaccessible but is referenced by ${C}`),
    places: (scope, type = '', reference = '') => [
      ...directives(marked(scope, type, 'inaccessible'), type, 'inaccessible'),
      ...typeReferences(scope, reference).map((place) => ({ ...place, label: 'used here' })),
    ],
  },
  {
    code: 'REQUIRED_INACCESSIBLE',
    pattern: new RegExp(`^(?:Input field|Argument) ${C}`),
    places: (scope, place = '') => [
      ...directives(marked(scope, place, 'inaccessible'), place, 'inaccessible'),
      ...scope.flatMap((one) => requiring(one, place)),
    ],
  },
  {
    code: 'DEFAULT_VALUE_USES_INACCESSIBLE',
    pattern: new RegExp(`^Enum value ${C} .*default value of ${C}`),
    places: (scope, value = '', place = '') => [
      ...[value, value.slice(0, value.indexOf('.'))].flatMap((hidden) =>
        directives(marked(scope, hidden, 'inaccessible'), hidden, 'inaccessible'),
      ),
      ...defaults(scope, place).filter(({ label }) => label !== NO_DEFAULT),
    ],
  },
]

function firstNames(scope: Scope, text: string): readonly SdlLocation[] {
  return scope.flatMap((one) => firstName([one], text))
}
