/**
 * Translates a page as Chrome does, into the same language: replaces every text, now and later, with `<font>` elements
 * that contain it. A text that React wrote beside other nodes is an uncaught error, because React cannot change it any
 * more. Runs in the page.
 */
export function translatePage(): void {
  const untouched = 'script, style, noscript, textarea, title, svg, [translate="no"], font'

  const translate = (text: Text) => {
    if (!text.data.trim() || !text.parentElement || text.parentElement.closest(untouched)) return
    // React marks each node of its own, but not the text that it sets as the content of an element.
    if (Object.keys(text).some((key) => key.startsWith('__reactFiber')))
      reportError(new Error(`The text "${text.data}" has no element of its own.`))
    const [outer, inner] = [document.createElement('font'), document.createElement('font')]
    inner.textContent = text.data
    outer.append(inner)
    text.replaceWith(outer)
  }
  const visit = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    for (let node: Node | null = root; node; node = walker.nextNode()) if (node instanceof Text) texts.push(node)
    texts.forEach(translate)
  }
  const observer = new MutationObserver((records) => {
    for (const { target, addedNodes, type } of records)
      for (const node of type === 'characterData' ? [target] : addedNodes) if (node.isConnected) visit(node)
  })
  observer.observe(document, { subtree: true, childList: true, characterData: true })
  visit(document)
}
