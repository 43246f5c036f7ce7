/** The settings of one section under the names that code uses: `max_age` is `maxAge`. */
export type CamelCased<Section> = {
  readonly [Name in keyof Section as Name extends string ? CamelName<Name> : never]: Section[Name]
}

type CamelName<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelName<Tail>>}`
  : Name

/** Renames the members of a section, not those of objects in it: keys there may be names that users chose. */
export function camelCased<Section extends object>(section: Section): CamelCased<Section>
export function camelCased(section: object): object {
  return Object.fromEntries(
    Object.entries(section).map(([name, value]: [string, unknown]) => [
      name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )
}
