/** The settings of the override labels under which a graph is judged. */

/** The number of labels up to which all settings are judged. */
const ALL_SETTINGS_UP_TO = 4
/** The number of labels up to which each one is judged alone. */
const EACH_ALONE_UP_TO = 16

/**
 * All settings of up to four labels. Of more labels: none, all, and each label alone active or alone
 * inactive. Of many labels: as few settings as hold every combination of any two labels, since the author of
 * a subgraph chooses how many labels there are.
 */
export function labelSettings(labels: readonly string[]): readonly ReadonlySet<string>[] {
  if (labels.length <= ALL_SETTINGS_UP_TO)
    return Array.from({ length: 2 ** labels.length }, (_, bits) =>
      picked(labels, (index) => hasBit(bits, index)),
    )
  const ends = [new Set<string>(), new Set(labels)]
  if (labels.length <= EACH_ALONE_UP_TO)
    return [
      ...ends,
      ...labels.map((label) => new Set([label])),
      ...labels.map((label) => new Set(labels.filter((other) => other !== label))),
    ]
  const bits = Array.from({ length: Math.ceil(Math.log2(labels.length)) }, (_, bit) => bit)
  return [
    ...ends,
    ...bits.map((bit) => picked(labels, (index) => hasBit(index, bit))),
    ...bits.map((bit) => picked(labels, (index) => !hasBit(index, bit))),
  ]
}

function picked(labels: readonly string[], isActive: (index: number) => boolean): ReadonlySet<string> {
  return new Set(labels.filter((_label, index) => isActive(index)))
}

function hasBit(number: number, bit: number): boolean {
  return Math.floor(number / 2 ** bit) % 2 === 1
}
