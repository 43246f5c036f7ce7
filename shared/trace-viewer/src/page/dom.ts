/**
 * Elements from data. Text only ever becomes text nodes and attributes, never markup: traces hold what others
 * sent. Characters of it that nobody would see are shown as their codes.
 */
import { printable } from '@switchyard/values/printable'

export type Child = Node | string | null
export type Attributes = Readonly<Record<string, string | number | boolean | null>>

/** Attributes whose values people read. */
const SHOWN: readonly string[] = ['aria-label', 'title']

/** `false` and `null` leave an attribute out, `true` sets it empty. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue
    element.setAttribute(
      key,
      value === true ? '' : SHOWN.includes(key) ? printable(String(value)) : String(value),
    )
  }
  element.append(...children.filter((child) => child !== null).map(shown))
  return element
}

/** Returns what is put on the page for a child. */
export function shown(child: Node | string): Node | string {
  return typeof child === 'string' ? printable(child) : child
}

/** Styles are set through the object model, which a content security policy without inline styles permits. */
export function place(element: HTMLElement, properties: Readonly<Record<string, string>>): HTMLElement {
  for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value)
  return element
}

export function button(text: string, attributes: Attributes, onClick: () => void): HTMLButtonElement {
  const element = h('button', { type: 'button', ...attributes }, text)
  element.addEventListener('click', onClick)
  return element
}

/** A sign that is said in words beside it. */
export function sign(text: string): HTMLElement {
  return h('span', { 'aria-hidden': 'true', class: 'sign' }, text)
}
