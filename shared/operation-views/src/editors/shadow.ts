/** The trees that editors live in, apart from that of the page. */

export function shadowOf(host: HTMLElement): ShadowRoot {
  return host.shadowRoot ?? host.attachShadow({ mode: 'open' })
}

/** Puts an editor into its place. Returns what takes it away again. */
export function put(host: HTMLElement, dom: HTMLElement, destroy: () => void): () => void {
  shadowOf(host).replaceChildren(dom)
  return () => {
    destroy()
    dom.remove()
  }
}
