/** Finds the places where a subgraph writes its links and imports. */
import { Kind } from 'graphql'
import type { ConstDirectiveNode } from 'graphql'
import type { SdlLocation } from '../contract/composition-result.ts'
import { argument } from '../federation/federation-link.ts'
import { at, type Located } from './place.ts'
import { applications } from './rule.ts'

/** The `@link` directives of a subgraph, in document order. */
export function links(one: Located): readonly ConstDirectiveNode[] {
  return applications({ document: one.written }, 'link')
}

/** The URL that a `@link` names; null when it names none as a string. */
export function urlOf(link: ConstDirectiveNode): string | null {
  const url = argument(link, 'url')
  return url?.kind === Kind.STRING ? url.value : null
}

/** Entries of the lists of imports that name an element, by its name in its specification. */
export function imports(one: Located, element: string): readonly SdlLocation[] {
  return links(one).flatMap((link) => {
    const list = argument(link, 'import')
    if (list?.kind !== Kind.LIST) return []
    return list.values
      .filter((value) => {
        const name =
          value.kind === Kind.OBJECT
            ? value.fields.find((field) => field.name.value === 'name')?.value
            : value
        return name?.kind === Kind.STRING && name.value === element
      })
      .flatMap((value) => at(one, value))
  })
}
