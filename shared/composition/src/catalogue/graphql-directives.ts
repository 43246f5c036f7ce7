/** Sentences about applications of directives that the rules of GraphQL refuse, by the kind of mistake. */
import { valueProblemText, type ValueProblem } from './value-problems.ts'

/** Each function makes the sentences of one kind of mistake from its facts. */
export const DIRECTIVE_SENTENCES = {
  'unknown-directive': ({ directive, coordinate, of }: Applied & { readonly of: Missing }) =>
    `Unknown directive "@${directive}" on "${coordinate}"; ${ADVICE[of]}.`,
  'misplaced-directive': ({ directive, coordinate, location }: Applied & { readonly location: string }) =>
    `Directive "@${directive}" on "${coordinate}" cannot be applied to ${location}.`,
  'repeated-directive': ({ directive, coordinate }: Applied) =>
    `Directive "@${directive}" is applied to "${coordinate}" more than once, and is not repeatable; keep one.`,
  'missing-argument': ({
    directive,
    coordinate,
    argument,
    type,
  }: Applied & Argument & { readonly type: string }) =>
    `"@${directive}" on "${coordinate}" lacks the argument "${argument}" of type "${type}", which is required.`,
  'unknown-argument': ({ directive, coordinate, argument }: Applied & Argument) =>
    `"@${directive}" on "${coordinate}" has no argument "${argument}"; correct the name, or remove it.`,
  'repeated-given-argument': ({ directive, coordinate, argument }: Applied & Argument) =>
    `"@${directive}" on "${coordinate}" is given the argument "${argument}" more than once; keep one.`,
  'repeated-given-field': ({ coordinate, field }: { readonly coordinate: string; readonly field: string }) =>
    `A value at "${coordinate}" gives the field "${field}" more than once; keep one.`,
  'directive-value': ({
    directive,
    coordinate,
    argument,
    problem,
  }: Applied & Argument & { readonly problem: ValueProblem }) =>
    `Invalid value of "@${directive}(${argument}:)" on "${coordinate}": ${valueProblemText(problem)}.`,
  'directive-default': ({
    directive,
    argument,
    problem,
  }: Argument & { readonly directive: string; readonly problem: ValueProblem }) =>
    `Invalid default value of "@${directive}(${argument}:)": ${valueProblemText(problem)}.`,
  'no-alternatives': ({ directive, coordinate, list }: Applied & { readonly list: string }) =>
    `@${directive} on "${coordinate}" names no ${list} that somebody could have: expected ${list}: [["one", "and another"], ["or this one"]], with at least one list.`,
  'no-shared-location': ({ directive }: { readonly directive: string }) =>
    `The composed directive "@${directive}" may stand at no place in all of its subgraphs; define it for one place everywhere.`,
  'malformed-import': ({ text }: { readonly text: string }) =>
    `${text} is no import; write the name of a directive or a type, or { name: "@key", as: "@id" }.`,
}

type Applied = { readonly directive: string; readonly coordinate: string }
type Argument = { readonly argument: string }

/** The part that is missing for a directive to be known. */
type Missing = 'definition' | 'import' | 'link'

const ADVICE: Readonly<Record<Missing, string>> = {
  definition: 'define it, or correct the name',
  import: 'add it to the imports of the @link to the federation specification',
  link: 'it is one of Federation 2, which a schema links by @link(url: "https://specs.apollo.dev/federation/v2.15")',
}
