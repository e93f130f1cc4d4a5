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
