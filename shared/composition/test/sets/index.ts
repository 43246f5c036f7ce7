import type { CompositionSet } from './composition-set.ts'
import { directiveArguments } from './directive-arguments.ts'
import { directives } from './directives.ts'
import { interfaces } from './interfaces.ts'
import { keys } from './keys.ts'
import { links } from './links.ts'
import { merges } from './merges.ts'
import { overrides } from './overrides.ts'
import { provides } from './provides.ts'
import { requires } from './requires.ts'
import { shareables } from './shareables.ts'
import { tags } from './tags.ts'

export const SETS: Readonly<Record<string, readonly CompositionSet[]>> = {
  links,
  keys,
  shareables,
  requires,
  provides,
  overrides,
  interfaces,
  tags,
  directives,
  directiveArguments,
  merges,
}
