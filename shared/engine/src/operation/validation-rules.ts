/**
 * The rules of validation that can find something in a document. Each rule is asked at each node, and most
 * documents have no fragments, no variables or no directives: where the text lacks the characters without
 * which there are no nodes that a rule judges, the rule is left out. Validating a small query takes half as
 * long then.
 */
import {
  DeferStreamDirectiveLabelRule,
  DeferStreamDirectiveOnRootFieldRule,
  DeferStreamDirectiveOnValidOperationsRule,
  type DocumentNode,
  FragmentsOnCompositeTypesRule,
  Kind,
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  KnownFragmentNamesRule,
  KnownTypeNamesRule,
  MaxIntrospectionDepthRule,
  NoFragmentCyclesRule,
  NoUndefinedVariablesRule,
  NoUnusedFragmentsRule,
  NoUnusedVariablesRule,
  PossibleFragmentSpreadsRule,
  recommendedRules,
  SingleFieldSubscriptionsRule,
  specifiedRules,
  StreamDirectiveOnListFieldRule,
  UniqueArgumentNamesRule,
  UniqueDirectivesPerLocationRule,
  UniqueFragmentNamesRule,
  UniqueInputFieldNamesRule,
  UniqueVariableNamesRule,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  VariablesAreInputTypesRule,
  VariablesInAllowedPositionRule,
} from 'graphql'
import { fragmentTypesRule } from './check-fragment-types.ts'
import { literalsRule } from './check-literals.ts'
import type { SourceLines } from './source-lines.ts'

/** How `@defer` is used is checked for the operation that is executed. */
const RULES_OF_DEFER: readonly ValidationRule[] = [
  DeferStreamDirectiveLabelRule,
  DeferStreamDirectiveOnRootFieldRule,
  DeferStreamDirectiveOnValidOperationsRule,
]

const SPREAD = ['...']
const FRAGMENT = ['fragment']
const VARIABLE = ['$']
const DIRECTIVE = ['@']
/** Arguments, and with them literals, stand in parentheses everywhere. */
const ARGUMENT = ['(']

/** Characters of which a document has some if it has nodes that a rule judges. Other rules judge all. */
const MARKS: ReadonlyMap<ValidationRule, readonly string[]> = new Map<ValidationRule, readonly string[]>([
  [SingleFieldSubscriptionsRule, ['subscription']],
  // Named are the types of variables and of fragments.
  [KnownTypeNamesRule, [...SPREAD, ...FRAGMENT, ...VARIABLE]],
  [FragmentsOnCompositeTypesRule, [...SPREAD, ...FRAGMENT]],
  [VariablesAreInputTypesRule, VARIABLE],
  [UniqueFragmentNamesRule, FRAGMENT],
  [KnownFragmentNamesRule, SPREAD],
  [NoUnusedFragmentsRule, FRAGMENT],
  [fragmentTypesRule, SPREAD],
  [NoFragmentCyclesRule, FRAGMENT],
  [UniqueVariableNamesRule, VARIABLE],
  [NoUndefinedVariablesRule, VARIABLE],
  [NoUnusedVariablesRule, VARIABLE],
  [KnownDirectivesRule, DIRECTIVE],
  [UniqueDirectivesPerLocationRule, DIRECTIVE],
  [StreamDirectiveOnListFieldRule, DIRECTIVE],
  [KnownArgumentNamesRule, ARGUMENT],
  [UniqueArgumentNamesRule, ARGUMENT],
  [VariablesInAllowedPositionRule, VARIABLE],
  [UniqueInputFieldNamesRule, ARGUMENT],
  [MaxIntrospectionDepthRule, ['__']],
])

/** Besides the one for literals, which needs the lines of the document. */
const RULES = [...specifiedRules, ...recommendedRules]
  .filter((rule) => !RULES_OF_DEFER.includes(rule) && rule !== ValuesOfCorrectTypeRule)
  .map((rule) => (rule === PossibleFragmentSpreadsRule ? fragmentTypesRule : rule))

/** Every rule that documents are held to, in the order in which they report. */
export function allRules(lines: SourceLines): readonly ValidationRule[] {
  return [...RULES, literalsRule(lines)]
}

/** Those of them that can report something in this document. */
export function rulesFor(document: DocumentNode, lines: SourceLines): readonly ValidationRule[] {
  // Definitions of types have names and directives in other places.
  if (!document.definitions.every(isExecutable)) return allRules(lines)
  const rules = RULES.filter((rule) => MARKS.get(rule)?.some((mark) => lines.include(mark)) ?? true)
  return ARGUMENT.some((mark) => lines.include(mark)) ? [...rules, literalsRule(lines)] : rules
}

function isExecutable({ kind }: DocumentNode['definitions'][number]): boolean {
  return kind === Kind.OPERATION_DEFINITION || kind === Kind.FRAGMENT_DEFINITION
}
