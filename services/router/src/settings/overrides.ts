/** The members of a section that one subgraph has of its own. */
export type Override<Section> = { readonly [Name in keyof Section]?: Section[Name] | undefined }

/** Returns the section with the members of `own` that are given in place of those that hold for all. */
export function overridden<Section extends object>(all: Section, own: Override<Section> = {}): Section {
  const given = Object.entries(own).filter(([, value]) => value !== undefined)
  return given.length === 0 ? all : { ...all, ...Object.fromEntries(given) }
}
