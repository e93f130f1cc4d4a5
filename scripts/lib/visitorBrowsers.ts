/**
 * Removes what the oldest browsers of the promise lack, Chrome 111, Safari 16.4 and Firefox 115, and code would call without
 * asking: TypeScript knows it. Runs in the page, before its scripts.
 */
export function removeNewer(): void {
  const iterator = Object.getPrototypeOf(Object.getPrototypeOf([].values()))
  const newer: [object, string][] = [
    [URLSearchParams.prototype, 'size'],
    [URL, 'canParse parse'],
    [Object, 'groupBy'],
    [Map, 'groupBy'],
    [Map.prototype, 'getOrInsert getOrInsertComputed'],
    [Array, 'fromAsync'],
    [Promise, 'withResolvers try'],
    [Set.prototype, 'union intersection difference symmetricDifference isSubsetOf isSupersetOf isDisjointFrom'],
    [iterator, 'map filter take drop flatMap reduce toArray forEach some every find'],
    [AbortSignal, 'any'],
    [String.prototype, 'isWellFormed toWellFormed'],
    [ArrayBuffer.prototype, 'transfer transferToFixedLength resize'],
    [Uint8Array, 'fromBase64 fromHex'],
    [Uint8Array.prototype, 'toBase64 toHex setFromBase64 setFromHex'],
    // Not `Segmenter`, which Firefox 115 lacks: axe compares Chinese names with it.
    [Intl, 'DurationFormat'],
    [RegExp, 'escape'],
    [Math, 'sumPrecise'],
    [Error, 'isError'],
    [Response.prototype, 'bytes'],
    [Blob.prototype, 'bytes'],
    [ReadableStream, 'from'],
    [Element.prototype, 'moveBefore setHTML setHTMLUnsafe'],
    [HTMLElement.prototype, 'showPopover hidePopover togglePopover'],
    [HTMLDialogElement.prototype, 'requestClose'],
    [window, 'Iterator'],
  ]
  for (const [owner, names] of newer) for (const name of names.split(' ')) Reflect.deleteProperty(owner, name)
}

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
