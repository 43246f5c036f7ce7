/** Reading the arguments of join directives. Everything else in the compiler works on these typed values. */
import { type ConstDirectiveNode, Kind } from 'graphql'

/** Any node that directives may be applied to. */
export type NodeWithDirectives = { readonly directives?: readonly ConstDirectiveNode[] | undefined }

/** All applications of a directive, which may be repeated. */
export function directivesOf(node: NodeWithDirectives, name: string): readonly ConstDirectiveNode[] {
  return (node.directives ?? []).filter((directive) => directive.name.value === name)
}

/** Whether a directive is applied. */
export function hasDirective(node: NodeWithDirectives, name: string): boolean {
  return (node.directives ?? []).some((directive) => directive.name.value === name)
}

/** The value of an argument as it is written; undefined where it is left out. */
export function argumentOf(directive: ConstDirectiveNode, name: string) {
  return directive.arguments?.find((arg) => arg.name.value === name)?.value
}

/** Strings and enum values alike. */
export function textArgument(directive: ConstDirectiveNode, name: string): string | null {
  const value = argumentOf(directive, name)
  return value?.kind === Kind.STRING || value?.kind === Kind.ENUM ? value.value : null
}

/** A Boolean argument; `absent` is its value where it is left out. */
export function flagArgument(directive: ConstDirectiveNode, name: string, absent: boolean): boolean {
  const value = argumentOf(directive, name)
  return value?.kind === Kind.BOOLEAN ? value.value : absent
}
