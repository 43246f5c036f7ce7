/** Reading the arguments of join directives. Everything else in the compiler works on these typed values. */
import { type ConstDirectiveNode, Kind } from 'graphql'

/** Any node that directives may be applied to. */
export type Directed = { readonly directives?: readonly ConstDirectiveNode[] | undefined }

/** All applications of a directive, which may be repeated. */
export function directivesOf(node: Directed, name: string): readonly ConstDirectiveNode[] {
  return (node.directives ?? []).filter((directive) => directive.name.value === name)
}

/** Whether a directive is applied. */
export function hasDirective(node: Directed, name: string): boolean {
  return (node.directives ?? []).some((directive) => directive.name.value === name)
}

/** The value of an argument as it is written; undefined where it is left out. */
export function argument(directive: ConstDirectiveNode, name: string) {
  return directive.arguments?.find((arg) => arg.name.value === name)?.value
}

/** Strings and enum values alike. */
export function text(directive: ConstDirectiveNode, name: string): string | null {
  const value = argument(directive, name)
  return value?.kind === Kind.STRING || value?.kind === Kind.ENUM ? value.value : null
}

/** A Boolean argument; `absent` is its value where it is left out. */
export function flag(directive: ConstDirectiveNode, name: string, absent: boolean): boolean {
  const value = argument(directive, name)
  return value?.kind === Kind.BOOLEAN ? value.value : absent
}
