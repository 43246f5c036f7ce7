/** Reads the directives of a supergraph: those that people look at, and those that composition wrote. */
import type { AppliedDirective } from '@switchyard/contracts/studio'
import type { FeatureDefinitions } from '@switchyard/engine'
import { type ConstDirectiveNode, Kind, print } from 'graphql'

type Directed = { readonly directives?: readonly ConstDirectiveNode[] | undefined }

/** Directives of this name. */
export function appliedOf({ directives = [] }: Directed, name: string): readonly ConstDirectiveNode[] {
  return directives.filter((directive) => directive.name.value === name)
}

/** Returns the text of an argument: a string, or the name of an enum value. Null if it is absent. */
export function argumentText(directive: ConstDirectiveNode | undefined, name: string): string | null {
  const value = directive?.arguments?.find((argument) => argument.name.value === name)?.value
  return value?.kind === Kind.STRING || value?.kind === Kind.ENUM ? value.value : null
}

/** Whether an argument is the literal `true`; `otherwise` if it is absent. */
export function argumentFlag(directive: ConstDirectiveNode, name: string, otherwise = false): boolean {
  const value = directive.arguments?.find((argument) => argument.name.value === name)?.value
  return value?.kind === Kind.BOOLEAN ? value.value : otherwise
}

export function isHidden({ directives = [] }: Directed, { inaccessible }: FeatureDefinitions): boolean {
  return directives.some(({ name }) => name.value === inaccessible)
}

/** The reason of `@deprecated`; null without it. */
export function deprecationOf(node: Directed): string | null {
  const [directive] = appliedOf(node, 'deprecated')
  return directive === undefined ? null : (argumentText(directive, 'reason') ?? 'No longer supported')
}

/** All directives but those that composition wrote for routers, and those that have a member of their own. */
export function shownDirectives(
  { directives = [] }: Directed,
  { inaccessible }: FeatureDefinitions,
): AppliedDirective[] {
  const isShown = (name: string) =>
    !name.startsWith('join__') && name !== inaccessible && name !== 'deprecated' && name !== 'link'
  return directives
    .filter(({ name }) => isShown(name.value))
    .map(({ name, arguments: given = [] }) => ({
      name: name.value,
      arguments: given.map((argument) => ({ name: argument.name.value, value: print(argument.value) })),
    }))
}
