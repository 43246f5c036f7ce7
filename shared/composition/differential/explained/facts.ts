/** Differences in what two supergraphs say. */
import { Kind, print } from 'graphql'
import { composeSdls, type Difference } from '../compare.ts'
import {
  fieldsOf,
  hasDirective,
  isFederation2,
  isHidden,
  repeats,
  rootsOfExtensions,
  selectsField,
  typesOf,
} from '../schemas.ts'
import { printedSelection } from '../supergraph-facts.ts'
import type { Explanation, FactStatement } from './explanation.ts'

export const FACTS: readonly Explanation<FactStatement>[] = [
  {
    name: 'an override from nobody',
    why: 'The subgraph that `@override(from:)` names is not in the graph or does not have the field, so that there is nothing to take over. The library keeps the name in the supergraph.',
    explains: differsBy(
      (words) => words.replace(/ ?\boverride\(([^)]*)\)/, '').replace(LABEL, ''),
      (subgraph, { sdls }, { coordinate, ours, theirs }) => {
        const from = /\boverride\(([^)]*)\)/.exec(theirs)?.[1]
        return (
          from !== undefined &&
          fieldsOf(sdls, from, coordinate).length === 0 &&
          (LABEL.exec(ours)?.[1] ?? null) === labelOfTaking(sdls, subgraph, coordinate)
        )
      },
    ),
  },
  {
    name: 'a selection as it is written',
    why: 'The subgraph requires or provides just this. The library leaves parts out that it takes for the own fields of the subgraph.',
    explains: differsBy(
      (words) => words.replaceAll(/ ?\b(?:requires|provides)\(.*\)(?= type\(| override\(|$)/g, ''),
      (subgraph, { sdls }, { coordinate, ours }) =>
        ['requires', 'provides'].every((name) => {
          const said = new RegExp(
            `\\b${name}\\((.*?)\\)(?= (?:requires|provides|type|override|label)\\(|$)`,
          ).exec(ours)?.[1]
          return said === undefined || selectionsOf(sdls, subgraph, coordinate, name).includes(said)
        }),
    ),
  },
  {
    name: 'an external field of an interface object',
    why: 'The subgraph marks the field as external and does not resolve it. The library loses the mark.',
    explains: differsBy(without('external'), (subgraph, { sdls }, { coordinate, ours }) => {
      const [type = ''] = coordinate.split('.')
      return (
        /\bexternal\b/.test(ours) &&
        hasDirective(typesOf(sdls, subgraph, type), 'interfaceObject') &&
        hasDirective(fieldsOf(sdls, subgraph, coordinate), 'external')
      )
    }),
  },
  {
    name: 'the type that a subgraph has itself',
    why: 'Where another type is published than a subgraph has, we say which one it has, as other composers do. The library does so where the named types differ.',
    explains: differsBy(without('type'), (subgraph, { sdls }, { coordinate, ours }) => {
      const said = TYPE.exec(ours)?.[1]
      return (
        said !== undefined && fieldsOf(sdls, subgraph, coordinate).some(({ type }) => print(type) === said)
      )
    }),
  },
  {
    name: 'the wider type of a shared field',
    why: 'An interface or union is published where another subgraph has one of its types. The library publishes the narrower type, by the order of subgraphs.',
    explains: ({ coordinate, fact, by }, difference) => isWiderType(coordinate, fact, by, difference),
  },
  {
    name: 'the label of an override at its source',
    why: 'The subgraph that a field is taken from resolves it where the label is not set. The library says so of some fields alone.',
    explains: differsBy(without('label'), (subgraph, { sdls }, { coordinate, ours }) => {
      const label = /\blabel\((.*)\)/.exec(ours)?.[1]
      return (
        label !== undefined &&
        Object.keys(sdls).some((name) =>
          fieldsOf(sdls, name, coordinate).some((field) =>
            print(field).includes(`@override(from: "${subgraph}", label: "${label}")`),
          ),
        )
      )
    }),
  },
  {
    name: 'an argument that one subgraph hides',
    why: 'An argument that one subgraph hides is hidden everywhere. The library shows it where another subgraph does not have it, and on interfaces.',
    explains: ({ by, fact }, { sdls }) => {
      const [, field, argument] = /^\w+\.(\w+)\((\w+):\) @inaccessible$/.exec(fact) ?? []
      return (
        by === 'us' &&
        field !== undefined &&
        Object.values(sdls).some((sdl) => isHidden(sdl, field, argument ?? ''))
      )
    },
  },
  {
    name: 'a default that not all give',
    why: 'A default that only some subgraphs give is not sent to the others. The library publishes it.',
    explains: ({ fact }, difference) => isDefaultOfSome(fact, difference),
  },
  {
    name: 'an external field of Federation 1',
    why: 'A subgraph of Federation 1 that extends a type resolves the fields of its keys alone, and needs the other fields that it marks as external for what it requires and provides. The library drops some of these, keeps some that nothing selects, and takes some as resolved.',
    explains: ({ coordinate, subgraph, words, by }, { sdls, onlyTheirs, onlyOurs }) => {
      if (subgraph === null || isFederation2(sdls[subgraph] ?? '')) return false
      const start = `${coordinate} @${subgraph}`
      const others = (by === 'us' ? onlyTheirs : onlyOurs).filter(
        (one) => one === start || one.startsWith(`${start} `),
      )
      const isExternal = (text: string) => /\bexternal\b/.test(text)
      const selection = new RegExp(`fields: "(?:[^"\\\\]|\\\\.)*\\b${coordinate.split('.')[1]}\\b`)
      const isSelected = (sdl: string) => selection.test(sdl)
      return (
        hasDirective(fieldsOf(sdls, subgraph, coordinate), 'external') &&
        (others.length === 0
          ? by === 'us' || !isExternal(words) || (words === 'external' && !isSelected(sdls[subgraph] ?? ''))
          : others.some((one) => isExternal(one) !== isExternal(words)))
      )
    },
  },
  {
    name: 'a key that only Federation 1 resolves',
    why: 'A subgraph that marks a field of its own keys as external resolves it only in Federation 1.',
    explains: differsBy(
      without('external'),
      (subgraph, { sdls }, { coordinate, ours }) =>
        isFederation2(sdls[subgraph] ?? '') &&
        /\bexternal\b/.test(ours) &&
        hasDirective(fieldsOf(sdls, subgraph, coordinate), 'external'),
    ),
  },
  {
    name: 'an external field that the library drops',
    why: 'The subgraph declares the field to require or provide it. The library drops it in extensions, and where another subgraph takes it over.',
    explains: ({ by, coordinate, subgraph, words }, { sdls }) =>
      by === 'us' &&
      subgraph !== null &&
      words === 'external' &&
      hasDirective(fieldsOf(sdls, subgraph, coordinate), 'external'),
  },
  {
    name: 'the key of an interface object',
    why: 'A subgraph resolves the key of its interface objects, whatever it marks.',
    explains: differsBy(
      without('external'),
      (subgraph, { sdls }, { coordinate, theirs }) =>
        /\bexternal\b/.test(theirs) &&
        hasDirective(typesOf(sdls, subgraph, coordinate.split('.')[0] ?? ''), 'interfaceObject'),
    ),
  },
  {
    name: 'a field that is external in its type and resolved by an interface object',
    why: 'It is as hidden and tagged as the field of the interface object that resolves it.',
    explains: ({ by, coordinate, fact, words }, { sdls }) =>
      by === 'us' &&
      /^@(?:inaccessible|tag)/.test(words || fact.slice(coordinate.length + 1)) &&
      Object.keys(sdls).some((name) => hasDirective(fieldsOf(sdls, name, coordinate), 'external')),
  },
  {
    name: 'an empty key',
    why: 'It is kept with a hint, and refused from the next version on. The library drops it.',
    explains: ({ by, words }) => by === 'us' && words.startsWith('key()'),
  },
  {
    name: 'the use of an overridden field in its own subgraph',
    why: 'The field is used where an interface of its type, a key or a requirement in that subgraph has it. The library takes interfaces of other subgraphs for its own, and misses selections.',
    explains: ({ by, coordinate, subgraph, words }, difference) =>
      subgraph !== null &&
      /usedOverridden/.test(words + others(by, `${coordinate} @${subgraph}`, difference).join(' ')) &&
      (by === 'us') === (/usedOverridden/.test(words) === isUsed(difference.sdls, subgraph, coordinate)),
  },
  {
    name: 'a field that another subgraph takes over',
    why: 'A subgraph from which another takes a field does not resolve it, also of interface objects and where the field was taken over twice. The library keeps it.',
    explains: ({ by, coordinate, subgraph }, { sdls, onlyOurs }) =>
      by === 'them' &&
      subgraph !== null &&
      !onlyOurs.some((fact) => fact.startsWith(`${coordinate} @${subgraph}`)) &&
      Object.keys(sdls).some((name) =>
        fieldsOf(sdls, name, coordinate).some((one) => print(one).includes(`@override(from: "${subgraph}"`)),
      ),
  },
  {
    name: 'a definition that nothing uses',
    why: 'The library writes the definitions of @tag and @inaccessible where they are imported, and we where they are applied.',
    explains: ({ by, coordinate }, { theirs }) => {
      if (by === 'us' || theirs.kind !== 'composed' || !coordinate.startsWith('@')) return false
      const withoutHeader = theirs.supergraphSdl.replaceAll(
        /^(?:directive|schema)\b[^\n]*(?:\n +[^\n]*)*/gm,
        '',
      )
      return !new RegExp(`${coordinate}\\b`).test(withoutHeader)
    },
  },
  {
    name: 'a difference that is an error from the next version on',
    why: 'With `isStrict` we refuse what subgraphs say of the field or type.',
    explains: ({ coordinate }, { sdls }) => {
      const strict = composeSdls(sdls, true)
      return (
        strict.kind === 'failed' &&
        strict.errors.some(
          ({ message }) =>
            message.includes(`"${coordinate}"`) ||
            (/^(?:Q|Query)\b/.test(coordinate) && message.includes('has the name of a root type')),
        )
      )
    },
  },
  {
    name: 'the type of a field that an interface object gives',
    why: 'It is that of the subgraphs that resolve it. The library counts what others declare as external.',
    explains: ({ coordinate, subgraph }, { sdls, onlyOurs, onlyTheirs }) => {
      const [, field = ''] = coordinate.split('.')
      const isType = (facts: readonly string[]) => facts.some((fact) => fact.startsWith(`${coordinate}: `))
      return (
        subgraph === null &&
        isType(onlyOurs) &&
        isType(onlyTheirs) &&
        Object.values(sdls).some(
          (sdl) => sdl.includes('@interfaceObject') && new RegExp(`\\b${field}\\b[^\\n]*@external`).test(sdl),
        )
      )
    },
  },
  {
    name: 'a rule of access on an interface',
    why: 'The library writes on an interface what its types demand. The engine derives that when it reads the supergraph.',
    explains: ({ by, coordinate, fact }, { sdls }) =>
      by === 'them' &&
      /^\w+(?:\.\w+)? @(?:authenticated|policy|requiresScopes)\b/.test(fact) &&
      Object.keys(sdls).some((name) =>
        typesOf(sdls, name, coordinate.split('.')[0] ?? '').some(({ kind }) => kind.startsWith('Interface')),
      ),
  },
  {
    name: 'an override of an interface object',
    why: 'The supergraph says from where an interface object takes a field over. The library loses it.',
    explains: differsBy(
      (words) => words.replaceAll(/ ?\b(?:override|label)\([^)]*\)/g, ''),
      (subgraph, { sdls }, { coordinate }) =>
        Object.keys(sdls).some(
          (name) =>
            hasDirective(typesOf(sdls, name, coordinate.split('.')[0] ?? ''), 'interfaceObject') &&
            hasDirective(fieldsOf(sdls, name, coordinate), 'override'),
        ) && subgraph in sdls,
    ),
  },
  {
    name: 'a rule of access, whatever its directive is called',
    why: 'A rule of who may see a field is kept, whatever the directive that links is called. The library loses it.',
    explains: ({ by, fact }, { sdls }) =>
      by === 'us' &&
      /@(?:authenticated|policy|requiresScopes)\b/.test(fact) &&
      Object.values(sdls).some((sdl) =>
        /@\w+\(\s*url: "https:\/\/specs\.apollo\.dev\/link\/v1\.0"/.test(sdl),
      ),
  },
  {
    name: 'a root that an extension of the schema names',
    why: 'An extension of a schema may name its roots as a definition does. The library takes such a type for one of many.',
    explains: ({ coordinate }, { sdls }) => {
      const [type = '', field] = coordinate.split('.')
      return Object.entries(sdls).some(([name, sdl]) =>
        rootsOfExtensions(sdl).some(
          (root) =>
            root.type === type ||
            (root.name === type &&
              field !== undefined &&
              fieldsOf(sdls, name, `${root.type}.${field}`).length > 0),
        ),
      )
    },
  },
  {
    name: 'a directive under the name of its specification',
    why: 'A directive that is imported under another name has its own name in the supergraph. The library keeps the other one.',
    explains: ({ by, fact }, { sdls, onlyOurs, onlyTheirs }) => {
      const renamed = Object.values(sdls).flatMap((sdl) => [
        ...sdl.matchAll(/\{ ?name: "(@\w+)", as: "(@\w+)" ?\}/g),
      ])
      return renamed.some(([, name = '', as = '']) => {
        const [from, to] = by === 'us' ? [name, as] : [as, name]
        const others = by === 'us' ? onlyTheirs : onlyOurs
        return others.includes(fact.replace(new RegExp(`${from}\\b`), to))
      })
    },
  },
  {
    name: 'a definition that is deprecated twice',
    why: 'GraphQL lets `@deprecated` stand once, and both take it more often. We keep the first reason, and the library the last one.',
    explains: ({ coordinate, fact }, { sdls }) => {
      const [, argument] = /^\S+\((\w+):\) @deprecated/.exec(fact) ?? []
      const name = argument ?? coordinate.split('.')[1] ?? ''
      return (
        /^\S+ @deprecated\b/.test(fact) && Object.values(sdls).some((sdl) => repeats(sdl, name, 'deprecated'))
      )
    },
  },
  {
    name: 'an executable directive that not all define',
    why: 'Operations may use a directive that all subgraphs define. The library publishes those that one subgraph defines.',
    explains: ({ coordinate, subgraph }, { sdls }) =>
      coordinate.startsWith('@') &&
      subgraph === null &&
      Object.values(sdls).some((sdl) => sdl.includes(`directive ${coordinate}`)),
  },
]

type Pair = { readonly coordinate: string; readonly ours: string; readonly theirs: string }

/**
 * True if both say something of the element in the subgraph, it is the same but for what `rest` takes away,
 * and the judge agrees.
 */
function differsBy(
  rest: (words: string) => string,
  judge: (subgraph: string, difference: Difference, pair: Pair) => boolean,
): Explanation<FactStatement>['explains'] {
  return ({ by, coordinate, subgraph, words }, difference) => {
    if (subgraph === null) return false
    const start = `${coordinate} @${subgraph}`
    const others = (by === 'us' ? difference.onlyTheirs : difference.onlyOurs)
      .filter((fact) => fact === start || fact.startsWith(`${start} `))
      .map((fact) => fact.slice(start.length + 1))
    return others.some((other) => {
      const [ours, theirs] = by === 'us' ? [words, other] : [other, words]
      return (
        rest(ours).trim() === rest(theirs).trim() && judge(subgraph, difference, { coordinate, ours, theirs })
      )
    })
  }
}

function without(word: string): (words: string) => string {
  return (words) => words.replace(new RegExp(` ?\\b${word}\\b(?:\\([^)]*\\))?`), '')
}

function selectionsOf(
  sdls: Difference['sdls'],
  subgraph: string,
  coordinate: string,
  name: string,
): readonly string[] {
  return fieldsOf(sdls, subgraph, coordinate).flatMap(({ directives = [] }) =>
    directives.flatMap((directive) => {
      const value = directive.arguments?.find((one) => one.name.value === 'fields')?.value
      return directive.name.value.endsWith(name) && value?.kind === Kind.STRING
        ? [printedSelection(value.value)]
        : []
    }),
  )
}

const TYPE = /\btype\(([^)]*)\)/

const LABEL = / ?\blabel\((.*)\)/

/** The label under which another subgraph takes the field from this one; null if there is none. */
function labelOfTaking(sdls: Difference['sdls'], subgraph: string, coordinate: string): string | null {
  const takings = Object.keys(sdls).flatMap((name) =>
    fieldsOf(sdls, name, coordinate).flatMap(
      (field) => print(field).split(`@override(from: "${subgraph}", label: "`)[1]?.split('"')[0] ?? [],
    ),
  )
  return takings[0] ?? null
}

/** Whether this is about a field of which we publish an abstract type and the library one of its types. */
function isWiderType(
  coordinate: string,
  fact: string,
  by: string,
  { sdls, onlyOurs, onlyTheirs }: Difference,
): boolean {
  const published = (facts: readonly string[]) =>
    facts.find((one) => one.startsWith(`${coordinate}: `))?.replace(/^[^:]*: |[[\]!]/g, '')
  const [ours, theirs] = [published(onlyOurs), published(onlyTheirs)]
  if (ours === undefined || theirs === undefined) return false
  const isAbstract = Object.keys(sdls).some((name) =>
    typesOf(sdls, name, ours).some(({ kind }) => /^(?:Union|Interface)/.test(kind)),
  )
  return isAbstract && (fact.startsWith(`${coordinate}: `) || fact.startsWith(`${coordinate} @`))
}

/** Whether this is an argument or input field with a default that a subgraph with the field does not give. */
function isDefaultOfSome(fact: string, { onlyOurs, onlyTheirs }: Difference): boolean {
  const bare = (one: string) => one.replace(/ = .*?(?=\)?$)/, '')
  const others = [...onlyOurs, ...onlyTheirs].filter((one) => one !== fact && bare(one) === bare(fact))
  return others.length > 0 && onlyTheirs.some((one) => bare(one) === bare(fact) && one.includes(' = '))
}

function others(by: string, start: string, { onlyOurs, onlyTheirs }: Difference): readonly string[] {
  return (by === 'us' ? onlyTheirs : onlyOurs).filter(
    (fact) => fact === start || fact.startsWith(`${start} `),
  )
}

/** Whether an interface of the type, a key or a requirement of the subgraph has the field. */
function isUsed(sdls: Difference['sdls'], subgraph: string, coordinate: string): boolean {
  const [type = '', field = ''] = coordinate.split('.')
  const inInterface = typesOf(sdls, subgraph, type).some(
    (node) =>
      'interfaces' in node &&
      (node.interfaces ?? []).some(
        ({ name }) => fieldsOf(sdls, subgraph, `${name.value}.${field}`).length > 0,
      ),
  )
  return inInterface || selectsField(sdls, subgraph, coordinate)
}
